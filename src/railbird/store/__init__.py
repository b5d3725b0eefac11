"""Hands in tables of Parquet: written once, read by everything that reads logs, and added up in a few seconds."""
