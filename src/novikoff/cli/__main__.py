"""`python -m novikoff.cli`, which is `python -m novikoff`."""

from novikoff.__main__ import main

main()
