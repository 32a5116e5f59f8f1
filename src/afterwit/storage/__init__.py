"""Model files and checkpoints: plain data in one file with a checksum, written whole or not at all."""

from afterwit.storage.container import read_container, write_container
from afterwit.storage.model import load, save

__all__ = ["load", "read_container", "save", "write_container"]
