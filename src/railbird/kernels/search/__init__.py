"""Expected values over betting trees."""
