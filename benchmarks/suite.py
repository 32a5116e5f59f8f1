"""All benchmarks, in the order of the table."""

from benchmarks.csr import BATCHES, CSR
from benchmarks.dicts import DICTS
from benchmarks.experts import EXPERTS
from benchmarks.numeric_text import CACHE, DENSE, GZIP, SPARSE, WORDS

BENCHMARKS = [SPARSE, DENSE, WORDS, GZIP, CACHE, BATCHES, CSR, DICTS, *EXPERTS]
