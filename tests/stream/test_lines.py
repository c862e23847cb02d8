"""Lines of files that grow, are cut off, or hold quotes: what is an example, and what is none."""

import gzip

import pytest

from novikoff import OnlinePerceptron
from novikoff.errors import FileError, OptionError
from novikoff.stream.durable import DurableStream
from novikoff.stream.feed import Settings, open_feed
from novikoff.stream.parse import Classes, Lines

QUOTED = 'a,town,y\n1,"Ro\nme",1\n2,"x ""q"" y",-1\n3,5" pipe,1\n-1,"a\n\nb\n",-1\n4,Oslo,1\n'


def fed(source, state=None, *, skip_bad=False, stop_after=None, **options):
    settings = Settings(str(source), label="y", by_name=True, **options)
    with open_feed(settings, state=state, sync=1, predictions=None) as feed:
        lines = feed.lines(follow=False, patience=None)
        for count, (line, position) in enumerate(lines):
            feed.take(line, position, skip_bad=skip_bad)
            if count == stop_after:
                return feed
        feed.finish(skip_bad=skip_bad)
    return feed


def test_a_field_in_quotes_may_hold_the_end_of_a_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(QUOTED)
    feed = fed(path)
    expected = OnlinePerceptron()
    towns = ["Ro\nme", 'x "q" y', '5" pipe', "a\n\nb", "Oslo"]  # without blanks around
    for a, town, y in zip([1, 2, 3, -1, 4], towns, [1, -1, 1, -1, 1], strict=True):
        expected.learn({"a": float(a), "town": town}, y)
    assert feed.learner.names == expected.names
    assert feed.learner.coef_.tolist() == expected.coef_.tolist()
    assert feed.place[:2] == (len(QUOTED), QUOTED.count("\n"))


@pytest.mark.parametrize("stop_after", range(10))
def test_it_goes_on_with_the_line_in_which_an_example_began(stop_after, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(QUOTED)
    fed(path, tmp_path / "run", stop_after=stop_after)
    resumed = fed(path, tmp_path / "run")
    whole = fed(path, tmp_path / "whole")
    assert resumed.learner.names == whole.learner.names
    assert resumed.learner.coef_.tolist() == whole.learner.coef_.tolist()
    assert (resumed.place, resumed.learner.account) == (whole.place, whole.learner.account)


@pytest.mark.parametrize("more", [1, 5000])  # within the file's rest, and beyond what may be quoted
def test_quotes_without_an_end_are_one_bad_line(more, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('a,town,y\n1,Rome,1\n2,"open,-1\n' + '3,"a b, c",1\n-1,c,-1\n' * more)
    with pytest.raises(FileError, match=r"line 3: a quoted field has no end\. Correct the line"):
        fed(path)
    feed = fed(path, skip_bad=True)
    assert feed.learner.account.examples == 1 + 2 * more
    assert (feed.place.skipped, feed.place.lines) == (1, 3 + 2 * more)


def test_a_line_that_was_not_finished_when_it_was_learned(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:0.5\n-1 1:-0.5\n1 1:0.2")
    settings = Settings(str(path))

    def learn():
        with open_feed(settings, state=tmp_path / "run", sync=1, predictions=None) as feed:
            for line, position in feed.lines(follow=False, patience=None):
                feed.take(line, position, skip_bad=False)

    learn()
    with path.open("a") as file:
        file.write("5 2:1\n-1 1:3\n")  # 0.25, and not 0.2
    with pytest.raises(FileError, match="byte 25 is within a line"):
        learn()
    path.write_text("1 1:0.5\n-1 1:-0.5\n1 1:0.2\r\n-1 1:3\n")
    learn()
    with DurableStream(tmp_path / "run") as stream:
        assert stream.learner.account.examples == 4


def test_a_followed_file_that_becomes_shorter(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:0.5\n-1 1:-0.5\n")

    def cut():
        path.write_text("1 1:7\n")

    read = iter(Lines(str(path), follow=True, patience=5.0, idle=cut))
    assert [next(read)[0], next(read)[0]] == [b"1 1:0.5", b"-1 1:-0.5"]
    with pytest.raises(FileError, match="shorter than the 18 bytes that were read"):
        next(read)


@pytest.mark.parametrize("stop_after", [None, 2])
@pytest.mark.parametrize("pack", [gzip.compress, lambda text: zstd(text)])
def test_compressed_lines_with_decimal_commas(pack, stop_after, tmp_path):
    text = "a;b;y\n" + "".join(f"{k},5;{-k};{(-1) ** k}\n" for k in range(9))
    plain = tmp_path / "a.csv"
    plain.write_text(text.replace(",", ".").replace(";", ","))
    packed = tmp_path / ("b.csv.gz" if pack is gzip.compress else "b.csv.zst")
    packed.write_bytes(pack(text.encode()))
    if stop_after is not None:
        fed(packed, tmp_path / "run", decimal=",", stop_after=stop_after)
    feed = fed(packed, tmp_path / "run", decimal=",")
    expected = fed(plain)
    assert feed.learner.coef_.tolist() == expected.learner.coef_.tolist()
    assert (feed.place.position, feed.learner.account) == (len(text), expected.learner.account)
    packed.write_bytes(pack(text[:9].encode()))
    with pytest.raises(FileError, match="bytes before what was learned"):
        fed(packed, tmp_path / "run", decimal=",")


def test_what_has_no_lines_is_refused_with_what_reads_it(tmp_path):
    for name in ("a.parquet", "a.arrow", "."):
        with pytest.raises(OptionError, match="novikoff fit"):
            fed(tmp_path / name)


def test_labels_written_in_many_ways_take_no_memory():
    classes = Classes("-1", "1")
    for k in range(1, 300):
        assert classes.of(f"1.{'0' * k}") == 1
    assert classes.of("-1") == -1
    assert classes.of.cache_info().currsize <= 64


def zstd(text):
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(text)
    return sink.getvalue().to_pybytes()
