"""Learners as scikit-learn's estimators, for its pipelines, searches and calibration: docs/faces.md maps the two."""

try:
    import sklearn.base  # noqa: F401
except ImportError:
    raise ImportError("afterwit.sklearn needs the package `scikit-learn`: pip install 'afterwit[sklearn]'") from None

from afterwit.sklearn.classifier import OnlineClassifier
from afterwit.sklearn.regressor import OnlineRegressor

__all__ = ["OnlineClassifier", "OnlineRegressor"]
