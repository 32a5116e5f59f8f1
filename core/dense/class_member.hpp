// A learner over columns for several classes, of which more may come. Its class, a Member, has
//   static constexpr bool moments;      whether it asks for the columns' means and variances
//   std::size_t most_classes() const;   beyond so many it would take too much memory or time: it must not see them
//   void reserve(d, classes);           room for d columns and so many classes; what is new begins with zeros, also in
//                                       the row that was predicted last
//   void predict(row, p);               probabilities of the classes for which there is room, which sum to 1; none is 0
//   void learn(row, y, h);              the row that was predicted last is of class y, with importance h > 0
//   void visit(state, d, classes);  bool sound() const;   its state, with d learned columns; `visit` makes room itself,
//                                       not before the state says that it has as many numbers
// and may say what it keeps, as in dense/member.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "dense/columns.hpp"
#include "dense/member.hpp"
#include "numeric/state.hpp"

namespace afterwit {

class ClassMember {
 public:
  virtual ~ClassMember() = default;
  virtual std::unique_ptr<ClassMember> copy() const = 0;
  virtual bool moments() const = 0;
  virtual std::size_t most_classes() const = 0;
  virtual void reserve(std::size_t d, std::size_t classes) = 0;
  virtual void predict(const DenseRow& row, double* p) = 0;
  virtual void learn(const DenseRow& row, std::size_t y, double h) = 0;
  virtual void visit(State& state, std::size_t d, std::size_t classes) = 0;
  virtual bool sound() const = 0;
  virtual Holdings holdings(std::size_t columns) const = 0;
};

template <class Member>
class ClassMemberOf final : public ClassMember {
 public:
  explicit ClassMemberOf(Member member) : member_(std::move(member)) {}

  std::unique_ptr<ClassMember> copy() const override { return std::make_unique<ClassMemberOf>(*this); }
  bool moments() const override { return Member::moments; }
  std::size_t most_classes() const override { return member_.most_classes(); }
  void reserve(std::size_t d, std::size_t classes) override { member_.reserve(d, classes); }
  void predict(const DenseRow& row, double* p) override { member_.predict(row, p); }
  void learn(const DenseRow& row, std::size_t y, double h) override { member_.learn(row, y, h); }
  void visit(State& state, std::size_t d, std::size_t classes) override { member_.visit(state, d, classes); }
  bool sound() const override { return member_.sound(); }
  Holdings holdings(std::size_t columns) const override { return holdings_of(member_, columns); }

 private:
  Member member_;
};

}  // namespace afterwit
