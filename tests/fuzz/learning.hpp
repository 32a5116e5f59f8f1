// The rows of a reader, given to models: one learner, the same learner in two halves over a table for several, and one
// learner per class.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "learners/model.hpp"
#include "linear/kernel.hpp"
#include "linear/normalized_adagrad.hpp"
#include "losses/logistic.hpp"
#include "losses/quantile.hpp"
#include "losses/squared.hpp"
#include "mutation.hpp"
#include "outcome.hpp"
#include "rows/names.hpp"
#include "text/labels.hpp"

namespace fuzz {

// One learner in two halves, as a head has it that looks at the predictions in between.
class Halves final : public afterwit::Head {
 public:
  explicit Halves(afterwit::LabelKind kind) : single_(kind) {}
  std::size_t first_wrong(std::span<const double> y, std::span<const double> weights,
                          std::size_t classes) const override {
    return single_.first_wrong(y, weights, classes);
  }
  std::string complaint(const std::string& label, std::size_t classes) const override {
    return single_.complaint(label, classes);
  }
  std::size_t width(const afterwit::Learners& learners, std::size_t) const override { return learners.learners(); }
  void learn(afterwit::Learners& learners, std::size_t, const afterwit::Row& row, double y, double h, std::size_t,
             double* raw, afterwit::NextRow* next) override {
    learners.look(row, raw);
    y = single_.label(y);
    learners.learn(&y, &h, next);
  }

 private:
  afterwit::Single single_;
};

class Learning {
 public:
  static constexpr std::size_t most_features = 4000;  // of one input
  static constexpr std::size_t lifetime = 64;         // inputs

  // How many rows were learned; what a model refuses, both refuse.
  std::size_t feed(const Outcome& rows, afterwit::LabelKind kind, std::size_t classes, Random& random) {
    if (rows.y.empty() || rows.keys.size() > most_features) return 0;
    if (inputs_++ % lifetime == 0 || kind != kind_) renew(kind, random);
    const std::vector<std::string_view> names(rows.names.begin(), rows.names.end());
    const afterwit::RowsView view{rows.keys, rows.values, rows.starts, names, rows.groups};
    if (kind == afterwit::LabelKind::classes)
      return learn(*several_, view, rows, classes).first.empty() ? 0 : view.size();
    const auto [alone, learned] = learn(*one_, view, rows, 0);
    const auto [among, learned_too] = learn(*several_, view, rows, 0);
    require(learned == learned_too, "what one learner refuses, several refuse");
    require(alone.empty() || std::memcmp(alone.data(), among.data(), alone.size() * sizeof(double)) == 0,
            "one learner has the bits of the same among several");
    return learned ? view.size() : 0;
  }

 private:
  using Rule = afterwit::NormalizedAdaGradRule;

  void renew(afterwit::LabelKind kind, Random& random) {
    kind_ = kind;
    inputs_ = 1;
    labels_ = kind == afterwit::LabelKind::classes  ? afterwit::LabelKind::classes
              : kind == afterwit::LabelKind::binary ? afterwit::LabelKind::binary
                                                    : afterwit::LabelKind::real;
    const afterwit::Features features(static_cast<unsigned>(random.below(9)), random.below(2), random.one_in(2),
                                      random.one_in(2));
    afterwit::Expansion expansion;
    if (random.one_in(2)) {
      const std::uint64_t a = afterwit::namespace_hash("a"), b = afterwit::namespace_hash("b"),
                          t = afterwit::namespace_hash("t");
      expansion.products = {{a, b}, {0, 0}};
      if (random.one_in(4)) expansion.products.push_back({a, a, b});
      if (random.one_in(2)) expansion.ngrams = {{t, 3}, {a, 2}};
      if (random.one_in(4)) expansion.ignored = {b};
    }
    afterwit::AnyLoss loss = std::make_shared<afterwit::Squared>();
    if (labels_ != afterwit::LabelKind::real)
      loss = std::make_shared<afterwit::Logistic>();
    else if (random.one_in(3))
      loss = std::make_shared<afterwit::Quantile>(0.25);
    one_ = made(features, expansion, loss, false);
    several_ = made(features, expansion, loss, true);
  }

  // Over a table for one learner, or for several, of which there is one unless classes bring them.
  std::unique_ptr<afterwit::Model> made(const afterwit::Features& features, const afterwit::Expansion& expansion,
                                        const afterwit::AnyLoss& loss, bool several) const {
    auto learners = std::make_unique<afterwit::Kernel<Rule>>(Rule{}, loss, features.slots(), several);
    std::unique_ptr<afterwit::Head> head = std::make_unique<afterwit::Single>(labels_);
    if (several) head = std::make_unique<Halves>(labels_);
    if (labels_ == afterwit::LabelKind::classes)
      head = std::make_unique<afterwit::OneAgainstAll>();
    else
      learners->grow(features.slots(), 1);
    return std::make_unique<afterwit::Model>(features, expansion, std::move(learners), std::move(head));
  }

  // The raw predictions, of `learn` and then of `predict`, and whether the rows were learned.
  std::pair<std::vector<double>, bool> learn(afterwit::Model& model, const afterwit::RowsView& view,
                                             const Outcome& rows, std::size_t classes) {
    const std::size_t width = std::max(model.width(), classes);
    std::vector<double> raw(view.size() * width);
    try {
      if (kind_ == afterwit::LabelKind::none) {
        model.predict(view, raw.data());
        return {raw, false};
      }
      model.learn(view, rows.y, rows.weight, classes, raw.data());
    } catch (const std::invalid_argument&) {
      return {{}, false};
    }
    for (const double p : raw) require(!std::isnan(p) && p < HUGE_VAL, "predictions are numbers");
    std::vector<double> after(view.size() * model.width());
    model.predict(view, after.data());
    for (const double p : after) require(std::isfinite(p), "predictions are finite");
    raw.insert(raw.end(), after.begin(), after.end());
    return {raw, true};
  }

  std::size_t inputs_ = 0;
  afterwit::LabelKind kind_ = afterwit::LabelKind::none;
  afterwit::LabelKind labels_ = afterwit::LabelKind::real;
  std::unique_ptr<afterwit::Model> one_, several_;
};

}  // namespace fuzz
