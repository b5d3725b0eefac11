"""The competition's wire: a dealer, and bots that play at any such dealer's table."""
