// States as plain data of Python: a dict of NumPy arrays and numbers.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "numeric/state.hpp"
#include "python/arrays.hpp"

namespace afterwit {

namespace nb = nanobind;

class StateWriter final : public State {
 public:
  void number(const char* name, double& value) override { numbers_[name] = value; }
  void numbers(const char* name, double* first, const Shape& shape) override { write(name, first, shape); }
  void numbers(const char* name, float* first, const Shape& shape) override { write(name, first, shape); }

  // The arrays, and behind them the numbers, which are shown first: arrays may be as long as these say.
  nb::dict written() {
    arrays_.update(numbers_);
    return arrays_;
  }

 private:
  template <class T>
  void write(const char* name, const T* first, const Shape& shape) {
    std::vector<T> all(shape.rows * shape.count);
    for (std::size_t row = 0; row < shape.rows; ++row)
      std::copy_n(first + row * shape.stride, shape.count, all.data() + row * shape.count);
    arrays_[name] = to_numpy(std::move(all));
  }

  nb::dict arrays_, numbers_;
};

// Checks kinds and sizes; whether learning can lead to the values is for a reader that derives from it. After an error
// the object is half written and of no use.
class StateReader : public State {
 public:
  explicit StateReader(const nb::dict& state) : state_(state) {}

  void number(const char* name, double& value) override { value = item<double>(state_, name); }
  void numbers(const char* name, double* first, const Shape& shape) override { read(name, first, shape); }
  void numbers(const char* name, float* first, const Shape& shape) override { read(name, first, shape); }
  void expect(const char* name, const Shape& shape) override {
    if (item<In<double>>(state_, name).shape(0) != shape.rows * shape.count) refuse(name, shape);
  }

 protected:
  [[noreturn]] static void refuse(const char* name, const Shape& shape) {
    throw std::invalid_argument(std::string("the state's `") + name + "` has not one number per " + shape.each);
  }

 private:
  template <class T>
  void read(const char* name, T* first, const Shape& shape) {
    const auto all = item<In<T>>(state_, name);
    if (all.shape(0) != shape.rows * shape.count) refuse(name, shape);
    for (std::size_t row = 0; row < shape.rows; ++row)
      std::copy_n(all.data() + row * shape.count, shape.count, first + row * shape.stride);
  }

  const nb::dict& state_;
};

}  // namespace afterwit
