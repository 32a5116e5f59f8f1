// What can be wrong with a line of text. The sentences are written in Python.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace afterwit {

enum class Fault {
  none,
  label_missing,
  label_not_number,
  label_infinite,
  label_not_binary,
  label_not_integer,
  label_too_large,
  label_not_utf8,
  label_unknown,
  label_shared,
  label_of_several,
  weight_not_number,
  weight_negative,
  weight_too_large,
  base_not_zero,
  word_before_bar,
  bar_missing,
  scale_not_number,
  scale_too_large,
  weight_missing,
  record_too_short,
  record_too_long,
  record_too_large,
  quote_not_closed,
  text_after_quote,
  text_not_utf8,
  query_id,
  feature_without_colon,
  feature_without_value,
  name_missing,
  index_missing,
  index_negative,
  index_not_integer,
  index_too_large,
  value_not_number,
  value_infinite,
  value_too_large,
  scaled_value_too_large,
  cell_infinite,
  cell_no_date,
  json_no_object,
  json_no_key,
  json_no_colon,
  json_no_value,
  json_no_comma,
  json_comma_too_many,
  json_not_closed,
  json_more_behind,
  json_word,
  json_number,
  json_control,
  json_escape,
  json_surrogate,
  json_too_deep,
  json_key_twice,
  json_nested_twice,
  json_array_mixed,
  json_array_nested,
  json_array_unread,
  label_nested,
};

// What is wrong with a line, and the token that shows it.
struct Problem {
  Fault fault = Fault::none;
  std::string_view token;
};

// A bad line: its number counts from 1 at the first line given; the token is data[offset, offset + length). In a CSV it
// is a record: `field` says in which column (from 0, or behind the last one), `fields` how many there are. In JSON
// `name` is that of the value, or of the one before.
struct BadLine {
  Fault fault;
  std::int64_t line;
  std::int64_t column;
  std::int64_t offset;
  std::int64_t length;
  std::int64_t field = 0;
  std::int64_t fields = 0;
  std::string name{};
};

}  // namespace afterwit
