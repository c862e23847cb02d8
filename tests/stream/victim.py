"""A process that learns a stream and is killed: forked, so that hundreds of deaths take seconds.

    python -m tests.stream.victim INPUT FOLDER LEARNER SYNC DEATHS SEED

Forks a child that feeds the file into the folder, kills it with SIGKILL after a random time, and so
on; at last it lets a child finish. Every child goes on from what the one before left.
"""

import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

from novikoff.stream.feed import Settings, open_feed


def feed_all(settings, folder, sync, predictions):
    """What `novikoff stream` does, without its process start."""
    with open_feed(settings, state=folder, sync=sync, predictions=predictions) as feed:
        for line, position in feed.lines(follow=False, patience=None):
            feed.take(line, position, skip_bad=False)


def settings_of(source, learner):
    by_name = Path(source).suffix == ".jsonl"
    return Settings(source=str(source), label="label", learner=learner, window=20, by_name=by_name)


def one_life(settings, folder, sync, predictions, seconds):
    """Fork, and kill what was forked after so many seconds; return whether it finished first."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            feed_all(settings, folder, sync, predictions)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    if os.WEXITSTATUS(status) != 0:
        raise SystemExit(f"a child failed with status {os.WEXITSTATUS(status)}")
    return True


def main():
    source, folder, learner, sync, deaths, seed = sys.argv[1:]
    folder, rng = Path(folder), random.Random(int(seed))
    settings = settings_of(source, learner)
    predictions = folder.with_suffix(".predictions")
    warm = folder.with_suffix(".warm")
    begun = time.monotonic()
    feed_all(settings, warm, int(sync), warm.with_suffix(".p"))
    whole = time.monotonic() - begun
    killed, longest = 0, 0.004 + 1.5 * whole / int(deaths)
    for _ in range(int(deaths)):
        if one_life(settings, folder, int(sync), predictions, rng.uniform(0, longest)):
            break
        killed += 1
    one_life(settings, folder, int(sync), predictions, None)
    print(killed)


if __name__ == "__main__":
    main()
