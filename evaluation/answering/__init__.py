"""Answering a benchmark's own files with a system, from the command line and without a database."""
