"""Panels: several learners as one."""

from afterwit.panel.auto import Auto as Auto
from afterwit.panel.combiners import Mixing as Mixing
from afterwit.panel.combiners import Sharing as Sharing
from afterwit.panel.combiners import Stacking as Stacking
from afterwit.panel.panel import Panel as Panel
from afterwit.panel.standing import Standing as Standing

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
