"""Pictures of points, proofs and runs, each made by one function that returns a figure."""

from novikoff.figures.convergence import plot_convergence
from novikoff.figures.diagrams import plot_perceptron
from novikoff.figures.fewest import plot_fewest
from novikoff.figures.hulls import plot_hulls
from novikoff.figures.network import plot_network
from novikoff.figures.probes import plot_probe_map, plot_probes
from novikoff.figures.regions import plot_regions
from novikoff.figures.run import animate_run
from novikoff.figures.save import save
from novikoff.figures.textbook import plot_comparison, plot_lift, plot_xor
from novikoff.figures.trace import animate_trace, plot_mistakes, plot_trace, plot_trace_update
from novikoff.figures.update import plot_update
from novikoff.figures.verdict import plot_separator, plot_verdict, plot_verdict_hulls

__all__ = [
    "animate_run",
    "animate_trace",
    "plot_comparison",
    "plot_convergence",
    "plot_fewest",
    "plot_hulls",
    "plot_lift",
    "plot_mistakes",
    "plot_network",
    "plot_perceptron",
    "plot_probe_map",
    "plot_probes",
    "plot_regions",
    "plot_separator",
    "plot_trace",
    "plot_trace_update",
    "plot_update",
    "plot_verdict",
    "plot_verdict_hulls",
    "plot_xor",
    "save",
]
