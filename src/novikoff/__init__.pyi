"""Linear classification with proofs: can a line separate these, and can you prove it?

This is the one list of public names: type checkers and editors read it, and the package loads each
name from the module that is given here, when it is asked for.
"""

from . import data as data, figures as figures, models as models, report as report
from .certificates.certificate import Certificate as Certificate
from .certificates.verify import Verification as Verification, verify as verify
from .data.datasets import list_datasets as list_datasets, load_dataset as load_dataset
from .data.reading import read as read
from .separability.api import mistake_bound as mistake_bound, separate as separate
from .separability.fewest.alternatives import alternatives as alternatives
from .errors import NovikoffError as NovikoffError, SeparationError as SeparationError
from .estimators.averaged import AveragedPerceptron as AveragedPerceptron
from .estimators.fewest import FewestErrorsClassifier as FewestErrorsClassifier
from .estimators.kernel import KernelPerceptron as KernelPerceptron
from .estimators.lifts import lift_until_separable as lift_until_separable
from .estimators.maximum_margin import MaximumMarginClassifier as MaximumMarginClassifier
from .estimators.network import ReluNetwork as ReluNetwork
from .estimators.perceptron import Perceptron as Perceptron
from .estimators.pocket import PocketPerceptron as PocketPerceptron
from .estimators.voted import VotedPerceptron as VotedPerceptron
from .regression.explain import Explanation as Explanation, explain_verdict as explain_verdict
from .regression.why_not import why_not as why_not
from .separability.fewest.api import fewest_errors as fewest_errors
from .certificates.coq.write import to_coq as to_coq
from .learners.status import Status as Status
from .estimators.persistence.onnx import to_onnx as to_onnx
from .estimators.persistence.store import load as load, save as save
from .probes.conclusions import cover_probability as cover_probability
from .probes.probe import probe as probe
from .probes.results import Probes as Probes
from .regression.checked import (
    SeparationCheck as SeparationCheck,
    SeparationWarning as SeparationWarning,
    fit_checked as fit_checked,
)
from .regression.detect import detect_separation as detect_separation
from .regression.diagnose import diagnose as diagnose
from .regression.outcomes import Separations as Separations
from .regression.result import Separation as Separation
from .stream.online import (
    OnlineAveragedPerceptron as OnlineAveragedPerceptron,
    OnlinePerceptron as OnlinePerceptron,
    OnlinePocketPerceptron as OnlinePocketPerceptron,
)
from .learners.theory.bounds import (
    margins as margins,
    mistake_bound_of as mistake_bound_of,
    radius as radius,
    training_error as training_error,
)
from .learners.theory.inequalities import inequalities as inequalities
from .learners.theory.reductions import (
    augment as augment,
    into_unit_ball as into_unit_ball,
    to_positive_side as to_positive_side,
)
from .learners.theory.trace import Trace as Trace, trace as trace
from .learners.theory.trace_table import read_trace as read_trace
from .separability.fewest.result import FewestErrors as FewestErrors
from .separability.verdicts import (
    Interval as Interval,
    Overlapping as Overlapping,
    Separable as Separable,
    Touching as Touching,
    Undecided as Undecided,
)

__version__: str
