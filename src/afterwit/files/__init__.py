"""Files: read through any compression, written whole or not at all."""

from afterwit.files.output import write_output

__all__ = ["write_output"]
