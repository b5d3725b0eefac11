"""Railbird."""
