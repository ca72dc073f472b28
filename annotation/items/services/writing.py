"""Writing items: revisions are appended under the item's lock, drafts are kept by sequence number.

The track (``packages``) checks who may write which item; these functions take rows that are already locked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from psycopg.types.json import Jsonb

from annotation.items import queries, states
from annotation.items.errors import (
    ContentMalformed,
    ContentRefused,
    CopyByAnotherPerson,
    GuidelineNotAcknowledged,
    PictureChanged,
    StaleRevision,
)
from annotation.items.models import PICTURE_CHANGED, Draft, Item, ItemRevision
from annotation.kinds.base import Finding, FindingRow, open_findings
from annotation.kinds.content import MalformedContent, accept, clean
from annotation.kinds.context import Context
from annotation.kinds.registry import KINDS
from curation.core.errors import ClientKeyReused
from curation.core.transitions import Table, advance
from curation.lib.statements import prepared_cursor


def clean_content(
    kind: str, protocol_id: int, content: Mapping[str, Any], context: Context, *, draft: bool
) -> dict[str, Any]:
    """Convert content to the shape of its kind; a draft keeps every character as typed.

    ``language`` is as in :func:`annotation.items.queries.context_of`.

    Raises:
        ContentMalformed, TextRefused.
    """
    if not isinstance(content, Mapping):
        raise ContentMalformed(expected="an object")
    try:
        tree = queries.tree_of(protocol_id, kind, context.language.tag)
        return accept(tree, content) if draft else clean(tree, content)
    except MalformedContent as error:
        raise ContentMalformed(expected=error.args[0]) from error


def check_content(
    kind: str, protocol_id: int, content: Mapping[str, Any], context: Context, *, complete: bool
) -> list[Finding]:
    """The findings of the kind's automatic rules on content."""
    return KINDS[kind].check(content, queries.kind_settings(protocol_id, kind), context, complete=complete)


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
    """Check that a repeated key comes with the item and content of its revision.

    Raises:
        ClientKeyReused.
    """
    if revision.item_id != item_id or revision.content != content:
        raise ClientKeyReused


def acknowledged_guideline_id(kind: str, guidelines: Sequence[Mapping[str, Any]], version: int | None) -> int | None:
    """The id of the guidelines that the author followed.

    Args:
        kind: The item's kind.
        guidelines: The rows of ``queries.guidelines_read`` for its author, newest first.
        version: The version that the desk showed; None or an unknown one: the newest.

    Raises:
        GuidelineNotAcknowledged: The author has not acknowledged the newest version, or this one.
    """
    if not guidelines:
        return None
    newest = guidelines[0]
    followed = next((g for g in guidelines if g["version"] == version), newest)
    if not (newest["acknowledged"] and followed["acknowledged"]):
        raise GuidelineNotAcknowledged(kind=kind, version=newest["version"])
    return int(followed["id"])


# One statement, because it runs for every submitted item: insert the revision, move the item, delete the author's
# draft. The draft's time counts if it is longer than that of the submission.
_APPEND = """
    with dropped as (
      delete from annotation_draft where item_id = %(item)s and author_id = %(author)s returning active_ms
    ), moved as (
      update annotation_item set state = %(state)s, revision_no = %(no)s, accepted_no = null where id = %(item)s
    )
    insert into annotation_itemrevision (
      item_id, no, author_id, partner_id, origin, content, content_schema, findings, reasons, protocol_id, guideline_id,
      active_ms, picture_no, client_key
    ) values (
      %(item)s, %(no)s, %(author)s, %(partner)s, %(origin)s, %(content)s, %(content_schema)s, %(findings)s, %(reasons)s,
      %(protocol)s, %(guideline)s, greatest(%(active_ms)s::integer, (select nullif(active_ms, 0) from dropped)),
      coalesce(%(picture_no)s::integer, (select redaction_no from curation_image where id = %(image)s)), %(client_key)s
    )
    returning id, active_ms, created_at
"""


def append_revision(
    *,
    item: Item,
    action: str,
    author_id: int,
    base_no: int,
    content: Mapping[str, Any],
    context: Context,
    reasons: Mapping[str, str],
    origin: str,
    protocol_id: int,
    client_key: UUID,
    guideline_id: int | None = None,
    active_ms: int | None = None,
    picture_no: int | None = None,
    partner_id: int | None = None,
    table: Table = states.TABLE,
) -> ItemRevision:
    """Append a revision to a locked item, move the item and delete its author's draft.

    Args:
        item: The item, locked by the caller.
        action: The move in the item's state table, such as ``submit``; one to a state in which nothing is accepted.
        author_id: The author of the revision.
        base_no: The revision that the author saw.
        content: Content from :func:`clean_content`.
        context: The item's context (``queries.context_of``).
        reasons: Reasons for overriding findings, by the finding's code.
        origin: ``annotator``, ``senior`` or ``import``.
        protocol_id: The protocol version whose rules apply.
        client_key: A repeat with the same key has the same result.
        guideline_id: The guidelines that the author followed.
        active_ms: Time spent on it, without idle minutes.
        picture_no: The version of the picture that the author saw; None: the current one.
        partner_id: The person who made it together with the author.
        table: The state table of the item's track.

    Raises:
        StaleRevision: ``base_no`` is not current; ``extra`` contains mine, theirs and base.
        PictureChanged: The picture has another version, or its version no tick; the caller's transaction is broken.
        ContentRefused: The content has findings that block it.
        ActionNotAllowed: The item's state does not allow the action.
        ClientKeyReused: The author used the key for another revision; the caller's transaction is broken.
        CopyByAnotherPerson: The author did the other item of a double; the caller's transaction is broken.
    """
    if item.revision_no != base_no:
        raise stale(item, base_no=base_no, mine=content)
    findings = check_content(item.kind, protocol_id, content, context, complete=True)
    if blocking := open_findings(findings, reasons):
        raise ContentRefused(count=len(blocking), findings=[f.as_json() for f in findings])
    advance(item, action, table=table)
    item.revision_no, item.accepted_no = item.revision_no + 1, None
    revision = ItemRevision(
        item=item,
        no=item.revision_no,
        author_id=author_id,
        partner_id=partner_id,
        origin=origin,
        content=dict(content),
        content_schema=KINDS[item.kind].content_schema,
        findings=[f.as_json() for f in findings],
        reasons={f.code: reasons[f.code].strip() for f in findings if f.overridable},
        protocol_id=protocol_id,
        guideline_id=guideline_id,
        client_key=client_key,
    )
    values: dict[str, Any] = {
        "item": item.pk,
        "state": item.state,
        "no": revision.no,
        "author": author_id,
        "partner": partner_id,
        "origin": origin,
        "content": Jsonb(revision.content),
        "content_schema": revision.content_schema,
        "findings": Jsonb(revision.findings),
        "reasons": Jsonb(revision.reasons),
        "protocol": protocol_id,
        "guideline": guideline_id,
        "active_ms": active_ms,
        "picture_no": picture_no,
        "image": item.image_id,
        "client_key": client_key,
    }
    try:
        with prepared_cursor() as cursor:
            cursor.execute(_APPEND, values)
            (row,) = cursor.fetchall()
    except IntegrityError as error:
        if PICTURE_CHANGED in str(error):
            raise PictureChanged from error
        if "copy_by_another_person" in str(error):
            raise CopyByAnotherPerson from error
        if "item_revision_key_once" not in str(error):
            raise
        raise ClientKeyReused from error
    revision.pk, revision.active_ms, revision.created_at = row
    return revision


def stale(item: Item, *, base_no: int, mine: Mapping[str, Any] | None) -> StaleRevision:
    """Build the error with both versions of the content and their common base."""
    contents = dict(
        ItemRevision.objects.filter(item=item, no__in=[base_no, item.revision_no]).values_list("no", "content")
    )
    return StaleRevision(
        base_no=base_no,
        revision_no=item.revision_no,
        extra={"mine": mine, "theirs": contents.get(item.revision_no), "base": contents.get(base_no)},
    )


_SAVE_DRAFT = """
    insert into annotation_draft (
      item_id, author_id, base_no, seq, content, findings, active_ms, brought_in, updated_at
    )
    values (
      %(item)s, %(author)s, %(base_no)s, %(seq)s, %(content)s, %(findings)s, %(active_ms)s, %(brought_in)s,
      statement_timestamp()
    )
    on conflict (item_id, author_id) do update
      set base_no = excluded.base_no, seq = excluded.seq, content = excluded.content, findings = excluded.findings,
          brought_in = excluded.brought_in, active_ms = greatest(annotation_draft.active_ms, excluded.active_ms),
          updated_at = excluded.updated_at
      where annotation_draft.seq < excluded.seq
    returning seq, updated_at
"""


def save_draft(
    *,
    item: Item,
    author_id: int,
    base_no: int,
    seq: int,
    content: Mapping[str, Any],
    findings: list[FindingRow],
    active_ms: int = 0,
    imported: bool = False,
) -> tuple[int, datetime]:
    """Save a draft; a save older than the stored one changes nothing, and the time spent never decreases.

    A save that arrives after its text was submitted is stale: as a draft it would hide the newer revision.

    Args:
        item: The item, locked by the caller.
        author_id: The draft's author.
        base_no: The revision that the author saw.
        seq: Number of this save; grows.
        content: Content of the kind's shape, with texts as typed.
        findings: The findings of the rules on it.
        active_ms: Time spent so far, without idle minutes.
        imported: The draft comes from a file; the item's annotator sees it.

    Returns:
        The stored sequence number, which is ``seq`` or a newer one, and the time of that save.

    Raises:
        StaleRevision: ``base_no`` is not current.
    """
    if item.revision_no != base_no:
        raise stale(item, base_no=base_no, mine=content)
    values: dict[str, Any] = {
        "item": item.pk,
        "author": author_id,
        "base_no": base_no,
        "seq": seq,
        "content": Jsonb(dict(content)),
        "findings": Jsonb(findings),
        "active_ms": active_ms,
        "brought_in": imported,
    }
    with prepared_cursor() as cursor:
        cursor.execute(_SAVE_DRAFT, values)
        stored: tuple[int, datetime] | None = cursor.fetchone()
    return stored or Draft.objects.values_list("seq", "updated_at").get(item=item, author_id=author_id)
