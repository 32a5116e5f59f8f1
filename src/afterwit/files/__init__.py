"""Files: read through any compression, written whole or not at all."""

from afterwit.files.whole import write_whole

__all__ = ["write_whole"]
