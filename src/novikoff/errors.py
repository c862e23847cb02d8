"""The errors of novikoff.

Every error names the row, column, file or option it is about and says what to do next. All of
them can be caught as `NovikoffError`; most are a `ValueError` too, because that is what
scikit-learn's callers expect of bad input.

    NovikoffError
    ├── DataError (ValueError)          the numbers or the labels will not do
    │   ├── NotNumericError (TypeError) something that is no number
    │   ├── NotFiniteError              a NaN or an infinity, with its row and column
    │   ├── LabelError                  one class, three classes, a label that is not there
    │   ├── SeparationError             no estimate exists, or no hyperplane separates
    │   └── ShapeError                  no rows, no columns, lengths that disagree
    ├── OptionError (ValueError)        an option has a value it cannot have
    ├── FileError (ValueError)          a file cannot be read, or not as what it claims to be
    ├── CertificateError (ValueError)   a certificate is damaged, or of another version
    ├── DeviceError (RuntimeError)      a GPU is not there, or fails
    ├── LimitError (MemoryError)        the work would not fit; the estimate is in the message
    ├── ClusterError (RuntimeError)     workers or their scheduler were lost, or cannot be reached
    └── MissingDependencyError (ImportError)   an optional package is needed, and how to get it
"""

from typing import Any

__all__ = [
    "CertificateError",
    "ClusterError",
    "DataError",
    "DeviceError",
    "FileError",
    "LabelError",
    "LimitError",
    "MissingDependencyError",
    "NotFiniteError",
    "NotNumericError",
    "NovikoffError",
    "OptionError",
    "SeparationError",
    "ShapeError",
]


class NovikoffError(Exception):
    """The one base of every error novikoff raises on purpose.

    Examples
    --------
    >>> import novikoff
    >>> try:
    ...     novikoff.separate([[0.0], [1.0]], [1, 1])
    ... except novikoff.NovikoffError as error:
    ...     print(error)
    y has one class only, 1: two are needed.
    """


class DataError(NovikoffError, ValueError):
    """The numbers or the labels will not do."""


class NotNumericError(DataError, TypeError):
    """Something that is not a number, where numbers are needed."""


class NotFiniteError(DataError):
    """A NaN or an infinity, with its row and column."""


class LabelError(DataError):
    """One class, three classes where two are needed, or a label that is not there."""


class ShapeError(DataError):
    """No rows, no columns, or lengths that disagree."""


class SeparationError(DataError):
    """No estimate exists, or no hyperplane separates; `answer` is the proof of that.

    Examples
    --------
    >>> import novikoff
    >>> try:
    ...     novikoff.MaximumMarginClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    ... except novikoff.SeparationError as error:
    ...     print(error.answer.word)
    overlapping
    """

    def __init__(self, message: str, answer: Any = None) -> None:
        super().__init__(message, answer)
        self.answer = answer

    def __str__(self) -> str:
        return str(self.args[0])


class OptionError(NovikoffError, ValueError):
    """An option has a value it cannot have."""


class FileError(NovikoffError, ValueError):
    """A file cannot be read, or not as what it claims to be."""


class CertificateError(NovikoffError, ValueError):
    """A certificate is damaged, or of a version this program does not know."""


class DeviceError(NovikoffError, RuntimeError):
    """A GPU that was asked for is not there, or fails."""


class LimitError(NovikoffError, MemoryError):
    """The work would not fit in memory; the message has the estimate."""


class ClusterError(NovikoffError, RuntimeError):
    """Workers or their scheduler were lost, or cannot be reached."""


class MissingDependencyError(NovikoffError, ImportError):
    """An optional package is needed: the message says which, and how to install it."""
