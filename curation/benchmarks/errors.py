"""Refusals about benchmarks and protocols."""

from curation.core.errors import DomainError


class PresetUnknown(DomainError):
    """No preset has that name."""

    code = "preset_unknown"
    status = 422
    detail = "There is no preset called {preset}; known: {known}."


class SlugTaken(DomainError):
    """Another benchmark has that short name."""

    code = "slug_taken"
    status = 409
    detail = "A benchmark called {slug} exists already."
