"""Railbird in a browser: a server on this machine, whose pages are made of the report's templates and drawings."""
