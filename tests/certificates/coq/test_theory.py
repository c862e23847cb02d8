"""Novikoff.v: accepted as a whole, without axioms, and cut into parts that stand by themselves."""

import re

from tests.certificates.coq.coq import CLOSED, REQUIRED, ROOT, accepted, coqc, needs_coq

import novikoff
from novikoff.certificates.coq.theorem import NEEDED, theory, whole_theory


def test_the_file_in_the_folder_is_the_one_in_the_package():
    assert (ROOT / "formal" / "Novikoff.v").read_text(encoding="utf-8") == whole_theory()


def test_nothing_is_taken_for_granted():
    words = set(re.findall(r"\w+", whole_theory()))
    assert not words & {"Axiom", "Parameter", "Admitted", "admit", "Conjecture", "Hypothesis"}
    required = re.findall(r"^(?:From|Require).*$", whole_theory(), re.MULTILINE)
    assert required == ["Require Import ZArith QArith List Bool Lia Lqa."]


@needs_coq
def test_every_theorem_is_closed(theory_folder):
    text = (ROOT / "formal" / "Assumptions.v").read_text(encoding="utf-8")
    theorems = text[text.index(":=") : text.index("Print")]
    listed = set(re.findall(r"\w+", theorems))
    stated = set(re.findall(r"^(?:Theorem|Corollary) (\w+)", whole_theory(), re.MULTILINE))
    assert stated <= listed
    file = theory_folder / "Assumptions.v"
    file.write_text(text, encoding="utf-8")
    done = coqc(file)
    assert (done.returncode, done.stdout.strip()) == (0, CLOSED), done.stderr


def test_a_cut_theory_has_what_it_needs_in_order():
    names = re.findall(r"^\(\* \*\* (.+) \*\)$", whole_theory(), re.MULTILINE)
    assert names == list(NEEDED)
    assert theory(NEEDED) == whole_theory()
    cut = re.findall(r"^\(\* \*\* (.+) \*\)$", theory(["Touching"]), re.MULTILINE)
    assert cut == ["Words", "Algebra", "Rows", "Separable", "Not separable", "Touching"]


XOR = """
Definition xor : list example :=
  [(Minus, [0; 0]); (Plus, [0; 1]); (Plus, [1; 0]); (Minus, [1; 1])].
Definition always (y : label) : bool := true.
Definition epoch := augmented every_plane xor.
Definition w0 := fst (perceptron always 1 [] epoch).

Theorem it_cycles : ~ separable every_plane xor.
Proof.
  apply (cycle 1 every_plane xor w0 (fst (perceptron always 1 w0 epoch))
    (snd (perceptron always 1 w0 epoch))).
  - reflexivity.
  - apply perceptron_runs. intros e H. exact H.
  - vm_compute. lia.
  - intros j. do 4 (destruct j as [|j]; [vm_compute; reflexivity|]). destruct j; reflexivity.
Qed.
Print Assumptions it_cycles.
"""


@needs_coq
def test_weights_that_return_prove_that_nothing_separates(theory_folder):
    accepted(theory_folder, "Cycle", f"{REQUIRED}Require Import Lia.\n{XOR}")


def run_in_coq(X, y, *, bias, epochs, tie):
    """Statements about the perceptron of the theory, on these points: its weights and mistakes."""
    rows = "; ".join(
        f"({'Plus' if label > 0 else 'Minus'}, [{'; '.join(map(str, [*([1] * bias), *x]))}])"
        for x, label in zip(X, y, strict=True)
    )
    run = novikoff.trace(X, y, tie=tie, fit_intercept=bias, max_iter=epochs)
    w, b = run.weights_after(run.n_mistakes)
    weights = [int(value) for value in ([b] * bias + w.tolist())]
    rule = {
        "mistake": "fun _ => true",
        "+1": "fun y => match y with Minus => true | Plus => false end",
        "-1": "fun y => match y with Minus => false | Plus => true end",
    }[tie]
    presented = " ++ ".join(["points"] * run.n_epochs)
    return (
        f"Definition points : list example := [{rows}].\n"
        f"Definition result := Eval vm_compute in perceptron ({rule}) 1 [] ({presented}).\n"
        f"Goal snd result = {run.n_mistakes}%nat. Proof. reflexivity. Qed.\n"
        f"Goal same (fst result) [{'; '.join(map(str, weights))}].\n"
        f"Proof. intros j. do {len(weights) + 1} (destruct j; [reflexivity|]).\n"
        "  destruct j; reflexivity. Qed.\n"
    )


@needs_coq
def test_the_perceptron_of_the_theory_is_ours(theory_folder):
    points = [[2, 1], [1, 3], [-1, -1], [-2, 1], [3, -4], [0, -2]]
    labels = [1, 1, -1, -1, 1, -1]
    cases = [
        run_in_coq(points, labels, bias=bias, epochs=6, tie=tie)
        for bias in (True, False)
        for tie in ("mistake", "+1", "-1")
    ]
    modules = "".join(f"Module C{i}.\n{text}End C{i}.\n" for i, text in enumerate(cases))
    accepted(theory_folder, "Runs", REQUIRED + modules)
