"""Celery entry points of this app, gathered from its features."""
