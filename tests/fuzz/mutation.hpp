// Seeded inputs: small valid texts, glued together and then damaged a little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 engine_;
};

// A copy of a text in a heap block of just its size: one byte too far is seen by the address sanitizer.
class Exact {
 public:
  explicit Exact(std::string_view text) : size_(text.size()), bytes_(new char[text.size()]) {
    if (size_ != 0) std::memcpy(bytes_.get(), text.data(), size_);
  }
  const char* begin() const { return bytes_.get(); }
  const char* end() const { return bytes_.get() + size_; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

class Mutation {
 public:
  Mutation(std::vector<std::string> seeds, std::vector<std::string> tokens)
      : seeds_(std::move(seeds)), tokens_(std::move(tokens)) {}

  // `glued`: seeds to join, at most.
  std::string input(Random& random, std::size_t glued) const {
    std::string text;
    for (std::size_t n = 1 + random.below(glued); n > 0; --n) text += random.of(seeds_);
    const std::size_t most = 1 + text.size() / 64;
    for (std::size_t n = random.below(most + 2); n > 0; --n) mutate(text, random);
    return text;
  }

 private:
  void mutate(std::string& text, Random& random) const {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(random.one_in(4) ? 40 : 4) + 1;
    const std::size_t have = at < text.size() ? text.size() - at : 0;
    switch (random.below(8)) {
      case 0:
        if (have > 0) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 1:
        if (have > 0) text[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(at, text.substr(at, length));
        break;
      case 5:
        splice(text, at, random);
        break;
      case 6:
        text.replace(at, length < have ? length : have, random.of(tokens_));
        break;
      default:
        text.insert(at, random.of(tokens_));
    }
  }

  void splice(std::string& text, std::size_t at, Random& random) const {
    const std::string& other = random.of(seeds_);
    text.insert(at, other.substr(random.below(other.size() + 1), 1 + random.below(30)));
  }

  std::vector<std::string> seeds_, tokens_;
};

}  // namespace fuzz
