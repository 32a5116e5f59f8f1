// What a model has learned, as plain data of Python and back, and its weights.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "learners/model_bind.hpp"
#include "python/announced.hpp"
#include "python/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// The slots with any non-zero word, in ascending order, and their runs.
void write_runs(const Learners& learners, nb::dict& out) {
  const std::size_t size = learners.words() * learners.learners();
  std::vector<std::uint32_t> slots;
  std::vector<float> runs, run(size);
  for (std::size_t slot = 0; slot < learners.slots(); ++slot) {
    if (!learners.read_run(slot, run.data())) continue;
    slots.push_back(static_cast<std::uint32_t>(slot));
    runs.insert(runs.end(), run.begin(), run.end());
  }
  const std::size_t n = slots.size();
  out["slots"] = to_numpy(std::move(slots));
  out["runs"] = to_numpy(std::move(runs), n, size);
}

nb::list names_of(const Features& features) {
  nb::list names;
  for (const std::string& name : features.names()) names.append(text_of(name));
  return names;
}

nb::dict state(PyModel& self) {
  const Locked locked(*self.mutex);
  const Features& features = self.model.features();
  nb::dict out;
  write_runs(self.model.learners(), out);
  StateWriter totals;
  self.model.learners().visit(totals);
  out["totals"] = totals.written();
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

using RunsIn = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Refuses slots and runs that no learning leads to.
void check_runs(const Learners& learners, In<std::uint32_t> slots, const RunsIn& runs) {
  const std::size_t K = learners.learners(), size = learners.words() * K;
  if (runs.shape(0) != slots.shape(0) || runs.shape(1) != size)
    throw std::invalid_argument("the state's `runs` do not fit its `slots` and the number of learners");
  for (std::size_t i = 0; i < slots.shape(0); ++i)
    if (slots.data()[i] >= learners.slots() || (i > 0 && slots.data()[i] <= slots.data()[i - 1]))
      throw std::invalid_argument("the state's `slots` are not ascending slots of the table");
  if (!std::all_of(runs.data(), runs.data() + runs.size(), [](float v) { return std::fabs(v) <= FLT_MAX; }))
    throw std::invalid_argument("the state's `runs` are not finite");
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!learners.is_possible(i % size / K, runs.data()[i]))
      throw std::invalid_argument("the state's `runs` have a number that learning does not lead to");
}

// Whatever was learned before is forgotten. Everything is checked before anything changes.
void set_state(PyModel& self, const nb::dict& state, std::size_t learners) {
  const Locked locked(*self.mutex);
  Features& features = self.model.features();
  const auto keys = item<In<std::uint64_t>>(state, "keys");
  const auto names = names_in(item<nb::list>(state, "names"), keys, features.exact());
  for (std::size_t i = 0; i < self.asked; ++i)
    if (i >= names.size() || keys.data()[i] != features.keys()[i] || names[i] != features.names()[i])
      throw std::invalid_argument("the state's `names` do not begin with those that the model asks for");
  const auto key_bits = item<std::uint64_t>(state, "key_bits");
  const auto slots = item<In<std::uint32_t>>(state, "slots");
  const auto runs = item<RunsIn>(state, "runs");
  const auto totals = item<nb::dict>(state, "totals");
  auto learned = self.model.learners().fresh(features.exact() ? names.size() + 1 : features.slots(), learners);
  check_runs(*learned, slots, runs);
  StateReader reader(totals);
  learned->visit(reader);
  if (!learned->sound()) throw std::invalid_argument("the state's `totals` are not such as learning leads to");
  for (std::size_t i = 0; i < slots.shape(0); ++i) learned->write_run(slots.data()[i], runs.data() + i * runs.shape(1));

  features.clear();
  for (std::size_t i = 0; i < names.size(); ++i) features.slot_or_new(keys.data()[i], names[i]);
  features.note(key_bits);
  self.model.set_learners(std::move(learned));
}

// The weights of the slots of some keys, one row per key, and below them the intercept's; 0 for what was never met.
Out2<double> weights_of(const PyModel& self, In<std::uint64_t> keys) {
  const Locked locked(*self.mutex);
  const Learners& learners = self.model.learners();
  const std::size_t K = learners.learners();
  std::vector<double> out;
  for (std::size_t i = 0; i < keys.shape(0); ++i) {
    const std::uint32_t slot = self.model.features().slot(keys.data()[i]);
    for (std::size_t k = 0; k < K; ++k) out.push_back(slot == Features::absent ? 0.0 : learners.weight(slot, k));
  }
  const Features& features = self.model.features();
  for (std::size_t k = 0; k < K; ++k)
    out.push_back(features.intercept() ? learners.weight(features.intercept_slot(), k) : 0.0);
  return to_numpy(std::move(out), keys.shape(0) + 1, K);
}

// The slots of some keys; -1 for a name that was never met.
Out<std::int64_t> slots_of(const PyModel& self, In<std::uint64_t> keys) {
  const Locked locked(*self.mutex);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < keys.shape(0); ++i) {
    const std::uint32_t slot = self.model.features().slot(keys.data()[i]);
    out.push_back(slot == Features::absent ? -1 : static_cast<std::int64_t>(slot));
  }
  return to_numpy(std::move(out));
}

// Slots with a non-zero weight, ascending, the weights, and the names that are known.
nb::tuple weights(const PyModel& self) {
  const Locked locked(*self.mutex);
  const Learners& learners = self.model.learners();
  const std::size_t K = learners.learners();
  std::vector<std::uint32_t> slots;
  std::vector<double> out;
  const auto add = [&](std::size_t slot) {
    if (!learners.touched(slot)) return;
    bool any = false;
    for (std::size_t k = 0; k < K; ++k) any = any || learners.weight(slot, k) != 0.0;
    if (!any) return;
    slots.push_back(static_cast<std::uint32_t>(slot));
    for (std::size_t k = 0; k < K; ++k) out.push_back(learners.weight(slot, k));
  };
  for (std::size_t slot = 0; slot < learners.slots(); ++slot) add(slot);
  const Features& features = self.model.features();
  if (features.intercept() && features.intercept_slot() >= learners.slots()) add(features.intercept_slot());
  const std::size_t n = slots.size();
  return nb::make_tuple(to_numpy(std::move(slots)), to_numpy(std::move(out), n, K), names_of(self.model.features()));
}

}  // namespace

static const afterwit::Announced announced("learners/model_state", [](nb::module_&) {
  nb::borrow<nb::class_<PyModel>>(nb::type<PyModel>())
      .def("native_state", &state)
      .def("set_native_state", &set_state, "state"_a, "learners"_a)
      .def("weights", &weights)
      .def("slots_of", &slots_of, "keys"_a)
      .def("weights_of", &weights_of, "keys"_a);
});
