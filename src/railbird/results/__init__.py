"""What a result is, and the one way to make text, a table, a figure or a page of it. No poker here."""
