"""Answering a gold file: choose prompts, open the system, ask, write."""
