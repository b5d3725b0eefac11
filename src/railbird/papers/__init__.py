"""The papers' experiments, run again: a file for each paper, and files for what several of them share."""
