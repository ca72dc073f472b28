"""Statistics of quality: sampled inspection, and agreement between judges; and the notification types."""

from annotation.quality.rules.notices import NOTICES
from curation.lib.intervals import Interval, clopper_pearson, interval
from curation.lib.sampling import PREVIEWED_PERCENTS, errors_allowed, pass_chance, passes, sample_size

__all__ = [
    "NOTICES",
    "PREVIEWED_PERCENTS",
    "Interval",
    "clopper_pearson",
    "errors_allowed",
    "interval",
    "pass_chance",
    "passes",
    "sample_size",
]
