"""Data: readers of files, built-in data sets, synthetic data of known margin."""

from novikoff.data.datasets import Dataset, list_datasets, load_dataset
from novikoff.data.reading import read
from novikoff.data.scans.api import scan
from novikoff.data.scans.columns import Scan
from novikoff.data.scans.sparse import SparseScan
from novikoff.data.synthetic import KnownMargin, fibonacci, gaussian, known_margin, moons, parity
from novikoff.data.table import Table

__all__ = [
    "Dataset",
    "KnownMargin",
    "Scan",
    "SparseScan",
    "Table",
    "fibonacci",
    "gaussian",
    "known_margin",
    "list_datasets",
    "load_dataset",
    "moons",
    "parity",
    "read",
    "scan",
]
