"""`learn_many` on a CSR matrix with plain gradient descent."""

from __future__ import annotations

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.data import made
from benchmarks.measure import Command, Side, python


def _as_it_comes(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(sizes, 4096, "sklearn_as_it_comes")


def _batches(sizes: Sizes) -> tuple[Side, Side]:
    return _sides(sizes, 4096)


def _sides(sizes: Sizes, batch: int = 0, peer: str = "sklearn") -> tuple[Side, Side]:
    file = made("csr", sizes.csr, sizes.folder) / "rows.npz"

    def command(side: str, passes: int) -> Command:
        return python(f"benchmarks.sides.csr_{side}", file, passes, batch)

    # No pass at all learns the first row alone, after loading all of them.
    ours = Side(command("afterwit", sizes.csr_passes), command("afterwit", 0))
    return ours, Side(command(peer, sizes.csr_passes), command(peer, 0))


def _rows(sizes: Sizes) -> int:
    return sizes.csr * sizes.csr_passes


PEER = ("SGDClassifier.partial_fit", ("scikit-learn",))
BARE = ("the same steps, one thread", ("scikit-learn",))
BATCHES = Benchmark(
    "csr", "CSR in batches of 4,096 rows, gradient descent", *PEER, 4.0, 6.0, _rows, Beside(_as_it_comes)
)
BARE_BATCHES = Benchmark("csr-bare", "the same batches", *BARE, None, None, _rows, Beside(_batches))
AT_ONCE = Benchmark("csr-at-once", "CSR in one call, gradient descent", *BARE, 1.2, 1.5, _rows, Beside(_sides))
