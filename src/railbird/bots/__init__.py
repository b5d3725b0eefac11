"""Players: one published player per module, and the simple ones."""
