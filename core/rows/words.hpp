// A text as words: runs of letters, digits, underscores and bytes above ASCII; ASCII letters become small.
#pragma once

#include <string>
#include <string_view>

namespace afterwit {

inline bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

template <class F>
void for_each_word(std::string_view text, F f) {
  std::string word;
  for (const char c : text) {
    if (is_word_byte(c)) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!word.empty()) {
      f(std::string_view(word));
      word.clear();
    }
  }
  if (!word.empty()) f(std::string_view(word));
}

}  // namespace afterwit
