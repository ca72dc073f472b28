"""The curation app."""

from django.apps import AppConfig


class CurationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "curation"
