"""Bytes in and out of files."""
