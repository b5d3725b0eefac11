"""What is wrong with a bot."""
