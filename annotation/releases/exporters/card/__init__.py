"""The data set's card."""

from annotation.releases.exporters.card.page import EXPORTER, NAME

__all__ = ["EXPORTER", "NAME"]
