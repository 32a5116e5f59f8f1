// Linear learners of several kinds over one row and one set of scales. The run of a feature is [s, rms, rows with it |
// words of the first | words of the second | ...]: it is read once and written once for all of them. Lanes are always
// features (linear/row_steps.hpp).
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "learners/targets.hpp"
#include "linear/pooled.hpp"
#include "linear/runs.hpp"
#include "linear/table.hpp"
#include "numeric/aligned.hpp"
#include "numeric/state.hpp"
#include "rows/row.hpp"

namespace afterwit {

namespace pooled {

constexpr std::size_t head = 3;  // s, rms, rows

// The scales of a row's features, itself included, and |x|^2 and |xs|^2.
template <class Number>
struct Scales {
  Number *s, *rms, *ratio, *xs, *xr;
  double square, squares;
};

template <class Number>
AFTERWIT_MULTIVERSION void see(const Number* __restrict block, std::size_t size, const float* __restrict x,
                               std::size_t n, Scales<Number>& out) {
  Number* __restrict s = out.s, * __restrict rms = out.rms, * __restrict ratio = out.ratio, * __restrict xs = out.xs, * __restrict xr = out.xr;
  double square[lanes] = {}, squares[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; ++l) {
      const Number before = block[l], size_of_x = static_cast<Number>(std::fabs(x[i + l]));
      const Number larger = size_of_x > before ? size_of_x : before;
      const Number most = larger > Number{FLT_MIN} ? larger : Number{FLT_MIN};
      const double value = x[i + l], root = block[lanes + l], met = block[2 * lanes + l];
      const double mean = root * root + (value * value - root * root) / (met + 1.0);
      const double now = std::sqrt(mean > 0.0 ? mean : 0.0), norm = now > FLT_MIN ? now : double{FLT_MIN};
      const double relative = value / norm;
      s[i + l] = most;
      rms[i + l] = static_cast<Number>(norm);
      ratio[i + l] = before / most;
      xs[i + l] = static_cast<Number>(x[i + l]) / most;
      xr[i + l] = static_cast<Number>(relative < -20.0 ? -20.0 : relative > 20.0 ? 20.0 : relative);
      const double scaled = xs[i + l];
      square[l] += value * value;
      squares[l] += scaled * scaled;
    }
  out.square = add_lanes(square);
  out.squares = add_lanes(squares);
}

template <class Number>
AFTERWIT_MULTIVERSION void keep_scales(Number* __restrict block, std::size_t size, const float* __restrict x,
                                       std::size_t n, const Scales<Number>& scales) {
  constexpr Number most_rows = 0x1p24;
  const Number* __restrict s = scales.s, * __restrict rms = scales.rms;
  for (std::size_t i = 0; i < n; i += lanes, block += size)
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool there = x[i + l] != 0.0f;
      const Number met = block[2 * lanes + l] + Number{1}, rows = met < most_rows ? met : most_rows;
      block[l] = there ? s[i + l] : block[l];
      block[lanes + l] = there ? rms[i + l] : block[lanes + l];
      block[2 * lanes + l] = there ? rows : block[2 * lanes + l];
    }
}

}  // namespace pooled

// Each member has one copy for two classes or numbers, and otherwise one for each class: copy after copy.
template <class Number>
class Pool {
 public:
  using Members = std::vector<std::unique_ptr<Pooled<Number>>>;

  Pool(Members fresh, bool numbers, std::size_t slots, std::size_t copies)
      : fresh_(std::move(fresh)), numbers_(numbers), table_(slots, words_of(fresh_), copies, true, pooled::head) {
    add_copies(copies);
  }

  std::size_t outputs() const { return members_.size(); }
  std::size_t copies() const { return members_.size() / fresh_.size(); }
  const PoolTotals& totals() const { return totals_; }

  // One prediction each, cut as the labels ask. Changes nothing but what `learn` remembers of the row.
  void look(const Row& row, const Targets& targets, double* out) {
    row_ = row;
    make_room();
    place();
    move_runs(Direction::gather);
    pooled::see<Number>(cells_.data(), size(), row.x, row.size, scales_);
    Number* block = cells_.data() + pooled::head * lanes;
    for (auto& member : members_) {
      const double m = member->look(totals_, targets, block, size(), seen());
      *out++ = numbers_ ? targets.clipped(targets.mean + m) : m < -50.0 ? -50.0 : m > 50.0 ? 50.0 : m;
      block += member->words() * lanes;
    }
  }

  // The row that was looked at last, with a label for each copy; numbers come with the labels before and with it.
  void learn(const Targets& before, const Targets& after, const double* y, double h) {
    bool all_touched = true;
    for (std::size_t i = 0; i < row_.size; ++i) all_touched = all_touched && table_.touched(row_.slots[i]);
    if (!all_touched) {
      for (std::size_t i = 0; i < row_.size; ++i) table_.touch(row_.slots[i]);
      place();
    }
    ToldRow told{numbers_, 0.0, h, before, after, totals_, totals_, scales_.squares, scales_.square};
    told.now.t += h;
    told.now.N += h * told.squares;
    told.now.square += (told.square - told.now.square) * (h / told.now.t);
    const bool learns = !numbers_ || after.range() > 0.0;
    Number* block = cells_.data() + pooled::head * lanes;
    const SeenRow<Number> seen = this->seen();
    const std::size_t size = this->size(), each = fresh_.size();
    for (std::size_t k = 0; k < members_.size(); k += each) {
      told.y = y[k / each];
      for (std::size_t i = k; i < k + each; ++i) {
        if (learns) members_[i]->learn(told, block, size, seen, factors_.data());
        block += members_[i]->words() * lanes;
      }
    }
    pooled::keep_scales<Number>(cells_.data(), size, row_.x, row_.size, scales_);
    totals_ = told.now;
    move_runs(Direction::scatter);
  }

  void grow(std::size_t slots, std::size_t copies) {
    table_.grow(slots);
    if (copies > table_.learners()) table_.widen(std::max(copies, 2 * table_.learners()));
    if (copies > this->copies()) add_copies(copies - this->copies());
  }

  // The same, and what is new has what the first copy has learned.
  void grow_like_first(std::size_t slots, std::size_t copies) {
    const std::size_t before = this->copies(), room = words_of(fresh_);
    grow(slots, copies);
    for (std::size_t slot = 0; slot < table_.slots() && before < copies; ++slot) {
      if (!table_.touched(slot)) continue;
      Number* first = table_.run(slot) + pooled::head;
      for (std::size_t copy = before; copy < copies; ++copy) std::copy_n(first, room, first + copy * room);
    }
  }

  double weight(std::size_t slot, std::size_t k, const Targets& targets) const {
    const Number* run = table_.run(slot);
    std::size_t word = pooled::head;
    for (std::size_t i = 0; i < k; ++i) word += members_[i]->words();
    return members_[k]->weight(totals_, targets, run + word, run[0], run[1]);
  }

  // The state: numbers of a run, and the totals.
  std::size_t words() const { return words_; }
  bool touched(std::size_t slot) const { return table_.touched(slot); }
  bool is_possible(std::size_t word, float value) const {
    if (word < pooled::head) return value >= 0.0f && (word != 2 || value <= 0x1p24f);
    std::size_t k = 0;
    for (word -= pooled::head; word >= members_[k]->words(); ++k) word -= members_[k]->words();
    return members_[k]->is_possible(word, value);
  }
  bool read_run(std::size_t slot, float* out) const {
    if (!table_.touched(slot)) return false;
    const Number* run = table_.run(slot);
    for (std::size_t w = 0; w < words(); ++w) out[w] = static_cast<float>(run[w]);
    return std::any_of(out, out + words(), [](float v) { return v != 0.0f; });
  }
  void write_run(std::size_t slot, const float* values) {
    table_.touch(slot);
    std::copy_n(values, words(), table_.run(slot));
  }
  void visit(State& state) {
    state.number("t", totals_.t);
    state.number("N", totals_.N);
    state.number("square", totals_.square);
  }
  bool sound() const {
    const auto is_sum = [](double v) { return std::isfinite(v) && v >= 0.0; };
    return is_sum(totals_.t) && is_sum(totals_.N) && is_sum(totals_.square);
  }

 private:
  enum class Direction { gather, scatter };

  static std::size_t words_of(const Members& members) {
    std::size_t sum = 0;
    for (const auto& member : members) sum += member->words();
    return sum;
  }
  void add_copies(std::size_t copies) {
    for (std::size_t i = 0; i < copies; ++i)
      for (const auto& member : fresh_) members_.push_back(member->copy());
    words_ = pooled::head + words_of(members_);
  }

  std::size_t size() const { return lanes * words(); }  // numbers between two blocks of sixteen features
  SeenRow<Number> seen() const { return {row_.x, scales_.ratio, scales_.xs, scales_.xr, row_.size}; }

  void make_room() {
    const std::size_t padded = (row_.size + lanes - 1) / lanes * lanes;
    if (cells_.size() < padded * words()) cells_.resize(padded * words());
    if (places_.size() < padded) {
      places_.resize(padded);
      factors_.resize(padded);
      known_.resize(5 * padded);
      Number* first = known_.data();
      scales_ = {first, first + padded, first + 2 * padded, first + 3 * padded, first + 4 * padded, 0.0, 0.0};
    }
  }
  void place() {
    const std::size_t padded = (row_.size + lanes - 1) / lanes * lanes;
    for (std::size_t i = 0; i < row_.size; ++i) places_[i] = table_.place(row_.slots[i]);
    std::fill(places_.begin() + static_cast<std::ptrdiff_t>(row_.size),
              places_.begin() + static_cast<std::ptrdiff_t>(padded), table_.nothing());
  }
  // Between the table and the blocks.
  void move_runs(Direction direction) {
    const std::size_t n = row_.size;
    if constexpr (std::is_same_v<Number, float>) {
      for (std::size_t w = 0; w < words(); w += 4) {
        float *run = table_.begin() + w, *block = cells_.data() + w * lanes;
        if (direction == Direction::gather)
          runs::gather_fours(run, table_.shift(), places_.data(), n, block, words() - w, size());
        else
          runs::scatter_fours(run, table_.shift(), places_.data(), n, block, words() - w, size());
      }
    } else {
      const Runs<Number> runs{table_.begin(), table_.shift(), places_.data(), n};
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t w = 0; w < words(); ++w) {
          Number &cell = cells_[i / lanes * size() + w * lanes + i % lanes], &kept = runs.at(i)[w];
          if (direction == Direction::gather)
            cell = kept;
          else
            kept = cell;
        }
    }
  }

  Members fresh_, members_;
  bool numbers_;
  std::size_t words_ = 0;
  Table<Number> table_;
  PoolTotals totals_;

  Row row_{};  // that was looked at last
  pooled::Scales<Number> scales_{};
  std::vector<std::uint32_t> places_;
  std::vector<Number, Aligned<Number>> cells_, known_, factors_;
};

}  // namespace afterwit
