"""Reads about samples of runs over item sets: lists, what they can be filtered by, one entry."""

from evaluation.samples.queries.listing import prediction_filters, prediction_list
from evaluation.samples.queries.results import require_results
from evaluation.samples.queries.showing import overridden_prediction, prediction

__all__ = ["overridden_prediction", "prediction", "prediction_filters", "prediction_list", "require_results"]
