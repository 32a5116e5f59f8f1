"""All benchmarks, in the order of the table."""

from benchmarks.csr import CSR
from benchmarks.dicts import DICTS
from benchmarks.numeric_text import DENSE, GZIP, SPARSE

BENCHMARKS = [SPARSE, DENSE, GZIP, CSR, DICTS]
