"""Whole hands, deals, and lines of logs."""
