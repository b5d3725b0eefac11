"""The rules, once: betting structures, the betting tree, what one seat may see, the record of a hand."""
