#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "learning/ledger.hpp"
#include "losses/loss_bind.hpp"
#include "numeric/counts.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

constexpr const char* names[totals_fields] = {"rows",     "weight",   "loss",    "errors",
                                              "mistakes", "log_loss", "squared", "signs"};

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void add(Ledger& self, Matrix raw, In<double> y, std::optional<In<double>> weight) {
  if (raw.shape(0) != y.shape(0) || (weight && weight->shape(0) != y.shape(0)))
    throw std::invalid_argument("raw, y and weight must have one entry per row");
  std::span<const double> weights;
  if (weight) weights = {weight->data(), weight->shape(0)};
  const WithoutGil unlocked;
  self.add({raw.data(), raw.size()}, raw.shape(1), {y.data(), y.shape(0)}, weights);
}

nb::dict named(const Totals& totals) {
  double values[totals_fields];
  std::memcpy(values, &totals, sizeof totals);
  nb::dict out;
  for (std::size_t i = 0; i < totals_fields; ++i) out[names[i]] = values[i];
  return out;
}

template <class Row>
Out2<double> matrix(const std::vector<Row>& rows) {
  constexpr std::size_t fields = sizeof(Row) / sizeof(double);
  std::vector<double> out(rows.size() * fields);
  if (!rows.empty()) std::memcpy(out.data(), rows.data(), rows.size() * sizeof(Row));
  return to_numpy(std::move(out), rows.size(), fields);
}

template <class Row>
std::vector<Row> rows_of(Matrix rows) {
  if (rows.shape(1) != sizeof(Row) / sizeof(double))
    throw std::invalid_argument("a ledger's row must have one entry per total");
  std::vector<Row> out(rows.shape(0));
  if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), rows.data(), out.size() * sizeof(Row));
  return out;
}

nb::dict named(const Outcome& sums) {
  nb::dict out;
  out["weight"] = sums.weight, out["loss"] = sums.loss, out["errors"] = sums.errors;
  return out;
}

nb::dict state(Ledger& self) {
  nb::dict out;
  out["totals"] = matrix(std::vector<Totals>{self.totals()});
  out["curve"] = matrix(self.curve());
  out["positive"] = to_numpy(std::vector<double>(self.positive().begin(), self.positive().end()));
  out["negative"] = to_numpy(std::vector<double>(self.negative().begin(), self.negative().end()));
  if (self.window().size() > 0) {
    out["window"] = matrix(self.window().rows());
    out["window_curve"] = matrix(self.window_curve());
  }
  return out;
}

// Losses may be anything, as learners may predict anything, but rows are counted.
std::vector<Totals> totals_of(Matrix rows) {
  auto out = rows_of<Totals>(rows);
  for (const Totals& each : out)
    if (!is_count(each.rows)) throw std::invalid_argument("the ledger's `rows` is no number of rows");
  return out;
}

void set_state(Ledger& self, const nb::dict& state) {
  const auto totals = totals_of(item<Matrix>(state, "totals")), curve = totals_of(item<Matrix>(state, "curve"));
  const auto positive = item<In<double>>(state, "positive"), negative = item<In<double>>(state, "negative");
  if (totals.size() != 1 || positive.shape(0) != self.positive().size() || negative.shape(0) != self.negative().size())
    throw std::invalid_argument("the ledger's state has the wrong size");
  if (self.window().size() > 0) {
    auto rows = rows_of<Outcome>(item<Matrix>(state, "window"));
    auto points = rows_of<Outcome>(item<Matrix>(state, "window_curve"));
    if (rows.size() > self.window().size() || points.size() != curve.size())
      throw std::invalid_argument("the state of the ledger's window has the wrong size");
    self.window().set_rows(std::move(rows));
    self.window_curve() = std::move(points);
  }
  self.totals() = totals[0];
  self.curve() = curve;
  std::copy_n(positive.data(), positive.shape(0), self.positive().begin());
  std::copy_n(negative.data(), negative.shape(0), self.negative().begin());
}

}  // namespace

static const afterwit::Announced announced("learning", [](nb::module_& m) {
  nb::class_<Ledger>(m, "Ledger", "Running totals of losses, errors and margins.")
      .def(
          "__init__",
          [](Ledger* self, const PyLoss& loss, bool classes, std::size_t window) {
            new (self) Ledger(loss.any, classes, window);
          },
          "loss"_a, "classes"_a, "window"_a = 0)
      .def("add", &add, "raw"_a, "y"_a, "weight"_a.none() = nb::none())
      .def("totals", [](Ledger& self) { return named(self.totals()); })
      .def("curve",
           [](Ledger& self) {
             nb::list out;
             for (const Totals& point : self.curve()) out.append(named(point));
             return out;
           })
      .def("window", [](Ledger& self) { return named(self.window().sums()); })
      .def("window_curve",
           [](Ledger& self) {
             nb::list out;
             for (const Outcome& point : self.window_curve()) out.append(named(point));
             return out;
           })
      .def("auc",
           [](const Ledger& self) {
             double area, error;
             self.auc(&area, &error);
             return nb::make_tuple(area, error);
           })
      .def("state", &state)
      .def("set_state", &set_state, "state"_a);
});
