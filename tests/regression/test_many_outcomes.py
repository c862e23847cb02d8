"""One design, many outcomes: each answer is that of the outcome alone."""

import numpy as np
import pandas as pd
import pytest

import novikoff
from novikoff.errors import LabelError


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 3, (60, 3)), columns=["dose", "age", "sex"])
    for name, chance in (("asthma", 0.3), ("gout", 0.5), ("rare", 0.1)):
        table[name] = (rng.random(60) < chance).astype(float)
    table.loc[table.sex > 0, "rare"] = 0
    return table


NAMES = ["asthma", "gout", "rare"]


@pytest.mark.parametrize("model", ["logit", "poisson"])
def test_each_is_answered_as_if_alone(frame, model):
    X, Y = frame[["dose", "age", "sex"]], frame[NAMES]
    by_frame = novikoff.detect_separation(X, Y, model=model)
    by_name = novikoff.detect_separation("~ dose + age + sex", NAMES, data=frame, model=model)
    by_matrix = novikoff.detect_separation(X.to_numpy(), Y.to_numpy(), model=model)
    assert [*by_frame] == [*by_name] == NAMES
    assert [*by_matrix] == ["0", "1", "2"]
    for k, name in enumerate(NAMES):
        alone = novikoff.detect_separation(X, frame[name], model=model)
        for found in (by_frame[name], by_name[name], by_matrix[str(k)]):
            assert found.kind == alone.kind
            assert [*found.coefficients.values()] == [*alone.coefficients.values()]
            assert novikoff.verify(found.certificate(), X.to_numpy(), frame[name]).valid
        row = by_frame.to_frame().loc[name]
        assert (row.kind, row.separated) == (alone.kind, alone.separated.sum())
        infinite = [c for c, e in alone.coefficients.items() if e not in ("finite", "aliased")]
        assert list(row["columns"]) == (infinite if alone.kind != "none" else [])


def test_rows_that_lack_an_outcome_are_left_out_of_it_alone(frame):
    frame.loc[:9, "gout"] = np.nan
    found = novikoff.detect_separation(
        ["dose", "age"], ["asthma", "gout"], data=frame, drop_missing=True
    )
    there = novikoff.detect_separation(["dose", "age"], "gout", data=frame.iloc[10:])
    assert found["gout"].coefficients == there.coefficients
    assert len(found["gout"].regression.outcome.present) == 50
    assert len(found["asthma"].regression.outcome.present) == 60


def test_an_outcome_of_three_classes_is_refused_and_the_others_are_answered(frame):
    found = novikoff.detect_separation(frame[["dose"]], frame[["asthma", "age"]])
    assert [*found] == ["asthma"]
    assert found.to_frame().kind.tolist() == [found["asthma"].kind, "refused"]
    with pytest.raises(LabelError, match="3 classes"):
        found["age"]
    with pytest.raises(novikoff.NovikoffError, match=r"outcome 'gout'.*negative"):
        novikoff.detect_separation(frame[["dose"]], frame[["gout"]] - 1, model="poisson")


def test_the_text_lists_what_is_separated(frame):
    found = novikoff.detect_separation(frame[["dose", "sex"]], frame[NAMES])
    assert found["rare"].kind == "quasi-complete"
    text = str(found)
    assert text.startswith("3 outcomes: ")
    assert "rare" in text
    assert "asthma" not in text
