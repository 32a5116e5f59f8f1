// What an object has learned, part by named part. It shows its parts to a visitor, which writes them down or puts
// others in their place: so there is one list of them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace afterwit {

// `rows` times `count` numbers, each row `stride` behind the one before. `each` says, in the singular, what has one
// number each: "expert". One field of K structs is K rows of 1 number.
struct Shape {
  const char* each;
  std::size_t rows, count, stride;
};

class State {
 public:
  virtual void number(const char* name, double& value) = 0;
  virtual void numbers(const char* name, double* first, const Shape& shape) = 0;
  virtual void numbers(const char* name, float* first, const Shape& shape) = 0;
  // To be called before room is made for numbers whose shape depends on parts that were shown before: a visitor that
  // has other numbers to put there refuses if they are not as many.
  virtual void expect(const char*, const Shape&) {}

 protected:
  ~State() = default;
};

// The parts of a part, under names that begin with its own.
class StateWithin final : public State {
 public:
  StateWithin(State& whole, std::string name) : whole_(whole), name_(std::move(name)) {}
  void number(const char* name, double& value) override { whole_.number(full(name).c_str(), value); }
  void numbers(const char* name, double* first, const Shape& shape) override {
    whole_.numbers(full(name).c_str(), first, shape);
  }
  void numbers(const char* name, float* first, const Shape& shape) override {
    whole_.numbers(full(name).c_str(), first, shape);
  }
  void expect(const char* name, const Shape& shape) override { whole_.expect(full(name).c_str(), shape); }

 private:
  std::string full(const char* name) const { return std::string(name_).append(name); }

  State& whole_;
  std::string name_;
};

// A part as its owner lists it.
template <class T>
struct Named {
  const char* name;
  T& value;
};
template <class T>
Named(const char*, T&) -> Named<T>;

}  // namespace afterwit
