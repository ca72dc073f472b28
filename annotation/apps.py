"""The annotation app."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "annotation"
