#include "learners/model_bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cfloat>
#include <cmath>
#include <optional>

#include "learners/csr.hpp"
#include "learners/head.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// One row, from a mapping or a dense vector. Another thread, or a value's own `__float__`, may read one meanwhile: it
// then finds no reader to borrow and makes its own.
class OneRow {
 public:
  OneRow(PyModel& bound, nb::handle x) : bound_(bound), reader_(std::move(bound.reader)) {
    const Layout& layout = bound.layout;
    if (!reader_) reader_ = std::make_unique<MappingReader>(layout.features.exact(), layout.groups, layout.cells);
    if (PyDict_Check(x.ptr()))
      reader_->read(x.ptr());
    else
      read_other(x);
    if (!reader_->names.empty()) views_.assign(reader_->names.begin(), reader_->names.end());
    starts_[1] = static_cast<std::int64_t>(reader_->keys.size());
  }
  ~OneRow() { bound_.reader = std::move(reader_); }
  OneRow(const OneRow&) = delete;
  OneRow& operator=(const OneRow&) = delete;

  RowsView view() const { return {reader_->keys, reader_->values, starts_, views_, reader_->groups}; }

 private:
  void read_other(nb::handle x) {
    In<double> dense;
    if (PyMapping_Check(x.ptr()) && PyObject_HasAttrString(x.ptr(), "keys")) {
      nb::object copy =
          nb::steal(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyDict_Type), x.ptr(), nullptr));
      if (!copy.is_valid()) throw nb::python_error();
      reader_->read(copy.ptr());
      return;
    }
    if (is_masked(x)) throw nb::type_error("a row has masked entries; fill them in, as `.filled(0)` does");
    const auto is_number = [&] { return std::string_view("biuf").find(kind_of(x)) != std::string_view::npos; };
    const auto lies_well = [&] { return reinterpret_cast<std::uintptr_t>(dense.data()) % alignof(double) == 0; };
    // Numbers in bytes of another order or size, or between the places of doubles, are copied.
    if (!(nb::try_cast(x, dense) && lies_well()) && !(is_number() && nb::try_cast(x.attr("astype")("f8"), dense)))
      throw nb::type_error(
          "a row must be a mapping of names to numbers or words, or a one-dimensional array of real numbers");
    reader_->clear();
    for (std::size_t i = 0; i < dense.shape(0); ++i) {
      if (dense.data()[i] == 0.0) continue;
      reader_->keys.push_back(i);
      reader_->values.push_back(dense.data()[i]);
    }
  }

  PyModel& bound_;
  std::unique_ptr<MappingReader> reader_;
  std::vector<std::string_view> views_;
  std::int64_t starts_[2] = {};
};

// What is done with one row. Where it is refused, a mapping is read once more: its keys do not tell the name of a value
// that is no finite float.
template <class F>
auto with_names(nb::handle x, F act) {
  try {
    return act();
  } catch (const std::invalid_argument&) {
    if (!PyDict_Check(x.ptr())) throw;
    MappingReader named(true);
    named.add(x.ptr());
    for (std::size_t i = 0; i < named.values.size(); ++i)
      if (!(std::fabs(named.values[i]) <= FLT_MAX))
        throw std::invalid_argument(
            "feature `" + named.names[i] + "` is " + Model::shown(named.values[i]) +
            ", expected a finite number that fits a 32-bit float; where there is none, leave it "
            "out or say None");
    throw;
  }
}

double predict_one(PyModel& self, nb::handle x) {
  return with_names(x, [&] {
    const OneRow row(self, x);
    const LockedBriefly locked(*self.mutex);
    if (self.model.width() != 1) throw std::invalid_argument("there are several learners; use predict_codes");
    double raw;
    self.model.predict_one(row.view(), &raw);
    return raw;
  });
}

Out<double> predict_codes(PyModel& self, nb::handle x) {
  return with_names(x, [&] {
    const OneRow row(self, x);
    const Locked locked(*self.mutex);
    std::vector<double> raw(self.model.width());
    self.model.predict_one(row.view(), raw.data());
    return to_numpy(std::move(raw));
  });
}

double number_of(nb::handle value, const char* what) {
  double number;
  if (real_number(value.ptr(), number)) return number;
  const std::string shown = nb::cast<std::string>(nb::repr(value));
  throw nb::type_error((std::string("the ") + what + " is `" + shown + "`, expected a number").c_str());
}

void learn_one(PyModel& self, nb::handle x, nb::handle y, nb::handle weight, std::size_t classes) {
  const double label = number_of(y, "label"), importance = number_of(weight, "weight");
  with_names(x, [&] {
    const OneRow row(self, x);
    const LockedBriefly locked(*self.mutex);
    self.model.learn_one(row.view(), label, importance, classes);
  });
}

Out2<double> predict_rows(PyModel& self, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                          std::optional<In<std::uint64_t>> groups) {
  RowsView rows = view(keys, values, starts);
  if (groups) rows.groups = {groups->data(), groups->shape(0)};
  const Locked locked(*self.mutex);
  const std::size_t n = rows.starts.empty() ? 0 : rows.size(), width = self.model.width();
  std::vector<double> raw(n * width);
  {
    const WithoutGil unlocked;
    self.model.predict(rows, raw.data());
  }
  return to_numpy(std::move(raw), n, width);
}

Out2<double> learn_rows(PyModel& self, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts, In<double> y,
                        std::optional<In<double>> weight, std::size_t classes, std::optional<nb::list> names,
                        std::optional<In<std::uint64_t>> groups) {
  const NameViews known = views_of(names);
  RowsView rows = view(keys, values, starts, known.views);
  if (groups) rows.groups = {groups->data(), groups->shape(0)};
  const Locked locked(*self.mutex);
  const std::size_t n = rows.starts.empty() ? 0 : rows.size(), width = self.model.width(classes);
  std::vector<double> raw(n * width);
  const std::span<const double> weights = span_of(weight);
  {
    const WithoutGil unlocked;
    self.model.learn(rows, {y.data(), y.shape(0)}, weights, classes, raw.data());
  }
  return to_numpy(std::move(raw), n, width);
}

Numbers numbers_of(const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>& array, const char* name) {
  using Kind = Numbers::Kind;
  for (const auto& [dtype, kind] : {std::pair{nb::dtype<std::int32_t>(), Kind::int32},
                                    {nb::dtype<std::int64_t>(), Kind::int64},
                                    {nb::dtype<std::uint32_t>(), Kind::uint32},
                                    {nb::dtype<std::uint64_t>(), Kind::uint64},
                                    {nb::dtype<float>(), Kind::float32},
                                    {nb::dtype<double>(), Kind::float64}})
    if (array.dtype() == dtype) return {array.data(), array.shape(0), kind};
  throw nb::type_error((std::string(name) + " has a dtype that is not an integer or a float of 32 or 64 bits").c_str());
}

using AnyNumbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void learn_in_pieces(Model& model, Csr& rows, std::span<const double> y, std::span<const double> weights,
                     std::size_t classes, double* raw) {
  const std::size_t n = rows.rows(), width = model.width(classes);
  try {
    for (std::size_t r = 0; r < n; r = rows.end_of_piece(r)) model.check_rows(rows.view(r, rows.end_of_piece(r)));
  } catch (const std::invalid_argument&) {
    model.check_rows(rows.view(0, n));  // once more, to name the row
    throw;
  }
  for (std::size_t r = 0, last; r < n; r = last) {
    last = rows.end_of_piece(r);
    model.learn_checked(rows.view(r, last), y.subspan(r, last - r),
                        weights.empty() ? weights : weights.subspan(r, last - r), classes, raw + r * width);
  }
}

Out2<double> learn_csr(PyModel& self, AnyNumbers indices, AnyNumbers values, AnyNumbers starts, In<double> y,
                       std::optional<In<double>> weight, std::size_t classes) {
  Csr rows(numbers_of(indices, "indices"), numbers_of(values, "data"), numbers_of(starts, "indptr"));
  const Locked locked(*self.mutex);
  Model& model = self.model;
  const std::size_t n = rows.rows(), width = model.width(classes);
  std::vector<double> raw(n * width);
  const std::span<const double> labels{y.data(), y.shape(0)};
  const std::span<const double> weights = span_of(weight);
  {
    const WithoutGil unlocked;
    model.check_labels(n, labels, weights, classes);
    if (!rows.learn(model, labels, weights, classes, raw.data()))
      learn_in_pieces(model, rows, labels, weights, classes, raw.data());
  }
  return to_numpy(std::move(raw), n, width);
}

std::unique_ptr<Head> head_for(LabelKind labels) {
  if (labels == LabelKind::classes) return std::make_unique<OneAgainstAll>();
  return std::make_unique<Single>(labels);
}

}  // namespace

static const afterwit::Announced announced("learners", [](nb::module_& m) {
  nb::class_<LearningRule>(m, "LearningRule", "How learners move, with its settings.");
  nb::enum_<LabelKind>(m, "Labels")
      .value("real", LabelKind::real)
      .value("binary", LabelKind::binary)
      .value("classes", LabelKind::classes);

  nb::class_<PyModel>(m, "Model", "Learners that follow one rule, over one table.")
      .def(
          "__init__",
          [](PyModel* self, const LearningRule& rule, const PyLoss& loss, const Layout& layout, LabelKind labels,
             bool precise) {
            Features features = layout.features;
            rule.ask(features);
            const std::size_t asked = features.names().size();
            auto learners = rule.learners(loss.any, features, labels == LabelKind::classes, precise);
            new (self) PyModel{{std::move(features), layout.expansion, std::move(learners), head_for(labels)},
                               layout,
                               nullptr,
                               std::make_unique<Lock>(),
                               asked};
          },
          "rule"_a, "loss"_a, "layout"_a, "labels"_a, "precise"_a = false,
          "One learner, or one per class; `precise` keeps doubles where floats are kept otherwise.")
      .def("predict_one", &predict_one, "x"_a.none(), nb::sig("def predict_one(self, x: object) -> float"),
           "The raw prediction (margin or value) for one row: a mapping of names, or a one-dimensional array.")
      .def(
          "learn_one",
          [](PyModel& self, nb::handle x, nb::handle y, nb::handle weight) { learn_one(self, x, y, weight, 0); },
          "x"_a.none(), "y"_a.none(), "weight"_a.none() = 1.0,
          nb::sig("def learn_one(self, x: object, y: object, weight: float = 1.0) -> None"),
          "Learns one row and its label.")
      .def("predict_codes", &predict_codes, "x"_a, "The raw predictions of all learners for one row.")
      .def("learn_code", &learn_one, "x"_a, "y"_a, "weight"_a, "classes"_a,
           nb::sig("def learn_code(self, x: object, y: object, weight: float, classes: int) -> None"),
           "Learns one row and the code of its class.")
      .def("predict_rows", &predict_rows, "keys"_a, "values"_a, "starts"_a, "groups"_a.none() = nb::none())
      .def("learn_rows", &learn_rows, "keys"_a, "values"_a, "starts"_a, "y"_a, "weight"_a.none() = nb::none(),
           "classes"_a = 0, "names"_a.none() = nb::none(), "groups"_a.none() = nb::none())
      .def("learn_csr", &learn_csr, "indices"_a.noconvert(), "data"_a.noconvert(), "indptr"_a.noconvert(), "y"_a,
           "weight"_a.none() = nb::none(), "classes"_a = 0, "Learns the rows of a CSR matrix in place, without names.")
      .def(
          "add_learners",
          [](PyModel& self, std::size_t n) {
            const Locked locked(*self.mutex);
            Learners& learners = self.model.learners();
            learners.grow(self.model.features().slots(), learners.learners() + n);
          },
          "n"_a)
      .def_prop_ro("learners", [](const PyModel& self) { return self.model.learners().learners(); })
      .def_prop_ro("slots_are_indices", [](const PyModel& self) { return self.model.features().slots_are_indices(); })
      .def_prop_ro("intercept_slot", [](const PyModel& self) { return self.model.features().intercept_slot(); });
});
