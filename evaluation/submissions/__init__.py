"""Predictions that people hand in against a frozen release, scored as ``manage.py score`` does."""
