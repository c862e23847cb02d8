"""What every package needs and no mathematics: time limits, progress, files, options."""
