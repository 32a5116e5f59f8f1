// What can be wrong with a line of text. The sentences are written in Python.
#pragma once

#include <cstdint>

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
  weight_missing,
  weight_not_number,
  weight_negative,
  weight_too_large,
  record_too_short,
  record_too_long,
  record_too_large,
  quote_not_closed,
  text_after_quote,
  text_not_utf8,
  query_id,
  feature_without_colon,
  feature_without_value,
  index_missing,
  index_negative,
  index_not_integer,
  index_too_large,
  value_not_number,
  value_infinite,
  value_too_large,
};

// A bad line: its number counts from 1 at the first line given; the token is data[offset, offset + length).
struct BadLine {
  Fault fault;
  std::int64_t line;
  std::int64_t column;
  std::int64_t offset;
  std::int64_t length;
};

}  // namespace afterwit
