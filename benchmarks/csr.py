"""`learn_many` on a CSR matrix with plain gradient descent."""

from __future__ import annotations

from benchmarks.benchmark import Benchmark, Sizes
from benchmarks.data import made
from benchmarks.measure import Command, Side, python


def _sides(sizes: Sizes) -> tuple[Side, Side]:
    file = made("csr", sizes.csr, sizes.folder) / "rows.npz"

    def command(side: str, passes: int) -> Command:
        return python(f"benchmarks.sides.csr_{side}", file, passes)

    # No pass at all learns the first row alone, after loading all of them.
    ours = Side(command("afterwit", sizes.csr_passes), command("afterwit", 0))
    return ours, Side(command("sklearn", sizes.csr_passes), command("sklearn", 0))


def _rows(sizes: Sizes) -> int:
    return sizes.csr * sizes.csr_passes


CSR = Benchmark(
    "csr", "`learn_many` on CSR, gradient descent", "SGDClassifier.partial_fit", "scikit-learn", 4.0, 6.0, _rows, _sides
)
