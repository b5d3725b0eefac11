"""Small games, solved whole."""
