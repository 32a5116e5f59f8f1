#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "learners/model_bind.hpp"
#include "python/announced.hpp"
#include "python/state.hpp"
#include "trees/trees.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

TreesRule rule(In<std::int64_t> feature, In<double> threshold, In<std::int64_t> below, In<std::int64_t> above,
               std::vector<std::uint64_t> keys, std::vector<std::string> names, bool shares,
               std::shared_ptr<LearningRule> node) {
  const std::size_t n = feature.shape(0);
  if (threshold.shape(0) != n || below.shape(0) != n || above.shape(0) != n || names.size() != keys.size())
    throw std::invalid_argument("the template's arrays are not equally long");
  const auto index = [](std::int64_t i) {
    return i >= 0 && i < 0xFFFFFFFFll ? static_cast<std::uint32_t>(i) : Test::none;
  };
  std::vector<Template::Node> nodes(n);
  for (std::size_t i = 0; i < n; ++i)
    nodes[i] = {{index(feature.data()[i]), threshold.data()[i]}, {index(below.data()[i]), index(above.data()[i])}};
  auto given = std::make_shared<Template>(std::move(nodes), keys.size(), shares);
  return {std::move(given), std::move(keys), std::move(names), 0, std::move(node)};
}

Trees& trees_of(PyModel& model) {
  auto* found = dynamic_cast<Trees*>(&model.model.learners());
  if (found == nullptr) throw std::invalid_argument("the model has no trees");
  return *found;
}

// What tree k has learned, and the bytes that all trees hold.
nb::tuple tree_view(PyModel& model, std::size_t k) {
  const Locked locked(*model.mutex);
  Trees& trees = trees_of(model);
  if (k >= trees.learners()) throw std::invalid_argument("there is no such tree");
  StateWriter writer;
  trees.tree(k).visit(writer, 0);
  return nb::make_tuple(writer.written(), trees.bytes());
}

}  // namespace

static const Announced announced("trees", [](nb::module_& m) {
  nb::class_<TreesRule, LearningRule>(m, "TreesRule");
  m.def("template_rule", &rule, "feature"_a, "threshold"_a, "below"_a, "above"_a, "keys"_a, "names"_a, "shares"_a,
        "node"_a.none() = nb::none(), "Experts over a given tree or graph, whose nodes have learners if one is given.");
  m.def(
      "grown_rule",
      [](std::size_t depth, std::uint64_t seed, std::shared_ptr<LearningRule> node) {
        return TreesRule(std::make_shared<Template>(depth), {}, {}, seed, std::move(node));
      },
      "depth"_a, "seed"_a, "node"_a.none() = nb::none(), "The same over a tree that the rows themselves make.");
  m.def("tree_view", &tree_view, "model"_a, "tree"_a = 0);
});
