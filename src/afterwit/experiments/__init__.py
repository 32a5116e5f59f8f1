"""Tables and figures of the sources, run anew: a module each, found by its `SOURCE`.

The first line of a module's docstring says what is run, `SOURCE` which table or figure it is of, and `run(say)` runs it
and returns an `Outcome`; `say` shows a line while it works. Data sets come from `data.data_set`.
"""

from afterwit.experiments.catalogue import experiments
from afterwit.experiments.data import data_set
from afterwit.experiments.outcome import Outcome, Table

__all__ = ["Outcome", "Table", "data_set", "experiments"]
