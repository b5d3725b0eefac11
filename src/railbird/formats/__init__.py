"""Text to and from hand records."""
