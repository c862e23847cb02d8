"""Of which rows, columns and labels a certificate speaks, in lines that a person reads."""

from collections import Counter

from novikoff.certificates.certificate import Certificate

__all__ = ["lines_about"]

SHOWN = 100  # names of columns
WEIGHTS_SHOWN = 10


def lines_about(
    claim: Certificate, *, rounded: tuple[str, ...] = (), absent: int = 0
) -> tuple[str, ...]:
    """What is claimed of which rows, columns and labels, a line each.

    `rounded` are columns of decimals with more digits than float64 tells apart; `absent` says how
    many rows of the data have no weight or no trials in a regression.
    """
    written = "as written" + (f", but as float64 in {_listed(rounded)}" if rounded else "")
    if claim.model is not None:
        left_out = f"rows of the data left out: {absent}, without weight or trials"
        return (
            f"kind: {claim.kind}, of the {claim.n} rows of the model {claim.model.name!r}",
            *([left_out] if absent else []),
            f"numbers: {written if claim.model.decimals else 'as given'}",
            f"coefficients: {_listed(claim.columns)}",
            *(f"{part}: {column!r}" for part, column in claim.model.columns.items()),
        )
    exactly = claim.decimals or claim.encoding == "fractions"
    label = "not named" if claim.label is None else repr(claim.label)
    minus, plus = claim.classes
    return (
        f"kind: {claim.kind}, {'with' if claim.fit_intercept else 'without'} an intercept",
        *([f"weights: {_weights(claim)}"] if claim.row_weights else []),
        f"rows: all {claim.n}; numbers: {written if exactly else 'as float64'}",
        f"columns: {_listed(claim.columns)}",
        f"label: {label}, where {minus!r} is -1 and {plus!r} is +1",
    )


def _listed(names: tuple[str, ...]) -> str:
    """The names, and if there are very many, how many."""
    shown = ", ".join(map(repr, names[:SHOWN]))
    return shown if len(names) <= SHOWN else f"{shown}, … ({len(names)} in all)"


def _weights(claim: Certificate) -> str:
    """What the rows count, the commonest weight first."""
    counts = Counter(claim.row_weights or ()).most_common()
    shown = ", ".join(f"{rows} rows count {weight}" for weight, rows in counts[:WEIGHTS_SHOWN])
    more = len(counts) - WEIGHTS_SHOWN
    return f"{shown} and {more} other weights" if more > 0 else shown
