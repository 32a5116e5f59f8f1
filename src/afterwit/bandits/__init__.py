"""Bandits: draw one arm a round, and see its loss alone."""

from afterwit.bandits.exp3 import BanditHistory, Exp3

__all__ = ["BanditHistory", "Exp3"]
