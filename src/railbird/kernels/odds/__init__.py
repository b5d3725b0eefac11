"""Strength, potential and equity of holdings."""
