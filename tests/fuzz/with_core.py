"""Runs pytest with the package in the folder of the first argument, wherever the installed one is."""

import os
import sys

import pytest

if __name__ == "__main__":
    # An editable install has a finder of its own, before all folders.
    sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
    sys.path[:1] = [sys.argv[1], os.getcwd()]
    import afterwit._core

    assert afterwit._core.__file__.startswith(sys.argv[1]), afterwit._core.__file__
    sys.exit(pytest.main(sys.argv[2:]))
