"""Learning from what never ends: online learners, their account, journals, checkpoints, resume."""

from novikoff.stream.account import Account
from novikoff.stream.durable import Checkpoint, DurableStream, read_checkpoint, write_checkpoint
from novikoff.stream.journal import Place
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
    estimator_of,
)

__all__ = [
    "Account",
    "Checkpoint",
    "DurableStream",
    "OnlineAveragedPerceptron",
    "OnlinePerceptron",
    "OnlinePocketPerceptron",
    "Place",
    "estimator_of",
    "read_checkpoint",
    "write_checkpoint",
]
