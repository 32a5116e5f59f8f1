"""The command `afterwit`: learn, predict, compare, aggregate, inspect."""

from afterwit.cli.main import main

__all__ = ["main"]
