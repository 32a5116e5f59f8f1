"""The command `afterwit`: learn, predict, compare, inspect."""

from afterwit.cli.main import main

__all__ = ["main"]
