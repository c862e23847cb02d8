"""What is listed once: every table has all that there is, and what a type checker reads agrees."""

from typing import get_args

from sklearn.base import ClassifierMixin

import novikoff
from novikoff.certificates.models.model import MODELS
from novikoff.cli.learning import Learner
from novikoff.cli.regression import Model
from novikoff.core.options import Format
from novikoff.data.reading import READERS
from novikoff.estimators.persistence.checks import CHECKS
from novikoff.estimators.registry import ESTIMATORS, class_of, class_of_learner


def test_every_classifier_is_in_the_table():
    public = [getattr(novikoff, name) for name in novikoff.__all__]
    classes = [kind for kind in public if isinstance(kind, type)]
    ours = {kind.__name__ for kind in classes if issubclass(kind, ClassifierMixin)}
    assert ours == set(ESTIMATORS) == set(CHECKS)
    assert all(class_of(name) is getattr(novikoff, name) for name in ESTIMATORS)


def test_every_learner_of_the_command_line_is_in_the_table():
    assert {entry.learner for entry in ESTIMATORS.values()} - {None} == set(get_args(Learner))
    assert class_of_learner("averaged") is novikoff.AveragedPerceptron


def test_every_format_has_a_reader():
    assert tuple(READERS) == get_args(Format)
    endings = [suffix for reader in READERS.values() for suffix in reader.suffixes]
    assert len(endings) == len(set(endings))


def test_the_command_line_knows_every_regression():
    assert get_args(Model) == MODELS
