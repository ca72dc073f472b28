"""Scores of runs over frozen releases."""
