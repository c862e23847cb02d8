"""Linear classification with proofs: can a line separate these, and can you prove it?

This is the one list of public names: type checkers and editors read it, and the package loads each
name from the module that is given here, when it is asked for.
"""

from . import data as data, figures as figures, models as models, report as report
from .certificates.certificate import Certificate as Certificate
from .certificates.verify import Verification as Verification, verify as verify
from .data.datasets import list_datasets as list_datasets, load_dataset as load_dataset
from .data.reading import read as read
from .decide import mistake_bound as mistake_bound, separate as separate
from .doubt import alternatives as alternatives
from .errors import NovikoffError as NovikoffError
from .estimators.averaged import AveragedPerceptron as AveragedPerceptron
from .estimators.fewest import FewestErrorsClassifier as FewestErrorsClassifier
from .estimators.kernel import KernelPerceptron as KernelPerceptron
from .estimators.lifts import lift_until_separable as lift_until_separable
from .estimators.network import ReluNetwork as ReluNetwork
from .estimators.perceptron import Perceptron as Perceptron
from .estimators.pocket import PocketPerceptron as PocketPerceptron
from .estimators.voted import VotedPerceptron as VotedPerceptron
from .explain.explain import Explanation as Explanation, explain_verdict as explain_verdict
from .explain.why_not import why_not as why_not
from .fewest import fewest_errors as fewest_errors
from .formal.write import to_coq as to_coq
from .learners.status import Status as Status
from .models.onnx_export import to_onnx as to_onnx
from .models.store import load as load, save as save
from .probes.cover import cover_probability as cover_probability
from .probes.probe import probe as probe
from .probes.results import Probes as Probes
from .separation.detect import detect_separation as detect_separation
from .separation.diagnose import diagnose as diagnose
from .separation.separation import Separation as Separation
from .stream.online import (
    OnlineAveragedPerceptron as OnlineAveragedPerceptron,
    OnlinePerceptron as OnlinePerceptron,
    OnlinePocketPerceptron as OnlinePocketPerceptron,
)
from .theory.bounds import (
    margins as margins,
    mistake_bound_of as mistake_bound_of,
    radius as radius,
    training_error as training_error,
)
from .theory.inequalities import inequalities as inequalities
from .theory.reductions import (
    augment as augment,
    into_unit_ball as into_unit_ball,
    to_positive_side as to_positive_side,
)
from .theory.trace import Trace as Trace, trace as trace
from .theory.trace_table import read_trace as read_trace
from .verdicts.fewest import FewestErrors as FewestErrors
from .verdicts.verdict import (
    Interval as Interval,
    Overlapping as Overlapping,
    Separable as Separable,
    Touching as Touching,
    Undecided as Undecided,
)

__version__: str
