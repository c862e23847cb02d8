"""Check a certificate of the fewest errors, beside the checker of separability.

    python novikoff_fewest.py certificate.json data.csv [--label COLUMN]

A plane bounds the errors from above; conflicts that share the rows, and a tree, from below. What
novikoff_check.py says of files, of exit statuses and of what is refused holds here too.
"""

import sys
from collections import Counter
from fractions import Fraction
from math import ceil, gcd, lcm
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -I leaves it out
from novikoff_check import SEPARATOR, main, multipliers, read_certificate, scores
from novikoff_cones import least_of_cones
from novikoff_numbers import need, numbers
from novikoff_rows import Row, claimed_rows, read_table

SHOWN = 10  # weights of rows
KINDS = {"fewest errors": SEPARATOR | {"errors": list, "wrong_rows": list, "conflicts": list}}


def check_plane(fields: dict[str, Any], sides: list[Any], weights: list[Fraction]) -> Fraction:
    """What the wrong rows count, if y(w·x + b) > 0 on all others."""
    wrong = fields["wrong_rows"]
    need({int} >= {type(i) for i in wrong} and wrong == sorted(set(wrong)), "wrong rows: no order")
    need(not wrong or (0 <= wrong[0] and wrong[-1] < len(sides)), "a row that the file has not")
    others = [i for i, side in enumerate(sides) if side <= 0 and i not in set(wrong)]
    need(not others, f"row {others[:1]}, counted from 0, is wrong, and not among the wrong rows")
    return sum((weights[i] for i in wrong), Fraction(0))


class Conflicts:
    """Conflicts, none of which any plane has all right, and what each row counts."""

    def __init__(self, A: list[Row], weights: list[Fraction], conflicts: list[Any]) -> None:
        self.A, self.weights = A, weights
        self.rows = [conflict["rows"] for conflict in conflicts]
        whole = lcm(*(w.denominator for w in weights))
        self.unit = Fraction(gcd(*(int(w * whole) for w in weights)), whole)

    def fits(self, shares: list[tuple[int, Fraction]], taken: dict[int, bool]) -> str:
        """Which row bears more than it counts; nothing if none does.

        A row that is taken to be right bears any share; one taken to be wrong bears none.
        """
        loads: dict[int, Fraction] = {}
        for j, share in shares:
            for i in self.rows[j]:
                loads[i] = loads.get(i, Fraction(0)) + share
        for i, load in loads.items():
            limit = self.weights[i] * (i not in taken)
            if not taken.get(i) and load > limit:
                return f"row {i} bears {load}, and counts {limit}"
        return ""

    def proven(
        self, shares: list[tuple[int, Fraction]], taken: dict[int, bool], fit: bool = False
    ) -> Fraction:
        """The errors that shares prove: no row bears more than it counts.

        A row taken to be wrong is an error itself. Errors are multiples of the greatest common
        divisor of all weights.
        """
        reason = "" if fit else self.fits(shares, taken)
        need(not reason, reason)
        total = sum((share for _, share in shares), Fraction(0))
        total += sum(self.weights[i] for i, right in taken.items() if not right)
        return self.unit * ceil(total / self.unit) if self.unit else Fraction(0)

    def leaf(self, node: Any) -> list[tuple[int, Fraction]]:
        """The shares of a leaf."""
        pairs = isinstance(node, list) and all(isinstance(p, list) and len(p) == 2 for p in node)
        need(pairs, "a leaf is a list of pairs, a conflict and its share")
        places, shares = [j for j, _ in node], numbers([share for _, share in node])
        good = {int} >= {type(j) for j in places} and len(set(places)) == len(places)
        need(good and all(0 <= j < len(self.rows) for j in places), "a leaf's conflicts")
        need(all(share > 0 for share in shares), "a share is not above 0")
        return list(zip(places, shares, strict=True))

    def equal(self, i: Any, taken: dict[int, bool]) -> list[int]:
        """The rows equal to a row that nothing was taken of yet."""
        need(type(i) is int and 0 <= i < len(self.A) and i not in taken, "split twice, or no row")
        return [k for k, row in enumerate(self.A) if row == self.A[i]]

    def tree(self, node: Any, taken: dict[int, bool]) -> Fraction:
        """The least that is proven by the leaves: every plane is right on a row, or wrong."""
        if isinstance(node, list):
            return self.proven(self.leaf(node), taken)
        need(isinstance(node, dict), "a tree has splits, fixed rows and leaves")
        if "fixed" in node:
            need(node.keys() == {"fixed", "shares", "then"}, "fixed rows have shares and then")
            shares, bounds, right = self.leaf(node["shares"]), [], dict(taken)
            need(isinstance(node["fixed"], list), "fixed rows are a list")
            need({int} == {type(i) for i in node["fixed"]}, "no rows are fixed")
            need(node["fixed"] == sorted(set(node["fixed"])), "fixed rows: no order")
            fit = not self.fits(shares, taken)  # then they also fit without some of them
            for i in node["fixed"]:
                equal = self.equal(i, right)
                rest = [(j, share) for j, share in shares if not {*equal} & {*self.rows[j]}]
                bounds.append(self.proven(rest, right | dict.fromkeys(equal, False), fit))
                right |= dict.fromkeys(equal, True)
            return min(self.tree(node["then"], right), *bounds)
        need(node.keys() == {"row", "right", "wrong"}, "a split has row, right and wrong")
        equal = self.equal(node["row"], taken)
        right_least = self.tree(node["right"], taken | dict.fromkeys(equal, True))
        wrong_least = self.tree(node["wrong"], taken | dict.fromkeys(equal, False))
        return min(right_least, wrong_least)


def check_fewest(fields: dict[str, Any], A: list[Row]) -> None:
    """Stop unless the fewest errors of any plane lie between the two numbers that are claimed."""
    weights = numbers(fields.get("row_weights", ["1"] * len(A)))
    need(len(weights) == len(A) and min(weights) >= 0, "there is not one weight >= 0 a row")
    errors, conflicts = numbers(fields["errors"]), fields["conflicts"]
    need(len(errors) == 2 and 0 <= errors[0] <= errors[1], "errors are not two numbers in order")
    upper = check_plane(fields, scores(fields, A), weights)
    need(upper <= errors[1], f"the wrong rows count {upper}, above the {errors[1]} claimed")
    for conflict in conflicts:
        whole = isinstance(conflict, dict) and conflict.keys() == {"rows", "alpha", "share"}
        need(whole, "a conflict has rows, alpha and share")
        multipliers(conflict["rows"], conflict["alpha"], A)
    shares = numbers([conflict["share"] for conflict in conflicts])
    need(all(share >= 0 for share in shares), "a share is below 0")
    known, plain = Conflicts(A, weights, conflicts), list(enumerate(shares))
    lower = known.tree(fields["tree"], {}) if "tree" in fields else known.proven(plain, {})
    if "cones" in fields:
        width = fields["d"] + fields["fit_intercept"]
        lower = max(lower, least_of_cones(fields["cones"], A, weights, width))
    need(lower >= errors[0], f"the conflicts prove {lower}, not the {errors[0]} claimed")


def check(certificate: str, lines: list[str], svmlight: bool, label: str | None = None) -> str:
    """What is proven, of which rows, columns and labels; an error says why nothing is."""
    fields = read_certificate(certificate, KINDS, "fewest", ("row_weights", "tree", "cones"))
    A, claim = claimed_rows(fields, read_table(lines, svmlight), svmlight, label)
    check_fewest(fields, A)
    least, most = fields["errors"]
    counts = Counter(fields.get("row_weights", ["1"] * fields["n"])).most_common()
    weights = ", ".join(f"{rows} rows count {weight}" for weight, rows in counts[:SHOWN])
    more = f" and {len(counts) - SHOWN} other weights" if len(counts) > SHOWN else ""
    return claim.replace("\n", f"\nerrors: at least {least}, at most {most}; {weights}{more}\n", 1)


if __name__ == "__main__":
    sys.exit(main(check))
