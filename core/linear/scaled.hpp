// What rules that do not care about the scale of features and labels share.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>

namespace afterwit {

// The largest size of a feature, this value included; never 0.
template <class Number>
Number larger(Number s, float x) {
  const Number size = std::fabs(x), most = size > s ? size : s;
  return most > FLT_MIN ? most : Number{FLT_MIN};
}

// A weight for x/s as one for x.
inline double per_scale(double w, double s) { return s > 0.0 ? w / s : 0.0; }

// The range of 0 and the labels that are numbers.
struct LabelRange {
  double lowest = 0.0;
  double highest = 0.0;
  static constexpr std::array<const char*, 2> fields{"lowest", "highest"};

  void widen(double y) {
    lowest = y < lowest ? y : lowest;
    highest = y > highest ? y : highest;
  }
  double range() const { return highest - lowest; }
  double clipped(double p) const { return p < lowest ? lowest : p > highest ? highest : p; }
  bool sound() const { return lowest <= 0.0 && lowest >= -FLT_MAX && highest >= 0.0 && highest <= FLT_MAX; }
};

}  // namespace afterwit
