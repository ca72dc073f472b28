"""Backends that run a system: inputs in, vectors out. Nothing here imports Django or the database.

Only :mod:`evaluation.backends.registry` imports modules that need torch, at the moment it loads a model.
"""
