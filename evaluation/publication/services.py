"""What administrators decide about public pages, and the count of downloads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from annotation.releases import access as releases
from annotation.releases.models import Release, ReleaseImage
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.images.services import show_to_everybody
from curation.people.models import Person
from evaluation.publication import access, queries, rules
from evaluation.publication.errors import ReleaseNotPublished, TermsMissing
from evaluation.publication.models import Publication, PublicRelease

_COUNT = """
    insert into evaluation_download (release_id, name, day, n) values (%s, %s, (now() at time zone 'utc')::date, 1)
    on conflict (release_id, name, day) do update set n = evaluation_download.n + 1
"""


@transaction.atomic
def update_publication(
    *,
    actor: Person,
    benchmark_slug: str,
    client_key: UUID,
    is_open: bool | None = None,
    terms_mode: str | None = None,
    terms: Mapping[str, str] | None = None,
    citation: Mapping[str, Any] | None = None,
) -> Publication:
    """Open or close a benchmark's public pages, and change their terms and citation; None keeps a setting.

    Raises:
        TermsMissing: People are to accept terms, and one of the languages has no text.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark, publication = access.publication_for(actor, benchmark_slug, "publication_update", lock=True)
    if publication is None:
        publication = queries.default_publication(benchmark)
        publication.save(force_insert=True)
    decision = Decision(
        actor_id=actor.pk,
        action="publication_update",
        row=publication,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if decision.is_repeat():
        return publication
    settings = {"is_open": is_open, "terms_mode": terms_mode, "terms": terms, "citation": citation}
    changed = {n: v for n, v in settings.items() if v is not None and v != getattr(publication, n)}
    for name, value in changed.items():
        setattr(publication, name, value)
    texts = [publication.terms.get(language, "") for language in rules.LANGUAGES]
    if not all(texts) and (any(texts) or publication.terms_mode == Publication.Terms.ACCOUNT):
        raise TermsMissing
    publication.terms_sha256 = rules.terms_sha256(publication.terms)
    publication.changed_at = timezone.now()
    publication.save()
    # The log contains no text that people wrote, only that it was changed.
    codes = {name: value for name, value in changed.items() if name in ("is_open", "terms_mode")}
    decision.record(**codes, terms_sha256=publication.terms_sha256, changed=sorted(changed))
    return publication


@transaction.atomic
def open_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Show a published release on the public pages.

    Raises:
        ReleaseNotPublished: It is not published, or was withdrawn.
        ActionNotAllowed: It is open already.
        PicturesInDialogue: A person who may not see its pictures yet is asking about one.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release = releases.lock_release_for(actor, release_id, "public_release_open")
    decision = Decision(actor_id=actor.pk, action="public_release_open", row=release, client_key=client_key)
    if decision.is_repeat():
        return release
    if release.state != Release.State.PUBLISHED:
        raise ReleaseNotPublished(label=release.label)
    row, created = PublicRelease.objects.get_or_create(release=release, benchmark_id=release.benchmark_id)
    if not created and row.closed_at is None:
        raise ActionNotAllowed(action="open", state="open")
    # A benchmark may name dialogues later, so this is recorded for all.
    show_to_everybody(ReleaseImage.objects.filter(release=release).values_list("image_id", flat=True))
    row.opened_at, row.closed_at = timezone.now(), None
    row.save(update_fields=["opened_at", "closed_at"])
    decision.record(digest=release.digest)
    return release


@transaction.atomic
def close_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Take a release off the public pages; its address says that it was public.

    Raises:
        ActionNotAllowed: It is not open.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release = releases.lock_release_for(actor, release_id, "public_release_close")
    decision = Decision(actor_id=actor.pk, action="public_release_close", row=release, client_key=client_key)
    if decision.is_repeat():
        return release
    row = PublicRelease.objects.filter(release=release, closed_at=None).first()
    if row is None:
        raise ActionNotAllowed(action="close", state="closed")
    row.closed_at = timezone.now()
    row.save(update_fields=["closed_at"])
    decision.record()
    return release


def count_download(release_id: int, name: str) -> None:
    """Count the download of a file."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [release_id, name])
