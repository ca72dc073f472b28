"""What happens to benchmarks as a whole.

Creating one needs people (who may), the protocol and the categories, so it stands in the lowest room that may know all
three; the tables of benchmarks and protocols lie two rooms below.
"""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction

from curation.benchmarks.errors import SlugTaken
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import preset as read_preset
from curation.benchmarks.rules import consent_sha256
from curation.core import audit
from curation.core.errors import ClientKeyReused, OperationNotAllowed
from curation.people.models import Person
from curation.taxonomy.models import Category
from curation.taxonomy.queries import category_list
from curation.taxonomy.rules import CategoryList


def create_benchmark(*, actor: Person, slug: str, title: dict[str, str], preset: str, client_key: UUID) -> Benchmark:
    """Create a benchmark from a preset: its protocol's first version and its categories.

    The site's owner creates it and reaches everything in it; roles in it are given to people afterwards.

    Raises:
        OperationNotAllowed: The actor is not the site's owner.
        PresetUnknown: No preset has that name.
        SlugTaken: Another benchmark has the short name.
        ClientKeyReused: The key was used for something else.
    """
    if not actor.may(None, "benchmark_create"):
        raise OperationNotAllowed(operation="benchmark_create")
    protocol = read_preset(preset)
    categories = category_list(protocol.content["taxonomy"]["list"])
    try:
        with transaction.atomic():
            if earlier := _earlier(actor, client_key, slug, title, protocol.name):
                return earlier
            benchmark = Benchmark.objects.create(slug=slug, title=title)
            benchmark.protocol = ProtocolVersion.objects.create(
                benchmark=benchmark,
                version=1,
                name=protocol.name,
                source_sha256=protocol.source_sha256,
                content=protocol.content,
                consent_sha256=consent_sha256(protocol.content),
            )
            benchmark.save(update_fields=["protocol"])
            _add_categories(benchmark, categories)
            audit.record(
                action="benchmark_create",
                target_type="benchmark",
                target_id=benchmark.pk,
                label=benchmark.slug,
                actor_id=actor.pk,
                benchmark_id=benchmark.pk,
                state_to=benchmark.state,
                data={"preset": protocol.name, "protocol_sha256": protocol.source_sha256},
                client_key=client_key,
            )
            return benchmark
    except IntegrityError as error:
        # Somebody was quicker: this very request on another connection, or another benchmark of that name.
        if earlier := _earlier(actor, client_key, slug, title, protocol.name):
            return earlier
        raise SlugTaken(slug=slug) from error


def _earlier(actor: Person, client_key: UUID, slug: str, title: dict[str, str], preset: str) -> Benchmark | None:
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="benchmark_create")
    if done is None:
        return None
    made = Benchmark.objects.select_related("protocol").get(pk=done.target_id)
    if (made.slug, made.title, done.data["preset"]) != (slug, title, preset):
        raise ClientKeyReused
    return made


def _add_categories(benchmark: Benchmark, categories: CategoryList) -> None:
    Category.objects.bulk_create(
        [
            Category(
                benchmark=benchmark,
                slug=entry.slug,
                name=entry.name.model_dump(by_alias=True),
                field=field.slug,
                field_name=field.name.model_dump(by_alias=True),
                short_name=entry.short.model_dump(by_alias=True) if entry.short else None,
                definition=entry.definition.model_dump(by_alias=True) if entry.definition else None,
                distance=entry.group,
                number=entry.number,
            )
            for field in categories.fields
            for entry in field.categories
        ]
    )
