// Which labels there are.
#pragma once

#include <optional>
#include <string_view>

namespace afterwit {

// real: any number that fits a float. binary: -1 and +1. classes: codes 0, 1, ... of names. none: whatever it is, 0.
enum class LabelKind { real, binary, classes, none };

inline std::optional<LabelKind> label_kind(std::string_view word) {
  if (word == "real") return LabelKind::real;
  if (word == "binary") return LabelKind::binary;
  if (word == "classes") return LabelKind::classes;
  if (word == "none") return LabelKind::none;
  return {};
}

}  // namespace afterwit
