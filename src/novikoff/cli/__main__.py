"""`python -m novikoff.cli`, where the script is not on the path."""

from novikoff.cli.main import run

run()
