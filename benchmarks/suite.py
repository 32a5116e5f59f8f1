"""All benchmarks, in the order of the table."""

from benchmarks.auto import AUTO, AUTO_FOREST
from benchmarks.classes import CLASSES
from benchmarks.csr import AT_ONCE, BARE_BATCHES, BATCHES
from benchmarks.dicts import CLASSES as DICT_CLASSES
from benchmarks.dicts import DICTS, FACE
from benchmarks.experts import EXPERTS
from benchmarks.json_text import JSON
from benchmarks.numeric_text import CACHE, DENSE, FLIGHTS, GZIP, SPARSE, WORDS
from benchmarks.steady import AUTO_STEADY, STEADY
from benchmarks.trees import TREES_BESIDE
from benchmarks.zero_sum import ZERO_SUM

BENCHMARKS = [
    *(SPARSE, DENSE, WORDS, FLIGHTS, GZIP, CACHE),
    *JSON,
    *(*AUTO, AUTO_FOREST, AUTO_STEADY),
    *CLASSES,
    *(BATCHES, BARE_BATCHES, AT_ONCE),
    *(*DICTS, FACE, DICT_CLASSES),
    STEADY,
    *EXPERTS,
    *TREES_BESIDE,
    ZERO_SUM,
]
