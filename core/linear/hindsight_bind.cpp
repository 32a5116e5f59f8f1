#include <nanobind/stl/optional.h>

#include <optional>
#include <vector>

#include "learners/model_bind.hpp"
#include "linear/hindsight.hpp"
#include "losses/loss_bind.hpp"
#include "python/announced.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

Out<double> trace(Hindsight& self, PyModel& bound, In<std::uint64_t> keys, In<double> values, In<std::int64_t> starts,
                  In<double> y, std::optional<In<double>> weight, std::optional<nb::list> names,
                  std::optional<In<std::uint64_t>> groups) {
  const NameViews known = views_of(names);
  RowsView rows = view(keys, values, starts, known.views);
  if (groups) rows.groups = {groups->data(), groups->shape(0)};
  const Locked locked(*bound.mutex);
  if (bound.model.learners().learners() != 1) throw std::invalid_argument("there are several learners, expected one");
  std::vector<double> raw(rows.starts.empty() ? 0 : rows.size());
  {
    const WithoutGil unlocked;
    self.trace(bound.model, rows, {y.data(), y.shape(0)}, span_of(weight), raw.data());
  }
  return to_numpy(std::move(raw));
}

using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Adds to the gradient and the Hessian in place; returns the loss of u and its rounded loss.
nb::tuple add_loss(const Hindsight& self, PyModel& bound, In<std::uint64_t> keys, In<double> values,
                   In<std::int64_t> starts, In<double> y, std::optional<In<double>> weight,
                   std::optional<In<std::uint64_t>> groups, double width, In<double> u,
                   nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> gradient,
                   std::optional<Square> hessian) {
  RowsView rows = view(keys, values, starts);
  if (groups) rows.groups = {groups->data(), groups->shape(0)};
  if (u.shape(0) != self.slots.size() || gradient.shape(0) != self.slots.size())
    throw std::invalid_argument("u and its gradient must have one entry per feature that was met");
  if (hessian && (hessian->shape(0) != self.slots.size() || hessian->shape(1) != self.slots.size()))
    throw std::invalid_argument("the Hessian must have one row and one column per feature that was met");
  const Locked locked(*bound.mutex);
  double totals[2] = {};
  {
    const WithoutGil unlocked;
    bound.model.check_rows(rows);
    bound.model.check_labels(rows.size(), {y.data(), y.shape(0)}, span_of(weight), 0);
    self.add(bound.model, rows, {y.data(), y.shape(0)}, span_of(weight), width, {u.data(), u.shape(0)}, totals,
             {gradient.data(), gradient.shape(0)}, hessian ? hessian->data() : nullptr);
  }
  return nb::make_tuple(totals[0], totals[1]);
}

}  // namespace

static const afterwit::Announced announced("linear/hindsight", [](nb::module_& m) {
  const auto column = [](std::vector<double> Hindsight::* field) {
    return [field](const Hindsight& self) { return to_numpy(std::vector<double>(self.*field)); };
  };
  nb::class_<Hindsight>(m, "Hindsight", "The loss of a fixed linear predictor on rows that are read again.")
      .def(
          "__init__", [](Hindsight* self, const PyLoss& loss) { new (self) Hindsight(loss.any); }, "loss"_a)
      .def("trace", &trace, "model"_a, "keys"_a, "values"_a, "starts"_a, "y"_a, "weight"_a.none(), "names"_a.none(),
           "groups"_a.none(), "Lets a learner learn the rows and notes what the theorems ask for; its predictions.")
      .def("add_loss", &add_loss, "model"_a, "keys"_a, "values"_a, "starts"_a, "y"_a, "weight"_a.none(),
           "groups"_a.none(), "width"_a, "u"_a, "gradient"_a.noconvert(), "hessian"_a.noconvert().none() = nb::none(),
           "The loss of u on the rows, and with kinks rounded; adds the gradient and the Hessian of the latter.")
      .def_prop_ro(
          "slots", [](const Hindsight& self) { return to_numpy(std::vector<std::uint32_t>(self.slots)); },
          nb::rv_policy::move)
      .def_prop_ro("sums", column(&Hindsight::sums), nb::rv_policy::move)
      .def_prop_ro("squares", column(&Hindsight::squares), nb::rv_policy::move)
      .def_prop_ro("gradient_squares", column(&Hindsight::gradient_squares), nb::rv_policy::move)
      .def_prop_ro("low", column(&Hindsight::low), nb::rv_policy::move)
      .def_prop_ro("high", column(&Hindsight::high), nb::rv_policy::move)
      .def_ro("rounds", &Hindsight::rounds)
      .def_ro("reach", &Hindsight::reach)
      .def_ro("gradient", &Hindsight::gradient)
      .def_ro("all_one", &Hindsight::all_one);
});
