"""The accuracy of a classifier on rows at hand, or on a scan, which brings its labels."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score

from novikoff.batches import Batches
from novikoff.errors import LabelError, OptionError

__all__ = ["ScoresScans"]


class ScoresScans(ClassifierMixin):
    """scikit-learn's mixin, whose `score` takes a scan as well."""

    def score(self, X: object, y: object = None, sample_weight: object = None) -> float:
        """The share of rows whose class is predicted, each counted with its weight if given.

        `score(scan(…))` reads a file batch by batch, with its labels and weights; in memory are a
        batch, and a byte a row (nine with weights).
        """
        if not isinstance(X, Batches):
            if y is None:
                raise LabelError("score needs the labels y, unless X is a scan.")
            return float(super().score(X, y, sample_weight))
        if y is not None or sample_weight is not None:
            raise OptionError("a scan has its labels and weights with it: give no others.")
        right: list[Any] = []
        weights: list[Any] = []
        for batch in X:
            right.append(self.predict(batch.X) == batch.y)
            weights += [] if batch.weights is None else [batch.weights]
        found = np.concatenate(right)
        counted = np.concatenate(weights) if weights else None
        return float(accuracy_score(np.ones_like(found), found, sample_weight=counted))
