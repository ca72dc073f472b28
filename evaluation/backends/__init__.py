"""Ways to run a system: requests in, answers out. Nothing here knows of Django or of the database.

Modules that import torch are reached only through :mod:`evaluation.backends.registry`, at the moment a model is loaded.
"""
