"""How columns become the matrix X, kept so that it can be done again to another file."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff import sparse as sp
from novikoff.data.features import matrix
from novikoff.data.formula import computes, design, refuse_code
from novikoff.data.source import Source
from novikoff.errors import FileError, LimitError
from novikoff.problem import check_finite

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """Which columns, how they are coded, and what is done to the numbers after that.

    `levels` gives the values of each categorical column, the base first. `mean` and `scale` are
    there if the columns were standardised, with the numbers of the data that the recipe was made
    on; `degree` above 1 adds all products of up to that many columns. `missing` are texts that mean
    a missing value, besides the usual ones.
    """

    features: tuple[str, ...]
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    formula: str | None = None
    mean: tuple[float, ...] | None = None
    scale: tuple[float, ...] | None = None
    degree: int = 1
    missing: tuple[str, ...] = ()

    @property
    def changes_numbers(self) -> bool:
        """Whether X holds numbers that were computed, and rounded, rather than read."""
        if self.formula is not None and computes(self.formula):
            return True
        return self.mean is not None or self.degree > 1

    def columns(self, source: Source) -> tuple[Any, tuple[str, ...], bool]:
        """X as it is in the file: coded, neither standardised nor lifted; whether with a bias."""
        if self.formula is not None:
            return design(self.formula, source, self.levels)
        X, names = matrix(source, self.features, self.levels)
        return X, names, True

    def transform(self, X: Any, names: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """Standardise, then lift, as far as the recipe says."""
        if self.mean is not None and self.scale is not None:
            X = (X - np.array(self.mean)) / np.array(self.scale)
        if self.degree > 1:
            X, names = lift(X, names, self.degree)
        check_finite(X)
        return X, names

    def apply(self, source: Source) -> Any:
        """X of another file, made the same way; its columns are found by their names."""
        X, names, _ = self.columns(source)
        return self.transform(X, names)[0]

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain JSON values."""
        if self.formula is not None:
            refuse_code(self.formula)
        return {
            "features": list(self.features),
            "levels": {name: list(values) for name, values in self.levels.items()},
            "formula": self.formula,
            "mean": None if self.mean is None else list(self.mean),
            "scale": None if self.scale is None else list(self.scale),
            "degree": self.degree,
            "missing": list(self.missing),
        }

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> "Recipe":
        """The recipe that these values write; a formula that would run code is refused."""
        try:
            formula = written["formula"]
            recipe = cls(
                features=tuple(map(str, written["features"])),
                levels={str(k): tuple(v) for k, v in dict(written["levels"]).items()},
                formula=None if formula is None else str(formula),
                mean=_floats(written["mean"]),
                scale=_floats(written["scale"]),
                degree=int(written["degree"]),
                missing=tuple(map(str, written.get("missing", ()))),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FileError(f"the model does not say how to read its columns: {error}.") from error
        if recipe.formula is not None:
            refuse_code(recipe.formula)
        return recipe


def _floats(values: Any) -> tuple[float, ...] | None:
    return None if values is None else tuple(map(float, values))


def _memory() -> int | None:
    """The bytes of memory that this machine has, where the system tells (Windows does not)."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def lift(X: Any, names: tuple[str, ...], degree: int) -> tuple[Any, tuple[str, ...]]:
    """All products of up to `degree` columns; refused, with the estimate, if they would not fit."""
    n, d = X.shape
    width = math.comb(d + degree, degree) - 1
    need = 8 * n * width
    memory = _memory()
    if memory is not None and need > memory // 2 and not sp.issparse(X):
        raise LimitError(
            f"a lift of degree {degree} has {width} columns, and {n} rows of them need "
            f"{need / 2**30:.1f} GiB; this machine has {memory / 2**30:.1f}. Choose fewer columns "
            "or a lower degree."
        )
    from sklearn.preprocessing import PolynomialFeatures

    products = PolynomialFeatures(degree, include_bias=False)
    Z = products.fit_transform(X)
    return Z, tuple(products.get_feature_names_out(list(names)).tolist())
