"""Learning from a stream: predict, then learn, and account for it."""

from afterwit._core import give_back_memory
from afterwit.learning.answers import label, probability
from afterwit.learning.collision_count import Collisions, collisions
from afterwit.learning.comparison import Comparison, compare
from afterwit.learning.hindsight import Hindsight
from afterwit.learning.lesson import Lesson
from afterwit.learning.passes import evaluate, evaluation, learn, predict, predictions
from afterwit.learning.report import Report
from afterwit.learning.reports import Reports

__all__ = [
    "Collisions",
    "Comparison",
    "Hindsight",
    "Lesson",
    "Report",
    "Reports",
    "collisions",
    "compare",
    "evaluate",
    "evaluation",
    "label",
    "learn",
    "predict",
    "predictions",
    "probability",
]

# Loading NumPy and all the rest took three megabytes that nobody needs any more, and learning would not reuse them.
give_back_memory()
