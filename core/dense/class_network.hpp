// The network of dense/network.hpp with an output for each of several classes.
//   h_k the hidden units of dense/hidden_layer.hpp,   m_c = u_c0 + sum_k u_ck h_k,   p = softmax(m)
// The slope at m_c is p_c - [c = y] times the importance, cut to +-2^20, at h_k it is the sum over c of these times
// u_ck, and every weight makes Adam's step. All u begin with 0, those of a class that comes late as all others: so
// nothing depends on when it comes, a fresh network has 1/C for each, and the units differ by their own draws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dense/columns.hpp"
#include "dense/hidden_layer.hpp"
#include "numeric/softmax.hpp"
#include "numeric/state.hpp"
#include "numeric/weighted_rows.hpp"

namespace afterwit {

template <class Number>
class ClassNetworkOf {
 public:
  static constexpr bool moments = true;

  ClassNetworkOf(std::size_t hidden, double rate, std::uint64_t seed) : layer_(hidden, seed), clock_(rate) {}

  std::size_t most_classes() const { return 4096; }  // some 50 MB with 1024 units

  void reserve(std::size_t d, std::size_t classes) {
    layer_.reserve(d);
    if (classes <= classes_) return;
    classes_ = classes;
    outputs_.grow(classes * layer_.stride());
    constants_.grow(classes);
    slopes_.resize(classes);
    for (auto* each : {&m_, &p_}) each->resize(classes);
    softmax(m_.data(), classes, p_.data());
  }

  void predict(const DenseRow& row, double* p) {
    network::outputs(outputs_.w.data(), layer_.stride(), constants_.w.data(), classes_, layer_.look(row), m_.data());
    softmax(m_.data(), classes_, p_.data());
    std::copy_n(p_.data(), classes_, p);
  }

  void learn(const DenseRow& row, std::size_t y, double h) {
    for (std::size_t c = 0; c < classes_; ++c)
      slopes_[c] = network::cut_slope<Number>(h * (c == y ? p_[c] - 1.0 : p_[c]));
    const auto adam = clock_.next<Number>();
    weighted_rows(outputs_.w.data(), layer_.stride(), slopes_.data(), classes_, layer_.slopes());
    layer_.learn(adam, row.d);
    outputs_.descend(adam, layer_.stride(), slopes_.data(), classes_, layer_.h());
    constexpr Number one = 1;
    constants_.descend(adam, classes_, &one, 1, slopes_.data());
  }

  void visit(State& state, std::size_t d, std::size_t classes) {
    const Shape weights{"unit of a class", classes, layer_.units(), layer_.stride()};
    state.expect("outputs", weights);
    clock_.visit(state);
    layer_.visit(state, d);
    reserve(0, classes);
    constants_.visit(state, {"constants", "constants_mean", "constants_square"}, {"class", classes, 1, 1});
    outputs_.visit(state, {"outputs", "outputs_mean", "outputs_square"}, weights);
  }
  bool sound() const {
    return clock_.sound() && constants_.sound(classes_) && outputs_.sound(classes_ * layer_.stride()) && layer_.sound();
  }

 private:
  HiddenLayer<Number> layer_;
  network::AdamClock clock_;
  std::size_t classes_ = 0;
  network::Weights<Number> outputs_, constants_;  // u_ck, one row per class, and u_c0
  network::Line<Number> slopes_;
  std::vector<double> m_, p_;  // of the row that was predicted last
};

using ClassNetwork = ClassNetworkOf<float>;

}  // namespace afterwit
