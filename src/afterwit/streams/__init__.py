"""Rows from files, arrays and iterables."""

from afterwit.streams.reading import read

__all__ = ["read"]
