"""What hindsight calls exact."""

LINEAR = "src/afterwit/regret/linear.py"
NEWTON = "src/afterwit/regret/newton.py"
EXACT = "tests/learning/test_hindsight_exact.py"
EARLY = "tests/regret/test_linear.py::test_an_end_before_the_best_is_not_called_exact"

MUTANTS = [
    (LINEAR, "PENALTY = 1e-12", "PENALTY = 1e-6", f"{EXACT}::test_it_is_least_squares"),
    (
        LINEAR,
        "np.maximum(np.resize(moments.squares, size), 1e-290)",
        "np.ones(size)",
        f"{EXACT}::test_it_is_least_squares",
    ),
    (
        LINEAR,
        "+ moved <= 1e-6 * self.loss",
        "<= 1e-6 * self.loss",
        f"{EXACT}::test_what_rounding_hides_is_not_called_exact",
    ),
    (LINEAR, "self.least - self.at_least + moved", "moved", EARLY),
    (LINEAR, "self.loss <= 1e-10 * self.first", "self.loss <= self.first", EARLY),
    (LINEAR, " + 0.5 * m * (self.radius**2 - float(u @ u))", "", EARLY),
    (
        LINEAR,
        "return 0.5 * float(g @ (g / (self.penalty + m)))",
        "return 1e-9 * float(g @ (g / (self.penalty + m)))",
        EARLY,
    ),
    (LINEAR, "v = stationary(lambda v: objective(v)[1], v)", "pass", f"{EXACT}::test_it_is_least_squares"),
    (
        LINEAR,
        "gradient - 0.9 * self.penalty * self.at",
        "gradient",
        f"{EXACT}::test_what_rounding_hides_is_not_called_exact",
    ),
    (NEWTON, "gap <= 1e-9 * value or", "True or", f"{EXACT}"),
    (NEWTON, "-gradient - multiplier * u", "-gradient", "tests/regret/test_newton.py"),
    (
        "src/afterwit/learning/hindsight.py",
        "exact=found.exact",
        "exact=True",
        f"{EXACT}::test_what_rounding_hides_is_not_called_exact",
    ),
    (
        "src/afterwit/regret/linear.py",
        "self.width = self.loss / self.moments.weight",
        "self.width = self.loss",
        "tests/learning/test_hindsight.py::test_importance_in_any_unit",
    ),
]
