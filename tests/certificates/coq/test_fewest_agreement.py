"""`verify`, the stand-alone checker and Coq on the fewest errors: found ones, and changed ones."""

import copy

import numpy as np
from tests.certificates.coq.coq import REQUIRED, accepted, in_module, needs_coq
from tests.certificates.proofs import Proof, oracle, resealed
from tests.separability.fewest.cases import flips, grid

from novikoff import fewest_errors, verify
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.coq.write import coq_text
from novikoff.errors import CertificateError


def found_proofs():
    """Certificates that the search makes: shares alone, weights, fixed rows, a tree."""
    rng = np.random.default_rng(58)
    tree = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
    weights = np.array([1, 2, 0, 0.5] * 5)
    problems = {
        "shares": (*flips(40, 2, 4), None),
        "weights": (*grid(20, 2, 3), weights),
        "copies": (np.repeat(tree[0][:12], 2, axis=0), np.repeat(tree[1][:12], 2), None),
        "tree": (*tree, None),
    }
    for name, (X, y, counts) in problems.items():
        found = fewest_errors(X, y, weights=counts)
        assert found.optimal
        yield Proof(name, X, np.asarray(y), found.certificate())


def nodes(tree):
    """The objects and leaves of a tree."""
    yield tree
    if isinstance(tree, dict):
        for part in ("then", "right", "wrong"):
            if part in tree:
                yield from nodes(tree[part])


def changed(fields, rng):
    """A certificate with one thing changed in a way that keeps its form, more or less."""
    fields = copy.deepcopy(fields)
    conflict = fields["conflicts"][rng.integers(len(fields["conflicts"]))]
    leaves = [node for node in nodes(fields.get("tree", [])) if isinstance(node, list) and node]
    fixed = [node for node in nodes(fields.get("tree", [])) if "fixed" in node]
    splits = [node for node in nodes(fields.get("tree", [])) if "row" in node]
    kind = rng.integers(10)
    if kind == 0:
        at = int(rng.integers(2))
        fields["errors"][at] = str(int(fields["errors"][at].split("/")[0]) + (1 if at == 0 else -1))
    elif kind == 1:
        conflict["share"] = str(rng.choice(["0", "1/3", "1", "2"]))
    elif kind == 2:
        at = int(rng.integers(len(conflict["alpha"])))
        conflict["alpha"][at] = str(int(conflict["alpha"][at].split("/")[0]) + 1)
    elif kind == 3:
        conflict["rows"][-1] = int(rng.integers(fields["n"]))
    elif kind == 4 and fields["wrong_rows"]:
        fields["wrong_rows"].pop(int(rng.integers(len(fields["wrong_rows"]))))
    elif kind == 5 and leaves:
        leaf = leaves[rng.integers(len(leaves))]
        leaf[int(rng.integers(len(leaf)))][1] = str(rng.choice(["1/4", "1", "3"]))
    elif kind == 6 and leaves:
        leaf = leaves[rng.integers(len(leaves))]
        leaf.pop(int(rng.integers(len(leaf))))
    elif kind == 7 and fixed:
        node = fixed[rng.integers(len(fixed))]
        node["fixed"] = sorted({*node["fixed"][1:], int(rng.integers(fields["n"]))})
    elif kind == 8 and fixed:
        node = fixed[rng.integers(len(fixed))]
        node["shares"] = node["shares"][: len(node["shares"]) // 2]
    elif kind == 9 and splits:
        node = splits[rng.integers(len(splits))]
        node["row"] = int(rng.integers(fields["n"]))
    return fields


@needs_coq
def test_three_that_share_no_code_agree(theory_folder):
    rng = np.random.default_rng(0)
    modules, verdicts, kinds = [], [], set()
    for proof in found_proofs():
        fields = proof.certificate.to_dict()
        tree = list(nodes(fields.get("tree", [])))
        kinds |= {key for node in tree if isinstance(node, dict) for key in node}
        for one in [fields, *(changed(fields, rng) for _ in range(40))]:
            try:
                claim = Certificate.from_dict(resealed(one))
            except CertificateError:
                assert not oracle(one, proof)
                continue
            holds = verify(claim, proof.X, proof.y).valid
            assert oracle(one, proof) == holds
            verdicts.append(holds)
            modules.append(
                in_module(f"F{len(modules)}", coq_text(claim, proof.X, proof.y), holds=holds)
            )
    assert {"fixed", "row"} <= kinds
    assert min(verdicts.count(True), verdicts.count(False)) > 20
    accepted(theory_folder, "Fewest", REQUIRED + "".join(modules))
