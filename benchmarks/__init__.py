"""Speed claims as commands: `python -m benchmarks` runs Railbird and its peers side by side and prints the ratios."""
