"""Files are written whole or not at all."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import novikoff
from novikoff.core.files import is_ours, replace_whole, write_text
from novikoff.errors import FileError


def test_a_new_file_and_its_permissions(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new.txt", "Σ\n")
    finally:
        os.umask(before)
    assert (tmp_path / "new.txt").read_bytes() == "Σ\n".encode()
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_what_fails_leaves_the_old_file_alone(tmp_path, error):
    path = tmp_path / "old.txt"
    path.write_text("old")

    def fail():
        with replace_whole(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(FileError if error is OSError else error):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_nobody_sees_half_a_file(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("old")
    with replace_whole(path) as temporary:
        temporary.write_text("new")
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".txt"
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced():
    write_text("/dev/null", "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(FileError, match="/dev/full: cannot be written: No space left"):
        write_text("/dev/full", "too much")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_where_nothing_can_be_written(tmp_path):
    with pytest.raises(FileError, match="a directory"):
        write_text(tmp_path, "x")
    with pytest.raises(FileError, match="cannot be written: No such file or directory"):
        write_text(tmp_path / "no" / "file", "x")


def test_films_say_who_made_them(tmp_path):
    path = tmp_path / "run.gif"
    for _ in range(2):
        novikoff.figures.animate_trace(path, novikoff.trace([[0.0, 1.0], [1.0, 0.0]], [0, 1]))
        assert is_ours(path)
    with Image.open(path) as film:
        assert film.n_frames > 1
        film.seek(film.n_frames - 1)
    path.write_bytes(path.read_bytes().replace(b"novikoff", b"somebody"))
    assert not is_ours(path)
    film = tmp_path / "run.mp4"  # as ffmpeg writes its comment: at the end
    for name, ours in ((b"novikoff", True), (b"somebody", False)):
        film.write_bytes(b"\0\0\0\x20ftypisom" + bytes(200_000) + b"\xa9cmt\0\0\0\x10data" + name)
        assert is_ours(film) is ours


# A process that writes half a file, says where, and waits to be killed.
WRITER = """
import sys, time
from novikoff.core.files import replace_whole
with replace_whole(sys.argv[1]) as temporary:
    temporary.write_text("half")
    print(temporary, flush=True)
    time.sleep(60)
"""


def half_written(path):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_process_left_is_removed_by_the_next_writer(tmp_path):
    target = tmp_path / "a[1].txt"  # which is a pattern, too
    strangers = [tmp_path / name for name in (".a[1].txt", ".a[1].novikoff-mine.txt", ".a.txt~")]
    for path in strangers:
        path.write_text("mine")
    (tmp_path / "link.txt").symlink_to(target)
    lost, left = half_written(target)
    alive, written = half_written(target)
    try:
        assert left.exists()
        assert written.exists()
        lost.kill()
        lost.communicate()
        write_text(tmp_path / "link.txt", "whole")
        assert not left.exists()
        assert written.read_text() == "half"
    finally:
        alive.kill()
        alive.communicate()
    write_text(target, "whole")
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {"a[1].txt", "link.txt", *(path.name for path in strangers)}
    assert target.read_text() == "whole"
