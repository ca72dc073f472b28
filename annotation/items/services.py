"""Writing items: revisions are appended under the item's lock, drafts are kept by sequence number.

Who may write which item is the track's to say (``packages``); these functions take rows that are already locked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from annotation.items import queries, states
from annotation.items.errors import ContentMalformed, ContentRefused, StaleRevision
from annotation.items.models import Draft, Item, ItemRevision
from annotation.kinds.base import Finding, MalformedContent, open_findings
from annotation.kinds.registry import KINDS
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance


def clean_content(kind: str, protocol_id: int, content: Mapping[str, Any], *, draft: bool) -> dict[str, Any]:
    """Bring content into its kind's shape; a draft keeps every character as typed.

    Raises:
        ContentMalformed, TextRefused.
    """
    settings = queries.kind_settings(protocol_id, kind)
    if not isinstance(content, Mapping):
        raise ContentMalformed(expected="an object")
    try:
        return KINDS[kind].shape(content, settings) if draft else KINDS[kind].clean(content, settings)
    except MalformedContent as error:
        raise ContentMalformed(expected=error.args[0]) from error


def check_content(kind: str, protocol_id: int, content: Mapping[str, Any], *, complete: bool) -> list[Finding]:
    """What the kind's automatic rules say."""
    return KINDS[kind].check(content, queries.kind_settings(protocol_id, kind), complete=complete)


def replayed_revision(
    *, author_id: int, client_key: UUID, item_id: int, content: Mapping[str, Any]
) -> ItemRevision | None:
    """The revision that an earlier try with the same key wrote, or None.

    Raises:
        ClientKeyReused: The key belongs to another item or other content.
    """
    revision = ItemRevision.objects.filter(author_id=author_id, client_key=client_key).first()
    if revision is not None:
        same_submission(revision, item_id=item_id, content=content)
    return revision


def same_submission(revision: ItemRevision, *, item_id: int, content: Mapping[str, Any]) -> None:
    """Refuse a repeated key that comes with something else than its revision holds.

    Raises:
        ClientKeyReused.
    """
    if revision.item_id != item_id or revision.content != content:
        raise ClientKeyReused


def append_revision(
    *,
    item: Item,
    action: str,
    author_id: int,
    base_no: int,
    content: Mapping[str, Any],
    reasons: Mapping[str, str],
    origin: str,
    protocol_id: int,
    client_key: UUID,
) -> ItemRevision:
    """Write the next revision of a locked item and move the item.

    Args:
        item: Locked by the caller.
        action: Row of the item's state table: ``submit`` or ``correct``.
        author_id: Who wrote it.
        base_no: The revision the author saw.
        content: Clean content of the item's kind.
        reasons: Why findings are overridden, by their code.
        origin: ``annotator``, ``senior`` or ``import``.
        protocol_id: Whose rules it obeys.
        client_key: Makes a repeat harmless.

    Raises:
        StaleRevision: ``base_no`` is not current; ``extra`` holds mine, theirs and base.
        ContentRefused: A rule stops it.
        ActionNotAllowed: The item's state does.
        ClientKeyReused: The author used the key elsewhere.
    """
    if item.revision_no != base_no:
        raise stale(item, base_no=base_no, mine=content)
    findings = check_content(item.kind, protocol_id, content, complete=True)
    if stopping := open_findings(findings, reasons):
        raise ContentRefused(count=len(stopping), findings=[f.as_json() for f in findings])
    advance(item, action, table=states.TABLE)
    item.revision_no += 1
    revision = ItemRevision(
        item=item,
        no=item.revision_no,
        author_id=author_id,
        origin=origin,
        content=dict(content),
        content_schema=KINDS[item.kind].content_schema,
        findings=[f.as_json() for f in findings],
        reasons={f.code: reasons[f.code].strip() for f in findings if f.overridable},
        protocol_id=protocol_id,
        client_key=client_key,
    )
    try:
        with transaction.atomic():
            revision.save(force_insert=True)
    except IntegrityError as error:
        raise ClientKeyReused from error
    item.save(update_fields=["state", "revision_no"])
    return revision


def stale(item: Item, *, base_no: int, mine: Mapping[str, Any]) -> StaleRevision:
    """Build the refusal that shows both versions and what they came from."""
    texts = dict(
        ItemRevision.objects.filter(item=item, no__in=[base_no, item.revision_no]).values_list("no", "content")
    )
    return StaleRevision(
        base_no=base_no,
        revision_no=item.revision_no,
        extra={"mine": mine, "theirs": texts.get(item.revision_no), "base": texts.get(base_no)},
    )


_SAVE_DRAFT = """
    insert into annotation_draft (item_id, author_id, base_no, seq, content, findings, updated_at)
    select %(item)s, %(author)s, %(base_no)s, %(seq)s, %(content)s, %(findings)s, %(now)s
    on conflict (item_id, author_id) do update
      set base_no = excluded.base_no, seq = excluded.seq, content = excluded.content, findings = excluded.findings,
          updated_at = excluded.updated_at
      where annotation_draft.seq < excluded.seq
    returning seq
"""


def save_draft(
    *, item_id: int, author_id: int, base_no: int, seq: int, content: Mapping[str, Any], findings: list[dict[str, Any]]
) -> int:
    """Keep what somebody typed; a save older than the stored one changes nothing.

    Returns:
        The stored sequence number: ``seq``, or the newer one that was there already.
    """
    values: dict[str, Any] = {
        "item": item_id,
        "author": author_id,
        "base_no": base_no,
        "seq": seq,
        "content": Jsonb(dict(content)),
        "findings": Jsonb(findings),
        "now": timezone.now(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_SAVE_DRAFT, values)
        if stored := cursor.fetchone():
            return int(stored[0])
    return Draft.objects.values_list("seq", flat=True).get(item_id=item_id, author_id=author_id)


def drop_draft(*, item_id: int, author_id: int) -> None:
    """Forget a draft that became a revision."""
    Draft.objects.filter(item_id=item_id, author_id=author_id).delete()
