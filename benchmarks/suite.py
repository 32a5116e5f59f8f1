"""All benchmarks, in the order of the table."""

from benchmarks.csr import AT_ONCE, BARE_BATCHES, BATCHES
from benchmarks.dicts import DICTS
from benchmarks.experts import EXPERTS
from benchmarks.numeric_text import CACHE, DENSE, FLIGHTS, GZIP, SPARSE, WORDS
from benchmarks.steady import STEADY

BENCHMARKS = [SPARSE, DENSE, WORDS, FLIGHTS, GZIP, CACHE, BATCHES, BARE_BATCHES, AT_ONCE, DICTS, STEADY, *EXPERTS]
