"""Mutants of the dense learners."""

NEAREST, NEIGHBOURS = "core/dense/nearest_rows.hpp", "core/dense/neighbours.hpp"
SPECIMEN, CLASSES = "tests/dense/specimens/test_neighbours.py", "tests/dense/test_classes.py"
ROLLING = "tests/dense/specimens/test_rolling_trees.py"
FORMULA = f"{CLASSES}::test_it_is_its_formula"
NEWTON, NETWORK, TREES = (f"core/dense/class_{name}.hpp" for name in ("newton", "network", "trees"))
BEHIND = "tests/storage/test_hostile.py::test_a_column_whose_slot_is_behind_the_table_is_refused"
MUTANTS = [
    (
        NEAREST,
        "distance[b * block + l] <= last",
        "distance[b * block + l] < last",
        f"{SPECIMEN}::test_many_ties",
    ),
    (
        NEAREST,
        "own[i] < own[l]",
        "own[i] <= own[l]",
        "tests/dense/test_dense.py::test_it_is_its_formula",
    ),
    (
        NEAREST,
        "return odd != 0;",
        "return false;",
        f"{SPECIMEN}::test_differences_that_no_float_holds",
    ),
    (
        NEAREST,
        "shrinks && size_ == window_of(columns_)",
        "false",
        f"{SPECIMEN}::test_a_window_that_shrinks",
    ),
    (
        NEIGHBOURS,
        "others += w * (1.0 - y);",
        "others = sum - labels;",
        f"{SPECIMEN}::test_importances_of_any_size",
    ),
    *(
        (f"core/{name}.hpp", "columns_.sound(slots_)", "columns_.sound(SIZE_MAX)", f"{BEHIND}[{which}]")
        for name, which in (("dense/dense", "learner"), ("panel/panel", "panel"), ("panel/class_panel", "classes"))
    ),
    *(
        ("core/dense/tree_codes.hpp", *change, f"{ROLLING}::test_every_kind_of_cpu_has_the_same_bits")
        for change in (
            ("met.size() <= most_grades", "true"),
            ("(first_ + 1) % slots()", "first_ + 1"),
            (
                "_mm256_cmp_ps(_mm256_loadu_ps(grades), x, _CMP_LT_OQ)",
                "_mm256_cmp_ps(_mm256_loadu_ps(grades), x, _CMP_LE_OQ)",
            ),
            ("_mm256_adds_epu8(within, _mm256_set1_epi8(0x70))", "_mm256_adds_epu8(within, _mm256_set1_epi8(0x60))"),
            ("_mm256_set1_epi8(half)", "_mm256_set1_epi8(half / 2)"),
        )
    ),
    (NEWTON, "(1.0 - squares) / 2.0", "1.0 - squares", FORMULA),
    (NEWTON, "(p_[y] - 1.0) / s", "p_[y] / s - 1.0", FORMULA),
    (NEWTON, "m_[c] < 50.0 ? m_[c] : 50.0", "m_[c] < 5.0 ? m_[c] : 5.0", FORMULA),
    ("core/numeric/rank_one.hpp", "held < zero + first", "held < zero", FORMULA),
    (
        "core/dense/newton_matrix.hpp",
        "1e9 * (1.0 + rho_) / lambda_",
        "1e308",
        f"{CLASSES}::test_forged_states_are_refused",
    ),
    (NETWORK, "c == y ? p_[c] - 1.0 : p_[c]", "p_[c] - (c == y && y > 0 ? 1.0 : 0.0)", FORMULA),
    (NETWORK, "layer_.learn(adam, row.d);", "", FORMULA),
    (
        "core/dense/class_neighbours.hpp",
        "0.1 / static_cast<double>(classes_)",
        "0.1",
        f"{CLASSES}::test_neighbours_by_hand",
    ),
    (
        "core/dense/class_neighbours.hpp",
        "is_count(v) && v < static_cast<double>(classes_)",
        "is_count(v)",
        f"{CLASSES}::test_forged_states_are_refused",
    ),
    (TREES, "variance > 1e-6 ? variance : 1e-6", "1.0", FORMULA),
    (TREES, "forest_.builds() == 0.0 ? 0.5 : 0.3", "0.3", FORMULA),
    (TREES, "std::fabs(sum) == static_cast<double>(classes_)", "false", FORMULA),
    (TREES, "penalty * (C - 1.0) / (C * C)", "penalty / C", FORMULA),
    (TREES, "slope[l] * (1.0 - own[c * block + l])", "slope[l]", FORMULA),
    (TREES, "std::max(4.0, static_cast<double>(window_.rows() / 32))", "4.0", FORMULA),
    (TREES, "classes_ > 1", "true", f"{CLASSES}::test_one_class_only"),
    ("core/dense/forest.hpp", "most_ * rows / window", "most_", FORMULA),
    ("core/dense/forest.hpp", "std::min(least, most_)", "std::min<std::size_t>(20, most_)", FORMULA),
    ("core/dense/forest.hpp", "node.threshold != Splits::none", "true", f"{ROLLING}::test_a_tree_that_is_not_split"),
    (
        "core/dense/tree_window.hpp",
        "t_ == static_cast<double>(sure) && window_ > sure",
        "false",
        f"{ROLLING}::test_a_long_window_has_two_million_numbers",
    ),
    (
        "core/dense/tree_window.hpp",
        "static_cast<double>(decided ? sure : window_)",
        "0.0",
        f"{ROLLING}::test_a_window_that_no_columns_lead_to_is_refused",
    ),
    (
        "core/dense/tree_growth.hpp",
        "(unit_g_ / unit_h_) * unit_g_",
        "1.0",
        f"{ROLLING}::test_the_first_gain_by_hand",
    ),
    (
        "core/dense/class_table.hpp",
        "std::copy_n(row(i), stride(), wide.row(i));",
        "std::copy_n(row(i), 1, wide.row(i));",
        f"{FORMULA}_as_more_and_more_classes_come",
    ),
    (
        "core/dense/class_learner.hpp",
        "classes <= static_cast<double>(member_->most_classes())",
        "true",
        f"{CLASSES}::test_forged_states_are_refused",
    ),
]
