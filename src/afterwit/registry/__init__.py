"""Stable names for classes, and what any object is made of: its settings, its state, and a fresh copy.

A class may offer `settings()` (the constructor's keyword arguments as plain data), `state()` (what it has learned, as
plain data) and `set_state(state)`. A class without `settings()` must keep each constructor argument in an attribute of
the same name, or of that name after an underscore; without `state()`, its state is all the rest of `vars(obj)`.
Plain data (see `plain`) may contain objects of registered classes.
"""

from afterwit.registry.names import classes, name_of, register
from afterwit.registry.objects import build, fresh, settings, state
from afterwit.registry.pickles import getstate, reduce, setstate

__all__ = ["build", "classes", "fresh", "getstate", "name_of", "reduce", "register", "setstate", "settings", "state"]
