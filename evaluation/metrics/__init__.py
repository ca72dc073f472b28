"""Metrics: numpy arrays in, values with confidence intervals out."""
