"""Suites: the tests that a system is put through."""
