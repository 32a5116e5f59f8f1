"""Mutants of the faces that scikit-learn and River know."""

RIVER, SKLEARN = "tests/faces/test_river.py::", "tests/faces/test_sklearn.py::"
MUTANTS = [
    (
        "src/afterwit/river.py",
        "return x if sorted_names == names else {name: x[name] for name in sorted_names}",
        "return x",
        RIVER + "test_the_order_of_names_plays_no_part_to_the_bit",
    ),
    (
        "src/afterwit/river.py",
        "return X[_in_order(X.columns)] if self._sorts else X",
        "return X",
        RIVER + "test_many_rows_are_single_rows_to_the_bit",
    ),
    (
        "src/afterwit/river.py",
        "counts = bool(found) and (w is None or bool(np.any(w)))",
        "counts = True",
        RIVER + "test_a_row_that_is_refused_or_has_no_weight_decides_nothing",
    ),
    (
        "src/afterwit/river.py",
        "if self._codes and (self._two or self.classes):",
        "if self._codes and self._two:",
        RIVER + "test_more_names_are_all_classes_there_are",
    ),
    (
        "src/afterwit/river.py",
        "before = self.learner, dict(self._codes), self._two",
        "before = self.learner, self._codes, self._two",
        RIVER + "test_a_row_that_is_refused_or_has_no_weight_decides_nothing",
    ),
    (
        "src/afterwit/sklearn/face.py",
        "h = rows.part(where), None if weight is None else weight[where]",
        "h = rows.part(where), None if weight is None else weight[: len(y[where])]",
        SKLEARN + "test_weights_are_weights_of_the_learner",
    ),
    (
        "src/afterwit/sklearn/face.py",
        "bits = 18 if is_table(X) else bits_for(X.shape[1])",
        "bits = 18",
        SKLEARN + "test_every_column_has_a_slot_of_its_own",
    ),
    (
        "src/afterwit/sklearn/face.py",
        "if self._words or told.interactions or told.text or told.dates or told.categorical:",
        "if told.interactions or told.text or told.dates or told.categorical:",
        SKLEARN + "test_where_there_are_no_weights_by_column_it_says_why",
    ),
    (
        "src/afterwit/sklearn/rows.py",
        "keys=keys_of(names)[columns],",
        "keys=batch.keys,",
        SKLEARN + "test_what_was_taught_by_names_takes_arrays",
    ),
    (
        "src/afterwit/sklearn/rows.py",
        "max(values.max(), -values.min()) > LARGEST",
        "values.max() > LARGEST",
        SKLEARN + "test_what_is_wrong_is_said",
    ),
    (
        "src/afterwit/sklearn/rows.py",
        "(columns - 1).bit_length()",
        "columns.bit_length()",
        SKLEARN + "test_every_column_has_a_slot_of_its_own",
    ),
    (
        "src/afterwit/sklearn/classifier.py",
        "X, y = self._checked(X, y, reset=not goes_on)",
        "X, y = self._checked(X, y, reset=True)",
        SKLEARN + "test_what_is_wrong_is_said",
    ),
    (
        "src/afterwit/sklearn/classifier.py",
        "weights(each if weight is None else each * weight, len(y))",
        "weights(each, len(y))",
        SKLEARN + "test_weights_of_classes_are_weights_of_rows",
    ),
    (
        "src/afterwit/learning/pieces.py",
        "at = np.repeat(batch.starts[:-1][rows] - starts[:-1], counts)",
        "at = np.repeat(batch.starts[:-1] - starts[:-1], counts)",
        SKLEARN + "test_shuffling_is_by_its_seed_and_anew_in_every_pass",
    ),
    (
        "src/afterwit/learning/chosen.py",
        "again.decide(labels)",
        "again.decide(Labels(labels.kind))",
        SKLEARN + "test_the_first_part_may_lack_a_class",
    ),
]
