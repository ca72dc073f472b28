"""Scoring files of predictions: each of the papers' definitions, and their published code's, under a name of its own.

Pure Python and numpy. A profile fixes how an answer is read, what counts as right, what becomes of an answer that is
missing or cannot be read, and over what is averaged (``docs/profiles.md``).
"""
