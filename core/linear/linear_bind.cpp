#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "linear/adagrad.hpp"
#include "linear/csr.hpp"
#include "linear/gradient_descent.hpp"
#include "linear/model_bind.hpp"
#include "linear/normalized_adagrad.hpp"
#include "linear/pegasos.hpp"
#include "linear/perceptron.hpp"
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
    if (!reader_) reader_ = std::make_unique<MappingReader>(layout.features.exact(), layout.groups, layout.text);
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

double predict_one(PyModel& self, nb::handle x) {
  const OneRow row(self, x);
  const LockedBriefly locked(*self.mutex);
  if (self.model.learners() != 1) throw std::invalid_argument("there are several learners; use predict_codes");
  double raw;
  self.model.predict_one(row.view(), &raw);
  return raw;
}

Out<double> predict_codes(PyModel& self, nb::handle x) {
  const OneRow row(self, x);
  const Locked locked(*self.mutex);
  std::vector<double> raw(self.model.learners());
  self.model.predict(row.view(), raw.data());
  return to_numpy(std::move(raw));
}

double number_of(nb::handle value, const char* what) {
  double number;
  if (real_number(value.ptr(), number)) return number;
  const std::string shown = nb::cast<std::string>(nb::repr(value));
  throw nb::type_error((std::string("the ") + what + " is `" + shown + "`, expected a number").c_str());
}

void learn_one(PyModel& self, nb::handle x, nb::handle y, nb::handle weight, std::size_t classes) {
  const double label = number_of(y, "label"), importance = number_of(weight, "weight");
  const OneRow row(self, x);
  const LockedBriefly locked(*self.mutex);
  self.model.learn_one(row.view(), label, importance, classes);
}

Out2<double> predict_rows(PyModel& self, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                          std::optional<In<std::uint64_t>> groups) {
  RowsView rows = view(keys, values, starts);
  if (groups) rows.groups = {groups->data(), groups->shape(0)};
  const Locked locked(*self.mutex);
  const std::size_t n = rows.starts.empty() ? 0 : rows.size(), width = self.model.learners();
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
  const std::size_t n = rows.starts.empty() ? 0 : rows.size(), width = std::max(classes, self.model.learners());
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

void learn_in_pieces(Model& model, Csr& rows, std::span<const double> y, std::span<const double> weights, double* raw) {
  const std::size_t n = rows.rows(), width = model.learners();
  try {
    for (std::size_t r = 0; r < n; r = rows.end_of_piece(r)) model.check_rows(rows.view(r, rows.end_of_piece(r)));
  } catch (const std::invalid_argument&) {
    model.check_rows(rows.view(0, n));  // once more, to name the row
    throw;
  }
  for (std::size_t r = 0, last; r < n; r = last) {
    last = rows.end_of_piece(r);
    model.learn_checked(rows.view(r, last), y.subspan(r, last - r),
                        weights.empty() ? weights : weights.subspan(r, last - r), 0, raw + r * width);
  }
}

Out2<double> learn_csr(PyModel& self, AnyNumbers indices, AnyNumbers values, AnyNumbers starts, In<double> y,
                       std::optional<In<double>> weight) {
  Csr rows(numbers_of(indices, "indices"), numbers_of(values, "data"), numbers_of(starts, "indptr"));
  const Locked locked(*self.mutex);
  Model& model = self.model;
  const std::size_t n = rows.rows(), width = model.learners();
  std::vector<double> raw(n * width);
  const std::span<const double> labels{y.data(), y.shape(0)};
  const std::span<const double> weights = span_of(weight);
  {
    const WithoutGil unlocked;
    model.check_labels(n, labels, weights, 0);
    if (!rows.learn(model, labels, weights, raw.data())) learn_in_pieces(model, rows, labels, weights, raw.data());
  }
  return to_numpy(std::move(raw), n, width);
}

// The slots with any non-zero word, in ascending order, and their runs.
nb::tuple touched(const Linear& kernel) {
  const std::size_t size = kernel.words() * kernel.learners();
  std::vector<std::uint32_t> slots;
  std::vector<float> runs, run(size);
  for (std::size_t slot = 0; slot < kernel.slots(); ++slot) {
    if (!kernel.read_run(slot, run.data())) continue;
    slots.push_back(static_cast<std::uint32_t>(slot));
    runs.insert(runs.end(), run.begin(), run.end());
  }
  const std::size_t n = slots.size();
  return nb::make_tuple(to_numpy(std::move(slots)), to_numpy(std::move(runs), n, size));
}

nb::list names_of(const Features& features) {
  nb::list names;
  for (const std::string& name : features.names()) names.append(text_of(name));
  return names;
}

nb::dict state(PyModel& self) {
  const Locked locked(*self.mutex);
  Linear& kernel = self.model.kernel();
  const Features& features = self.model.features();
  nb::dict out;
  const nb::tuple runs = touched(kernel);
  out["slots"] = runs[0];
  out["runs"] = runs[1];
  const auto totals = kernel.totals();
  const std::size_t fields = kernel.fields().size();
  nb::dict named;
  for (std::size_t f = 0; f < fields; ++f) {
    std::vector<double> column;
    for (std::size_t k = 0; k < kernel.learners(); ++k) column.push_back(totals[k * fields + f]);
    named[kernel.fields()[f]] = to_numpy(std::move(column));
  }
  out["totals"] = named;
  out["key_bits"] = features.key_bits();
  out["names"] = names_of(features);
  out["keys"] = to_numpy(std::vector<std::uint64_t>(features.keys()));
  return out;
}

// The names of a state as bytes; refuses a key that is there twice.
std::vector<std::string> names_in(const nb::list& names, In<std::uint64_t> keys, bool exact) {
  if (keys.shape(0) != names.size()) throw std::invalid_argument("the state has not one key per name");
  if (!exact && names.size() > 0) throw std::invalid_argument("the state has names, but hashed features keep none");
  std::vector<std::string> out;
  for (nb::handle name : names) out.push_back(bytes_of(name));
  std::vector<std::uint64_t> sorted(keys.data(), keys.data() + keys.shape(0));
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw std::invalid_argument("the state has a name twice");
  return out;
}

// Whatever was learned before is forgotten. Everything is checked before anything changes.
void set_state(PyModel& self, const nb::dict& state, std::size_t learners) {
  const Locked locked(*self.mutex);
  Linear& kernel = self.model.kernel();
  Features& features = self.model.features();
  const auto keys = item<In<std::uint64_t>>(state, "keys");
  const auto names = names_in(item<nb::list>(state, "names"), keys, features.exact());
  const auto key_bits = item<std::uint64_t>(state, "key_bits");
  const auto slots = item<In<std::uint32_t>>(state, "slots");
  const auto runs = item<nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(state, "runs");
  const auto totals = item<nb::dict>(state, "totals");
  const std::size_t size = kernel.words() * learners, fields = kernel.fields().size();
  const std::size_t table = features.exact() ? names.size() + 1 : features.slots();
  if (runs.shape(0) != slots.shape(0) || runs.shape(1) != size)
    throw std::invalid_argument("the state's `runs` do not fit its `slots` and the number of learners");
  for (std::size_t i = 0; i < slots.shape(0); ++i)
    if (slots.data()[i] >= table || (i > 0 && slots.data()[i] <= slots.data()[i - 1]))
      throw std::invalid_argument("the state's `slots` are not ascending slots of the table");
  if (!std::all_of(runs.data(), runs.data() + runs.size(), [](float v) { return std::fabs(v) <= FLT_MAX; }))
    throw std::invalid_argument("the state's `runs` are not finite");
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (i % size >= learners && runs.data()[i] < 0.0f)
      throw std::invalid_argument("the state's `runs` are below 0 in a word that is no weight");
  std::vector<In<double>> columns;
  for (const char* field : kernel.fields()) {
    columns.push_back(item<In<double>>(totals, field));
    if (columns.back().shape(0) != learners)
      throw std::invalid_argument("the state's `totals` are not one per learner");
  }
  for (std::size_t k = 0; k < learners; ++k) {
    std::vector<double> own;
    for (const auto& column : columns) own.push_back(column.data()[k]);
    if (!kernel.sound(own)) throw std::invalid_argument("the state's `totals` are not such as learning leads to");
  }

  features.clear();
  for (std::size_t i = 0; i < names.size(); ++i) features.slot_or_new(keys.data()[i], names[i]);
  features.note(key_bits);
  kernel.reset(features.slots(), learners);
  for (std::size_t i = 0; i < slots.shape(0); ++i) kernel.write_run(slots.data()[i], runs.data() + i * size);
  for (std::size_t f = 0; f < fields; ++f)
    for (std::size_t k = 0; k < learners; ++k) kernel.totals()[k * fields + f] = columns[f].data()[k];
}

// The weights of the slots of some keys, one row per key, and below them the intercept's; 0 for what was never met.
Out2<double> weights_of(const PyModel& self, In<std::uint64_t> keys) {
  const Locked locked(*self.mutex);
  const std::size_t K = self.model.learners();
  std::vector<double> out;
  for (std::size_t i = 0; i < keys.shape(0); ++i) {
    const std::uint32_t slot = self.model.features().slot(keys.data()[i]);
    for (std::size_t k = 0; k < K; ++k)
      out.push_back(slot == Features::absent ? 0.0 : self.model.kernel().weight(slot, k));
  }
  const Features& features = self.model.features();
  for (std::size_t k = 0; k < K; ++k)
    out.push_back(features.intercept() ? self.model.kernel().weight(features.intercept_slot(), k) : 0.0);
  return to_numpy(std::move(out), keys.shape(0) + 1, K);
}

// Slots with a non-zero weight, ascending, the weights, and the names that are known.
nb::tuple weights(const PyModel& self) {
  const Locked locked(*self.mutex);
  const Linear& kernel = self.model.kernel();
  const std::size_t K = kernel.learners();
  std::vector<std::uint32_t> slots;
  std::vector<float> run(kernel.words() * K);
  std::vector<double> out;
  for (std::size_t slot = 0; slot < kernel.slots(); ++slot) {
    if (!kernel.read_run(slot, run.data())) continue;
    bool any = false;
    for (std::size_t k = 0; k < K; ++k) any = any || kernel.weight(slot, k) != 0.0;
    if (!any) continue;
    slots.push_back(static_cast<std::uint32_t>(slot));
    for (std::size_t k = 0; k < K; ++k) out.push_back(kernel.weight(slot, k));
  }
  const std::size_t n = slots.size();
  return nb::make_tuple(to_numpy(std::move(slots)), to_numpy(std::move(out), n, K), names_of(self.model.features()));
}

template <class Rule>
void def_init(nb::class_<PyModel>& cls) {
  cls.def(
      "__init__",
      [](PyModel* self, const Rule& rule, const PyLoss& loss, const Layout& layout, LabelKind labels, bool many) {
        new (self) PyModel(PyModel::make(rule, loss.any, layout, labels, many));
      },
      "rule"_a, "loss"_a, "layout"_a, "labels"_a, "many"_a = false);
}

}  // namespace

static const afterwit::Announced announced("linear", [](nb::module_& m) {
  nb::class_<PerceptronRule>(m, "PerceptronRule").def(nb::init<>());
  nb::class_<GradientDescentRule>(m, "GradientDescentRule")
      .def(
          "__init__",
          [](GradientDescentRule* self, double rate, double radius) {
            new (self) GradientDescentRule{{}, rate, radius};
          },
          "rate"_a, "radius"_a);
  nb::class_<PegasosRule>(m, "PegasosRule")
      .def("__init__", [](PegasosRule* self, double strength) { new (self) PegasosRule{{}, strength}; }, "strength"_a);
  nb::class_<AdaGradRule>(m, "AdaGradRule")
      .def("__init__", [](AdaGradRule* self, double rate) { new (self) AdaGradRule{{}, rate}; }, "rate"_a);
  nb::class_<NormalizedAdaGradRule>(m, "NormalizedAdaGradRule")
      .def(
          "__init__", [](NormalizedAdaGradRule* self, double rate) { new (self) NormalizedAdaGradRule{{}, rate}; },
          "rate"_a);

  nb::enum_<LabelKind>(m, "Labels")
      .value("real", LabelKind::real)
      .value("binary", LabelKind::binary)
      .value("classes", LabelKind::classes);

  nb::class_<PyModel> cls(m, "Linear", "Linear learners over one table of weights.");
  def_init<PerceptronRule>(cls);
  def_init<GradientDescentRule>(cls);
  def_init<PegasosRule>(cls);
  def_init<AdaGradRule>(cls);
  def_init<NormalizedAdaGradRule>(cls);
  cls.def("predict_one", &predict_one, "x"_a.none(), nb::sig("def predict_one(self, x: object) -> float"),
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
           "weight"_a.none() = nb::none(), "Learns the rows of a CSR matrix in place, without names.")
      .def(
          "add_learners",
          [](PyModel& self, std::size_t n) {
            const Locked locked(*self.mutex);
            self.model.kernel().grow(self.model.features().slots(), self.model.learners() + n);
          },
          "n"_a)
      .def("native_state", &state)
      .def("set_native_state", &set_state, "state"_a, "learners"_a)
      .def("weights", &weights)
      .def("weights_of", &weights_of, "keys"_a)
      .def_prop_ro("learners", [](const PyModel& self) { return self.model.learners(); })
      .def_prop_ro("slots_are_indices", [](const PyModel& self) { return self.model.features().slots_are_indices(); })
      .def_prop_ro("intercept_slot", [](const PyModel& self) { return self.model.features().intercept_slot(); });
});
