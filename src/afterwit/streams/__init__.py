"""Rows from files, arrays and iterables."""
