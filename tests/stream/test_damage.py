"""Torn ends are repaired, flipped bytes refused; a full disk and a read-only folder do no harm."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from novikoff.core.files import read_checksummed, write_checksummed
from novikoff.errors import FileError, NovikoffError, OptionError
from novikoff.stream import (
    DurableStream,
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
    Place,
    read_checkpoint,
    write_checkpoint,
)
from novikoff.stream import durable as checkpoint

pytestmark = pytest.mark.slow


def examples(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1, -1).tolist()


def learned(place, X, y, learner=None, **options):
    """Learn what the folder has not learned yet; leave as a crash would, without a checkpoint."""
    stream = DurableStream(place, learner, **options)
    for i in range(stream.place.position, len(y)):
        stream.learn(X[i], y[i], Place(i + 1))
    stream.acknowledge()
    arrays = {name: array.tobytes() for name, array in stream.learner._arrays().items()}
    stream._journal.close()
    os.close(stream._lock)
    return arrays


def test_a_journal_torn_at_any_byte_is_repaired(folder):
    X, y = examples()
    whole = learned(folder / "whole", X, y, OnlinePerceptron(window=5), sync=4)
    size = (folder / "whole" / "journal-0").stat().st_size
    for cut in range(28, size, 17):
        torn = folder / "torn"
        shutil.copytree(folder / "whole", torn)
        os.truncate(torn / "journal-0", cut)
        assert learned(torn, X, y, sync=4) == whole
        shutil.rmtree(torn)


def test_zeros_at_the_end_are_a_torn_end(folder):
    X, y = examples()
    whole = learned(folder / "run", X, y, OnlinePerceptron(window=5))
    with (folder / "run" / "journal-0").open("ab") as file:
        file.write(bytes(100))
    assert learned(folder / "run", X, y) == whole


@pytest.mark.parametrize("name", ["journal-0", "checkpoint"])
def test_any_flipped_byte_is_refused(name, folder):
    X, y = examples(12)
    learned(folder, X, y, OnlinePerceptron(window=5))
    path = folder / name
    content = path.read_bytes()
    for at in range(0, len(content), 1 if name == "journal-0" else 5):
        flipped = bytearray(content)
        flipped[at] ^= 1 << (at % 8)
        path.write_bytes(flipped)
        with pytest.raises(FileError, match=str(path)):
            DurableStream(folder)
        assert path.read_bytes() == flipped, "what is refused is left as it is"
    path.write_bytes(content)
    DurableStream(folder).close()


def test_a_record_cannot_be_left_out_or_moved(folder):
    X, y = examples(12)
    learned(folder, X, y, OnlinePerceptron(window=5))
    path = folder / "journal-0"
    content = path.read_bytes()
    length = int.from_bytes(content[28:32], "little") + 12
    path.write_bytes(content[:28] + content[28 + length :])
    with pytest.raises(FileError, match="damaged at byte 28"):
        DurableStream(folder)
    path.unlink()
    with pytest.raises(FileError, match="missing"):
        DurableStream(folder)


def test_other_options_than_before_are_refused(folder):
    X, y = examples(5)
    learned(folder, X, y, OnlinePerceptron(window=5), about={"file": "a"})
    with pytest.raises(OptionError, match=r"eta0 1\.0, and not 2\.0"):
        DurableStream(folder, OnlinePerceptron(eta0=2.0, window=5))
    with pytest.raises(OptionError, match="learner 'OnlinePerceptron'"):
        DurableStream(folder, OnlineAveragedPerceptron(window=5))
    with pytest.raises(OptionError, match="other options"):
        DurableStream(folder, about={"file": "b"})
    with pytest.raises(FileError, match="no stream is kept there"):
        DurableStream(folder / "elsewhere")
    with pytest.raises(FileError, match="not a checkpoint"):
        read_checkpoint(__file__)
    DurableStream(folder, about={"file": "a"}).close()


OTHER_FORMATS = {
    "no learner": lambda about, arrays: about.pop("learner"),
    "no options": lambda about, arrays: about.pop("options"),
    "an option less": lambda about, arrays: about["options"].pop("classes"),
    "an option more": lambda about, arrays: about["options"].update(speed=3),
    "options in a list": lambda about, arrays: about.update(options=[1]),
    "no names": lambda about, arrays: about.pop("names"),
    "names in a list": lambda about, arrays: about.update(names=[1]),
    "no weights": lambda about, arrays: arrays.pop("W"),
}


@pytest.mark.parametrize("change", OTHER_FORMATS.values(), ids=OTHER_FORMATS)
def test_a_file_of_another_format_is_refused(change, folder):
    """Whole, with a checksum that is right, and still not what this version would write."""
    learned(folder, *examples(9), OnlinePerceptron())
    path = folder / "checkpoint"
    about, arrays = read_checksummed(path, checkpoint.MAGIC, "a checkpoint")
    change(about, arrays)
    write_checksummed(path, checkpoint.MAGIC, about, arrays)
    for ask in (read_checkpoint, lambda path: DurableStream(path.parent)):
        with pytest.raises(FileError, match="checkpoint of another version of novikoff"):
            ask(path)


@pytest.mark.parametrize(
    "learner",
    [
        OnlinePerceptron(tie="-1", eta0=0.5, classes=("no", "yes")),
        OnlineAveragedPerceptron(hashing=32, classes=("no", "yes")),
        OnlinePocketPerceptron(window=7, classes=("no", "yes")),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_a_learner_in_a_file_goes_on_as_if_nothing_had_happened(learner, folder):
    X, y = examples(200)
    words = ["yes" if label > 0 else "no" for label in y]
    rows = [dict(zip("abc", row, strict=True)) for row in X.tolist()]
    learner.learn_many(rows[:100], words[:100])
    write_checkpoint(learner, folder / "c", about={"why": "test"})
    kept = read_checkpoint(folder / "c")
    assert kept.about == {"why": "test"}
    for unit in (learner, kept.learner):
        unit.learn_many(rows[100:], words[100:])
    assert learner.names == kept.learner.names
    pairs = zip(learner._arrays().values(), kept.learner._arrays().values(), strict=True)
    assert all(a.tobytes() == b.tobytes() for a, b in pairs)
    assert [learner.predict(x) for x in rows] == [kept.learner.predict(x) for x in rows]


def test_many_checkpoints_and_journals(folder, monkeypatch):
    """Short journals: a checkpoint every few examples, and the same weights."""
    X, y = examples(300)
    whole = learned(folder / "one", X, y, OnlinePocketPerceptron(window=5), sync=3)
    monkeypatch.setattr("novikoff.stream.durable.SHORTEST_JOURNAL", 100)
    assert learned(folder / "many", X, y, OnlinePocketPerceptron(window=5), sync=3) == whole
    journals = [path.name for path in (folder / "many").glob("journal-*")]
    assert len(journals) == 1
    assert journals != ["journal-0"]
    assert learned(folder / "many", X, y) == whole


FULL = """
import resource, signal, sys
from tests.stream.test_damage import examples
from novikoff.errors import FileError
from novikoff.stream import DurableStream, OnlinePerceptron, Place
folder, limit = sys.argv[1], int(sys.argv[2])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
X, y = examples(2000)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    with DurableStream(folder, OnlinePerceptron(window=5), sync=10) as stream:
        for i in range(stream.place.position, len(y)):
            stream.learn(X[i], y[i], Place(i + 1))
except FileError as error:
    print(error)
    sys.exit(3)
"""


def run_until_full(place, limit=0):
    return subprocess.run(
        [sys.executable, "-c", FULL, str(place), str(limit)], capture_output=True, text=True
    )


def test_a_file_that_may_not_grow_stops_with_a_sentence(folder):
    X, y = examples(2000)
    whole = learned(folder / "whole", X, y, OnlinePerceptron(window=5), sync=10)
    done = run_until_full(folder / "run", 20_000)
    assert done.returncode == 3, done.stderr
    assert "journal-0: cannot be written: File too large" in done.stdout
    with DurableStream(folder / "run") as stream:
        assert 100 < stream.place.position < 2000
    assert learned(folder / "run", X, y) == whole


def mounted(place, options):
    """Mount a file system in memory there, if we may."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a file system to fill")


def test_a_full_disk_does_no_damage(folder):
    X, y = examples(2000)
    whole = learned(folder / "whole", X, y, OnlinePerceptron(window=5), sync=10)
    disk = folder / "disk"
    mounted(disk, "size=64k")
    try:
        done = run_until_full(disk / "run")
        assert done.returncode == 3, done.stderr
        assert "No space left on device" in done.stdout
        again = run_until_full(disk / "run")  # still full, still no harm
        assert again.returncode == 3, again.stderr
        shutil.copytree(disk / "run", folder / "run")
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert learned(folder / "run", X, y) == whole


GOING_ON = """
import os, resource, sys
import numpy as np
from novikoff import OnlinePerceptron
from novikoff.errors import FileError
from novikoff.stream import DurableStream, Place
folder, limit = sys.argv[1], 20_000
rng = np.random.default_rng(0)
X, y = rng.standard_normal((400, 20)), rng.choice([-1, 1], 400).tolist()
stream = DurableStream(folder, OnlinePerceptron(), sync=7)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # of a file: a new one has room
failed = []
for i in range(400):
    try:
        stream.learn(X[i], y[i], Place(i + 1))
    except FileError:
        failed.append(i)
    if failed and i > 300 and stream.acknowledged:
        break
print(len(failed), i + 1, stream.learner.coef_.tobytes().hex(), flush=True)
os.kill(os.getpid(), 9)
"""


def test_what_is_acknowledged_after_there_was_no_room_is_not_lost(folder):
    command = [sys.executable, "-c", GOING_ON, str(folder / "run")]
    failed, examples, weights = subprocess.check_output(
        ["sh", "-c", '"$@"; true', "sh", *command], text=True, stderr=subprocess.DEVNULL
    ).split()
    assert int(failed) > 0
    with DurableStream(folder / "run") as stream:
        assert stream.place.position == stream.learner.account.examples == int(examples) < 400
        assert stream.learner.coef_.tobytes().hex() == weights


def test_a_read_only_folder(folder):
    disk = folder / "disk"
    mounted(disk, "ro")
    try:
        with pytest.raises(FileError, match=r"cannot be written: Read-only file system"):
            DurableStream(disk / "run", OnlinePerceptron())
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_of_somebody_else(folder):
    folder.chmod(0o500)
    with pytest.raises(FileError, match="Permission denied"):
        DurableStream(folder / "run", OnlinePerceptron())


def test_only_texts_can_be_names_of_what_is_kept(folder):
    with (
        pytest.raises(NovikoffError, match="only names that are texts"),
        DurableStream(folder, OnlinePerceptron()) as stream,
    ):
        stream.learn({7: 1.0}, 1, Place(1))
