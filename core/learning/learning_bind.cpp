#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstring>
#include <limits>
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

constexpr const char* names[totals_fields] = {
    "rows",  "weight",   "loss",          "errors",          "mistakes",         "log_loss",         "squared",
    "signs", "absolute", "baseline_loss", "baseline_errors", "baseline_squared", "baseline_absolute"};
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void add(Ledger& self, Matrix raw, In<double> y, std::optional<In<double>> weight, std::optional<In<double>> columns,
         std::optional<In<double>> labels) {
  if (raw.shape(0) != y.shape(0) || (weight && weight->shape(0) != y.shape(0)) ||
      (labels && labels->shape(0) != y.shape(0)))
    throw std::invalid_argument("raw, y, weight and labels must have one entry per row");
  if (columns && columns->shape(0) != raw.shape(1))
    throw std::invalid_argument("columns must have one entry per raw prediction");
  std::span<const double> weights;
  if (weight) weights = {weight->data(), weight->shape(0)};
  ClassCodes codes;
  if (columns) codes.columns = {columns->data(), columns->shape(0)};
  if (labels) codes.labels = {labels->data(), labels->shape(0)};
  const WithoutGil unlocked;
  self.add({raw.data(), raw.size()}, raw.shape(1), {y.data(), y.shape(0)}, weights, codes);
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

// What an older version did not keep is not known.
template <class Row>
std::vector<Row> rows_of(Matrix rows, std::size_t old_fields) {
  constexpr std::size_t fields = sizeof(Row) / sizeof(double);
  const std::size_t given = rows.shape(1);
  if (given != fields && given != old_fields)
    throw std::invalid_argument("a ledger's row must have one entry per total");
  std::vector<double> all(rows.shape(0) * fields, unknown);
  for (std::size_t i = 0; i < rows.shape(0); ++i) std::copy_n(rows.data() + i * given, given, all.data() + i * fields);
  std::vector<Row> out(rows.shape(0));
  if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), all.data(), out.size() * sizeof(Row));
  return out;
}

nb::dict named(const Outcome& sums) {
  nb::dict out;
  out["weight"] = sums.weight, out["loss"] = sums.loss, out["errors"] = sums.errors;
  out["baseline_loss"] = sums.baseline_loss, out["baseline_errors"] = sums.baseline_errors;
  return out;
}

Out2<double> tallies(Ledger& self) { return matrix(self.tallies().all()); }

Out2<double> counts(Ledger& self) {
  const Confusion& found = self.confusion();
  return to_numpy(std::vector<double>(found.counts()), found.size(), found.size());
}

// The class that the baseline says; -1 where it knows none.
double usual(Ledger& self) {
  return self.tallies().usual() == Tallies::nobody ? -1.0 : static_cast<double>(self.tallies().usual());
}

nb::dict state(Ledger& self) {
  nb::dict out;
  out["totals"] = matrix(std::vector<Totals>{self.totals()});
  out["curve"] = matrix(self.curve());
  out["positive"] = to_numpy(std::vector<double>(self.positive().begin(), self.positive().end()));
  out["negative"] = to_numpy(std::vector<double>(self.negative().begin(), self.negative().end()));
  const double* cells = self.cells().n;
  out["mean"] = to_numpy(std::vector<double>{self.mean().mean(), self.mean().spread()});
  out["cells"] = to_numpy(std::vector<double>(cells, cells + 4));
  out["tallies"] = tallies(self);
  out["usual"] = usual(self);
  if (self.confusion().wanted()) out["confusion"] = counts(self);
  if (self.window().size() > 0) {
    out["window"] = matrix(self.window().rows());
    out["window_curve"] = matrix(self.window_curve());
  }
  return out;
}

// Losses may be anything, as learners may predict anything, but rows are counted.
std::vector<Totals> totals_of(Matrix rows) {
  auto out = rows_of<Totals>(rows, old_totals_fields);
  for (const Totals& each : out)
    if (!is_count(each.rows)) throw std::invalid_argument("the ledger's `rows` is no number of rows");
  return out;
}

// What the labels alone amounted to; an older version did not keep it.
void set_labels(Ledger& self, const nb::dict& state) {
  if (!state.contains("tallies")) {
    self.mean().set(unknown, unknown);
    std::fill_n(self.cells().n, 4, unknown);
    self.tallies().set({}, Tallies::nobody);
    return;
  }
  const auto mean = item<In<double>>(state, "mean"), cells = item<In<double>>(state, "cells");
  auto tallies = rows_of<Tally>(item<Matrix>(state, "tallies"), tally_fields);
  const auto usual = item<double>(state, "usual");
  const bool known = usual >= 0.0 && usual < static_cast<double>(tallies.size());
  if (mean.shape(0) != 2 || cells.shape(0) != 4 || !(known || usual == -1.0))
    throw std::invalid_argument("the state of the ledger's labels has the wrong size");
  if (self.confusion().wanted()) {
    const auto counts = item<Matrix>(state, "confusion");
    if (counts.shape(0) != counts.shape(1) || counts.shape(0) > Confusion::most)
      throw std::invalid_argument("the state of the ledger's confusion has the wrong size");
    self.confusion().set({counts.data(), counts.data() + counts.size()}, counts.shape(0));
  }
  self.mean().set(mean.data()[0], mean.data()[1]);
  std::copy_n(cells.data(), 4, self.cells().n);
  self.tallies().set(std::move(tallies), known ? static_cast<std::size_t>(usual) : Tallies::nobody);
}

void set_state(Ledger& self, const nb::dict& state) {
  const auto totals = totals_of(item<Matrix>(state, "totals")), curve = totals_of(item<Matrix>(state, "curve"));
  const auto positive = item<In<double>>(state, "positive"), negative = item<In<double>>(state, "negative");
  if (totals.size() != 1 || positive.shape(0) != self.positive().size() || negative.shape(0) != self.negative().size())
    throw std::invalid_argument("the ledger's state has the wrong size");
  if (self.window().size() > 0) {
    auto rows = rows_of<Outcome>(item<Matrix>(state, "window"), old_outcome_fields);
    auto points = rows_of<Outcome>(item<Matrix>(state, "window_curve"), old_outcome_fields);
    if (rows.size() > self.window().size() || points.size() != curve.size())
      throw std::invalid_argument("the state of the ledger's window has the wrong size");
    self.window().set_rows(std::move(rows));
    self.window_curve() = std::move(points);
  }
  set_labels(self, state);
  self.set_totals(totals[0]);
  self.curve() = curve;
  std::copy_n(positive.data(), positive.shape(0), self.positive().begin());
  std::copy_n(negative.data(), negative.shape(0), self.negative().begin());
}

}  // namespace

static const afterwit::Announced announced("learning", [](nb::module_& m) {
  nb::class_<Ledger>(m, "Ledger", "Running totals of losses, errors and margins.")
      .def(
          "__init__",
          [](Ledger* self, const PyLoss& loss, bool classes, std::size_t window, bool confusion) {
            new (self) Ledger(loss.any, classes, window, confusion);
          },
          "loss"_a, "classes"_a, "window"_a = 0, "confusion"_a = false)
      .def("add", &add, "raw"_a, "y"_a, "weight"_a.none() = nb::none(), "columns"_a.none() = nb::none(),
           "labels"_a.none() = nb::none())
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
      .def("spread", [](Ledger& self) { return self.mean().spread(); })
      .def("cells",
           [](Ledger& self) {
             const double* n = self.cells().n;
             return nb::make_tuple(n[0], n[1], n[2], n[3]);
           })
      .def("tallies", &tallies)
      .def("confusion", &counts)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a);
});
