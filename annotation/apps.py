"""The annotation app."""

from importlib import import_module

from django.apps import AppConfig

from annotation.comments import rules as comments
from annotation.guidelines import rules as guidelines
from annotation.kinds.registry import KINDS
from annotation.packages import rules as packages
from annotation.quality import rules as quality
from annotation.releases.rules import GATES
from curation.benchmarks.rules import register_kinds, register_names
from curation.people.rules import register_notices


class AnnotationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "annotation"

    def ready(self) -> None:
        """Collect the operations that the views declare; register notifications and what protocols may name."""
        import_module(f"{self.name}.urls")  # services ask about operations in workers and commands too
        register_kinds({name: kind.settings for name, kind in KINDS.items()})
        register_names(gates=GATES, exporters=import_module("annotation.releases.exporters.registry").DATA)
        register_notices(comments.NOTICES | guidelines.NOTICES | packages.NOTICES | quality.NOTICES)
