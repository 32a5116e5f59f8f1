"""The bound of a stream of which only a part was learned is that of the part."""

from __future__ import annotations

import pytest

from afterwit.learning import learn
from afterwit.linear import AdaGrad
from afterwit.streams import read
from tests.linear.met import rows


@pytest.mark.parametrize("limit", [1, 30, 59])
def test_a_limit_inside_a_batch_counts_no_row_more(limit: int) -> None:
    X, y, _ = rows()
    found = learn(AdaGrad(loss="squared"), read(X, y), limit=limit).hindsight()
    alone = learn(AdaGrad(loss="squared"), read(X[:limit], y[:limit])).hindsight()
    assert (found.rows, found.loss) == (alone.rows, alone.loss)
    assert found.best_loss == pytest.approx(alone.best_loss, rel=1e-9)
    assert found.bound.value == pytest.approx(alone.bound.value, rel=1e-9)
