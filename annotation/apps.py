"""The annotation app."""

from importlib import import_module

from django.apps import AppConfig

from annotation.bulk import rules as bulk
from annotation.comments import rules as comments
from annotation.guidelines import rules as guidelines
from annotation.kinds.registry import KINDS, tracks_of
from annotation.packages import rules as packages
from annotation.pair import rules as pair
from annotation.panel import rules as panel
from annotation.peer import rules as peer
from annotation.quality import rules as quality
from annotation.releases import rules as releases
from annotation.tracks import rules as tracks
from curation.benchmarks.rules import register_kinds, register_names
from curation.people.rules import register_audit_data, register_notices
from curation.prompts.rules import register_item_values
from curation.taxonomy.rules import register_counts, register_kinds_in_use


class AnnotationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "annotation"

    def ready(self) -> None:
        """Collect the operations that the views declare, and register what the rooms below use of this app."""
        import_module(f"{self.name}.urls")  # services ask about operations in workers and commands too
        register_kinds(
            {name: kind.settings for name, kind in KINDS.items()},
            tracks={name: tracks_of(name) for name in KINDS},
            bases={name: kind.base for name, kind in KINDS.items() if kind.base},
        )
        register_names(gates=releases.GATES, exporters=import_module("annotation.releases.exporters.registry").DATA)
        rooms = (bulk, comments, guidelines, packages, pair, panel, peer, quality, releases, tracks)
        register_notices({code: notice for room in rooms for code, notice in room.NOTICES.items()})
        verdicts = import_module("annotation.quality.queries")
        register_audit_data(verdicts.VERDICT_ACTIONS, verdicts.data_of_unseen_verdicts)
        register_counts(import_module("annotation.tallies.queries").benchmark_counts())
        register_counts(import_module("annotation.releases.queries").benchmark_counts())
        register_kinds_in_use(import_module("annotation.items.queries").kinds_with_items)
        variables = import_module("annotation.kinds.prompt_values").VARIABLES_OF
        register_item_values(import_module("annotation.tracks.queries").item_values, variables)
