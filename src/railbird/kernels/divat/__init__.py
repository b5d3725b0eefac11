"""DIVAT's baseline and its values."""
