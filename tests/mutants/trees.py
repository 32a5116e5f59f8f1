"""Mutants of the trees and graphs of experts."""

EXPERTS, PRUNING = "core/trees/tree_experts.hpp", "src/afterwit/regret/pruning.py"
TREES, TEMPLATES = "tests/trees/test_trees.py", "tests/trees/test_templates.py"
GIVEN, ITSELF = (
    f"{TREES}::test_a_given_template_is_its_formula",
    f"{TREES}::test_a_tree_that_makes_itself_is_its_formula",
)
FORGED, LINEAR = f"{TREES}::test_forged_states_are_refused", f"{TREES}::test_learners_as_nodes"
BEST = "tests/regret/test_pruning.py::test_it_is_the_best_of_all"
BOUND = "tests/regret/test_pruning.py::test_the_bound_is_the_one_over_subsets"
MUTANTS = [
    (EXPERTS, "edge.R += r;", "edge.R -= r;", GIVEN),
    (EXPERTS, "edge.C += std::fabs(r);", "edge.C += r > 0.0 ? r : 0.0;", GIVEN),
    (EXPERTS, "!larger", "true", GIVEN),
    (EXPERTS, "most > -least ? most : -least", "most", GIVEN),
    (EXPERTS, "unlearned_ += most;", "", GIVEN),
    (EXPERTS, "unit_ == 0.0", "true", GIVEN),
    (EXPERTS, "i == 0 ? 0.0 : said_[i - 1]", "0.0", GIVEN),
    (EXPERTS, "(a[i] + 0.5) / (b[i] + 0.5)", "(a[i] + 1.0) / (b[i] + 1.0)", GIVEN),
    (EXPERTS, "R[i] > -1.0 ? R[i] : -1.0", "R[i]", GIVEN),
    (EXPERTS, "largest > vector::largest", "false", f"{TREES}::test_a_state_beyond_what_exponentials_hold"),
    (EXPERTS, "low < own && own < high", "low < own || own < high", ITSELF),
    (EXPERTS, "(first + k) % met.size()", "(first + k + 1) % met.size()", ITSELF),
    (EXPERTS, "template_->grows() && path_[i - 1].is_new", "false", ITSELF),
    (EXPERTS, "std::fabs(e.R) <= e.C * (1.0 + 1e-6)", "std::isfinite(e.R)", FORGED),
    (EXPERTS, "e.C <= unit_ * rows_ * (1.0 + 1e-6)", "std::isfinite(e.C)", FORGED),
    (EXPERTS, "node.test.feature < tested", "true", FORGED),
    (
        "core/trees/template.hpp",
        "static_cast<double>(x[feature]) <= threshold",
        "static_cast<double>(x[feature]) < threshold",
        GIVEN,
    ),
    ("core/trees/tested.hpp", "high_[j] = std::max(high_[j], x_[j]);", "", ITSELF),
    ("core/trees/node_learners.hpp", "if (is_new) look(node, row, columns);", "", LINEAR),
    ("core/trees/trees.hpp", "columns_.learn();", "", LINEAR),
    (
        "core/learners/model_state_bind.cpp",
        "keys.data()[i] != features.keys()[i] || names[i] != features.names()[i]",
        "false",
        f"{TREES}::test_a_name_is_tested_before_it_was_met",
    ),
    (PRUNING, "inner[e] and below[e] < loss[e]", "inner[e] and below[e] <= loss[e]", BEST),
    (PRUNING, "0.0 if e == 0 else math.inf)", "0.0)", BEST),
    (PRUNING, "3.0 * m * unit", "3.0 * unit", BOUND),
    (PRUNING, "np.log(sums + unit) - math.log(start)", "np.log1p(sums / unit)", BOUND),
    ("src/afterwit/trees/templates.py", "if len(order) < size:", "if False:", f"{TEMPLATES}::test_what_is_no_graph"),
    (
        "src/afterwit/trees/templates.py",
        "if (parents[1:] == 0).any():",
        "if False:",
        f"{TEMPLATES}::test_what_is_no_tree",
    ),
]
