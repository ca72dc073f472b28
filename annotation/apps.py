"""The annotation app."""

from importlib import import_module

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "annotation"

    def ready(self) -> None:
        """Collect the operations that the views declare, which services ask about in workers and commands too."""
        import_module(f"{self.name}.urls")
