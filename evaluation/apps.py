"""The evaluation app."""

from importlib import import_module

from django.apps import AppConfig

from curation.benchmarks.rules import register_names
from curation.people.rules import register_notices
from evaluation.submissions.rules import NOTICES
from evaluation.suites.rules import SUITES


class EvaluationConfig(AppConfig):
    """See docs/architecture/directory-structure.md."""

    name = "evaluation"

    def ready(self) -> None:
        """Collect the operations that the views declare; register what protocols may name."""
        import_module(f"{self.name}.urls")  # services ask about operations in workers and commands too
        register_names(
            suites=[suite.name for suite in SUITES.values() if suite.kind],
            systems=import_module("evaluation.systems.queries").slugs,
        )
        register_notices(NOTICES)
        public = import_module("evaluation.publication.queries")
        releases = import_module("annotation.releases.access")
        releases.register_public_pages(
            releases.PublicPages(public.public_release_ids, public.check_terms, public.is_sample)
        )
