"""Weights, mistakes and certificates are what they were, bit for bit.

Where this fails, either the change is at fault, or it changes what users get and says so: then
`python -m tests.golden --write` writes the files anew, and the commit says why.
"""

import pytest
from tests.golden.__main__ import differences, kept, made


@pytest.mark.parametrize("name", ["runs", "certificates"])
def test_every_record_is_what_it_was(name):
    changed = differences(made(name), kept(name))
    assert not changed, "\n".join([f"{len(changed)} records changed:", *changed])
