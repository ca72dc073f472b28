"""The curation app."""

from importlib import import_module

from django.apps import AppConfig

from curation.board.rules import NOTICES as BOARD_NOTICES
from curation.people.rules import register_notices
from curation.taxonomy.rules import NOTICES, register_axis_values_in_use


class CurationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "curation"

    def ready(self) -> None:
        """Collect the operations that the views declare, which services ask about in workers too, and notices."""
        register_notices(NOTICES)
        register_notices(BOARD_NOTICES)
        register_axis_values_in_use(import_module(f"{self.name}.images.queries").axis_values_in_use)
        import_module(f"{self.name}.urls")
