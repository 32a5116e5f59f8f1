"""`learn_many` on a CSR matrix with plain gradient descent."""

from __future__ import annotations

from benchmarks.benchmark import Benchmark, Sizes, beside
from benchmarks.data import made
from benchmarks.measure import Command, Side, python


def _batches(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(sizes, 4096)


def _sides(sizes: Sizes, batch: int = 0) -> tuple[Side, Side]:
    file = made("csr", sizes.csr, sizes.folder) / "rows.npz"

    def command(side: str, passes: int) -> Command:
        return python(f"benchmarks.sides.csr_{side}", file, passes, batch)

    # No pass at all learns the first row alone, after loading all of them.
    ours = Side(command("afterwit", sizes.csr_passes), command("afterwit", 0))
    return ours, Side(command("sklearn", sizes.csr_passes), command("sklearn", 0))


def _rows(sizes: Sizes) -> int:
    return sizes.csr * sizes.csr_passes


PEER = ("SGDClassifier.partial_fit", ("scikit-learn",))
BATCHES = Benchmark("csr", "CSR in batches of 4,096 rows, gradient descent", *PEER, 4.0, 6.0, _rows, beside(_batches))
CSR = Benchmark("csr-at-once", "CSR in one call, gradient descent", *PEER, None, None, _rows, beside(_sides))
