"""Answers of this room: pictures and uploads, and covering."""

from curation.images.shapes.pictures import ImageRef, RenewedAnswer, RowError, UploadRow

__all__ = ["ImageRef", "RenewedAnswer", "RowError", "UploadRow"]
