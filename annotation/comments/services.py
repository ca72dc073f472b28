"""Commenting on items."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.comments import access
from annotation.comments.errors import CannotMention
from annotation.comments.models import Comment
from annotation.comments.rules import pseudonym
from annotation.items.queries import names_visible
from curation.core.errors import ClientKeyReused
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def add_comment(*, actor: Person, item_id: int, text: str, mentions: Sequence[int], client_key: UUID) -> Comment:
    """Add a comment, and notify the people it mentions, the item's author and the authors of earlier comments.

    Args:
        actor: The author of the comment.
        item_id: The item.
        text: Clean text, with line breaks.
        mentions: Ids or pseudonyms, as ``queries.people`` lists them for the actor.
        client_key: A repeat with the same key has the same result.

    Raises:
        CannotMention: One of the people mentioned cannot see the item.
        ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    item, benchmark = access.item_and_benchmark(actor, item_id, "comment_add")
    colleagues = access.colleagues(item, benchmark, actor)
    show_names = names_visible(actor, benchmark.pk, benchmark.protocol_id)
    id_of = {(p if show_names else pseudonym(settings.SECRET_KEY, item.pk, p)): p for p in colleagues}
    mentioned = list(dict.fromkeys(id_of.get(mention, 0) for mention in mentions))
    comment = Comment(item=item, author=actor, text=text, mentions=mentioned, client_key=client_key)
    if earlier := _earlier(comment):
        return earlier
    mentionable = {c.id for c in colleagues.values() if c.can_open and c.id != actor.pk}
    if not_mentionable := [mention for mention in mentions if id_of.get(mention) not in mentionable]:
        raise CannotMention(people=not_mentionable)
    try:
        with transaction.atomic():
            comment.save(force_insert=True)
    except IntegrityError as error:
        if earlier := _earlier(comment):  # the same command at the same moment
            return earlier
        raise ClientKeyReused from error
    others = [c.id for c in colleagues.values() if c.gets_all_comments and c.can_open and c.id not in mentioned]
    for code, person_ids in (("mentioned", mentioned), ("commented", others)):
        notify(
            person_ids=person_ids,
            code=code,
            params={"item": item.label},
            actor_id=actor.pk,
            benchmark_id=benchmark.pk,
            target_type="item",
            target_id=item.pk,
        )
    return comment


def _earlier(comment: Comment) -> Comment | None:
    """The comment of an earlier try with the same key, or None.

    Raises:
        ClientKeyReused: The key belongs to another comment.
    """
    earlier = Comment.objects.filter(author=comment.author, client_key=comment.client_key).first()
    if earlier is not None and any(
        getattr(earlier, field) != getattr(comment, field) for field in ("item_id", "text", "mentions")
    ):
        raise ClientKeyReused
    return earlier
