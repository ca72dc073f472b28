"""Saying something about an item."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.comments import access
from annotation.comments.errors import CannotMention
from annotation.comments.models import Comment
from annotation.comments.rules import handle
from annotation.packages.access import names_shown
from curation.core.errors import ClientKeyReused
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def add_comment(*, actor: Person, item_id: int, text: str, mentions: Sequence[int], client_key: UUID) -> Comment:
    """Add a remark; those named are told so, and so are the item's author and whoever said something before.

    Args:
        actor: Who says it.
        item_id: About what.
        text: Clean, with line breaks.
        mentions: People as ``queries.people`` names them to the actor.
        client_key: Makes a repeat harmless.

    Raises:
        CannotMention: Not everybody who was named can see the item.
        ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    item, benchmark = access.item_and_benchmark(actor, item_id, "comment_add")
    there = access.colleagues(item, benchmark, actor)
    shown = names_shown(actor, benchmark.pk, benchmark.protocol_id)
    told = {(p if shown else handle(settings.SECRET_KEY, item.pk, p)): p for p in there}
    named = list(dict.fromkeys(told.get(mention, 0) for mention in mentions))
    comment = Comment(item=item, author=actor, text=text, mentions=named, client_key=client_key)
    if earlier := _earlier(comment):
        return earlier
    open_to = {c.id for c in there.values() if c.sees and c.id != actor.pk}
    if beyond := [mention for mention in mentions if told.get(mention) not in open_to]:
        raise CannotMention(people=beyond)
    try:
        with transaction.atomic():
            comment.save(force_insert=True)
    except IntegrityError as error:
        if earlier := _earlier(comment):  # the same command at the same moment
            return earlier
        raise ClientKeyReused from error
    for code, whom in (
        ("mentioned", named),
        ("commented", [c.id for c in there.values() if c.asked and c.sees and c.id not in named]),
    ):
        notify(
            person_ids=whom,
            code=code,
            params={"item": item.label},
            actor_id=actor.pk,
            benchmark_id=benchmark.pk,
            target_type="item",
            target_id=item.pk,
        )
    return comment


def _earlier(comment: Comment) -> Comment | None:
    """What an earlier try with the same key wrote, or None.

    Raises:
        ClientKeyReused: It wrote something else.
    """
    earlier = Comment.objects.filter(author=comment.author, client_key=comment.client_key).first()
    if earlier is not None and any(
        getattr(earlier, field) != getattr(comment, field) for field in ("item_id", "text", "mentions")
    ):
        raise ClientKeyReused
    return earlier
