// A learner over columns, of any kind. Its class, a Member, has
//   static constexpr bool moments;             whether it asks for the columns' means and variances
//   void reserve(d);                           room for d columns; those not learned yet have their fresh values
//   double predict(row, targets);              the raw prediction: a margin, or for numbers a value; finite
//   void learn(row, before, after, y, h);      the row that was predicted last, with the labels before and with it
//   void visit(state, d);  bool sound() const; its state, with d learned columns
// and may have weight(j, rms), the weight of column j or, with j = Member::constant, of the constant, take an offset as
// a third argument of predict, upon which it then learns, and say what it keeps: holds() in numbers with names, and
// add_gains(columns) what the splits of its trees have gained by column.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "learners/targets.hpp"
#include "numeric/state.hpp"

namespace afterwit {

// What a learner keeps, for people: numbers with names, and a gain for each column.
struct Holdings {
  std::vector<std::pair<const char*, double>> numbers;
  std::vector<double> gains;
};

template <class Member>
Holdings holdings_of(const Member& member, std::size_t columns) {
  Holdings out;
  if constexpr (requires { member.holds(); }) out.numbers = member.holds();
  if constexpr (requires { member.add_gains(out.gains); }) {
    out.gains.resize(columns);
    member.add_gains(out.gains);
  }
  return out;
}

class DenseMember {
 public:
  virtual ~DenseMember() = default;
  virtual std::unique_ptr<DenseMember> copy() const = 0;
  virtual bool moments() const = 0;
  virtual bool takes_offset() const = 0;

  virtual void reserve(std::size_t d) = 0;
  // Cut as the labels ask: margins to +-50, values to the range of the labels so far.
  virtual double predict(const DenseRow& row, const Targets& targets, double offset = 0.0) = 0;
  // The first of the labels that are numbers is only noted.
  virtual void learn(const DenseRow& row, const Targets& before, const Targets& after, double y, double h) = 0;

  virtual void visit(State& state, std::size_t d) = 0;
  virtual bool sound() const = 0;
  // Of a column, or of the constant; 0 where it has no weights.
  virtual double weight(std::size_t column, double rms) const = 0;
  virtual double constant() const = 0;
  virtual Holdings holdings(std::size_t columns) const = 0;
};

template <class Member>
class DenseMemberOf final : public DenseMember {
 public:
  DenseMemberOf(Member member, bool numbers) : member_(std::move(member)), numbers_(numbers) {}

  std::unique_ptr<DenseMember> copy() const override { return std::make_unique<DenseMemberOf>(*this); }
  bool moments() const override { return Member::moments; }
  bool takes_offset() const override { return has_offset; }

  void reserve(std::size_t d) override { member_.reserve(d); }
  double predict(const DenseRow& row, const Targets& targets, [[maybe_unused]] double offset) override {
    double p;
    if constexpr (has_offset)
      p = member_.predict(row, targets, offset);
    else
      p = member_.predict(row, targets);
    return numbers_ ? targets.clipped(p) : p < -50.0 ? -50.0 : p > 50.0 ? 50.0 : p;
  }
  void learn(const DenseRow& row, const Targets& before, const Targets& after, double y, double h) override {
    if (!numbers_ || before.rounds > 0.0) member_.learn(row, before, after, y, h);
  }

  void visit(State& state, std::size_t d) override {
    member_.reserve(d);
    member_.visit(state, d);
  }
  bool sound() const override { return member_.sound(); }
  double weight(std::size_t column, double rms) const override {
    if constexpr (has_weights) return member_.weight(column, rms);
    return 0.0;
  }
  double constant() const override {
    if constexpr (has_weights) return member_.weight(Member::constant, 1.0);
    return 0.0;
  }
  Holdings holdings(std::size_t columns) const override { return holdings_of(member_, columns); }

 private:
  static constexpr bool has_offset =
      requires(Member m, const DenseRow& row, const Targets& t) { m.predict(row, t, 0.0); };
  static constexpr bool has_weights = requires { Member::constant; };

  Member member_;
  bool numbers_;
};

}  // namespace afterwit
