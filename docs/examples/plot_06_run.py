"""
A run that moves
================

`novikoff.figures.animate_trace` writes a GIF (with ffmpeg, an MP4) of a whole run, mistake by
mistake: the start, where w = 0, then the line before and after each update, and the rows that are
wrong now.
"""

from pathlib import Path
from tempfile import mkdtemp

import novikoff
from novikoff.figures import animate_run, animate_trace, plot_trace_update

toy = novikoff.load_dataset("toy")
run = novikoff.trace(toy.X, toy.y)
folder = Path(mkdtemp())
moving = animate_trace(folder / "run.gif", run)

# %%
# Each mistake is a figure of its own, too.

first = plot_trace_update(run, 1)
last = plot_trace_update(run, run.n_mistakes)

# %%
# Without a trace, the rows that were mistaken are enough.

again = animate_run(folder / "again.gif", toy.X, toy.signs, run.rows)
