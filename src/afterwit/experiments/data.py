"""The data sets of experiments, which are not part of this package."""

from __future__ import annotations

import os
from pathlib import Path

from afterwit.errors import DataError, quoted_path


def data_set(name: str) -> Path:
    """The file of this name in the folder that the environment variable AFTERWIT_DATA names.

    >>> data_set("no-such-set.svm.gz")
    Traceback (most recent call last):
    ...
    afterwit.errors.DataError: ...no-such-set.svm.gz...
    """
    folder = os.environ.get("AFTERWIT_DATA")
    if not folder:
        raise DataError(f"the data set `{name}` is needed: set AFTERWIT_DATA to the folder that it is in")
    path = Path(folder) / name
    if not path.is_file():
        raise DataError(f"there is no `{name}` in {quoted_path(folder)}, which AFTERWIT_DATA names")
    return path
