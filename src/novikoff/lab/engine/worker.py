"""The functions that worker processes run. They import the engine; the server does not.

The server must start at once and answer while the workers load; hence the late imports.
"""

import warnings
from typing import Any

from novikoff.errors import NovikoffError


def answer(name: str, *asked: Any) -> tuple[int, str]:
    """The status and the JSON of an answer: 200, or 422 and the sentence why there is none."""
    from novikoff.lab.engine.jobs import JOBS
    from novikoff.lab.messages.answers import Refusal

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a learner would tell a programmer
            return 200, JOBS[name](*asked).model_dump_json()
    except NovikoffError as error:
        return 422, Refusal(error=str(error)).model_dump_json()


def warm_up() -> None:
    """Make a worker ready for verdicts and runs."""
    from novikoff.lab.engine.jobs import load_quick

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load_quick()


def warm_up_slow() -> None:
    """Make a worker ready for everything."""
    from novikoff.lab.engine.jobs import load_all

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load_all()
