"""The evaluation app."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "evaluation"
