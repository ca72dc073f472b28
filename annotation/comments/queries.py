"""Reads about comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from annotation.comments import access
from annotation.comments.models import Comment
from annotation.comments.rules import MOST_SHOWN, ORDER, Colleague, Part, handle
from annotation.items.models import Item
from annotation.packages.access import brief_for, names_shown
from curation.people.models import Person


def comments_json(person: Person, item_id: int) -> list[dict[str, Any]]:
    """What was said about an item, oldest first; of more than 500 comments the newest.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "comment_list")
    there = access.colleagues(item, benchmark, person)
    shown = names_shown(person, benchmark.pk, benchmark.protocol_id)
    rows = Comment.objects.filter(item=item).select_related("author").order_by("-pk")[:MOST_SHOWN]
    return [_comment(row, there, item, person, shown=shown) for row in reversed(rows)]


def comment_json(person: Person, comment: Comment) -> dict[str, Any]:
    """One comment, as the list shows it to whoever wrote it."""
    item, benchmark = access.item_and_benchmark(person, comment.item_id, "comment_list")
    there = access.colleagues(item, benchmark, person)
    return _comment(comment, there, item, person, shown=names_shown(person, benchmark.pk, benchmark.protocol_id))


def people_json(person: Person, item_id: int) -> list[dict[str, Any]]:
    """Who can be named in a comment on an item: everybody else who has to do with it and can open it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "item_people")
    shown = names_shown(person, benchmark.pk, benchmark.protocol_id)
    there = access.colleagues(item, benchmark, person).values()
    told = [_named(c, item, person, shown=shown) for c in there if c.sees and c.id != person.pk]
    # By name, or by numbers that are drawn: the order of hidden people tells nothing either.
    return sorted(told, key=lambda row: (ORDER.index(row["part"]), row["name"] or "", row["id"]))


def _comment(
    row: Comment, there: Mapping[int, Colleague], item: Item, viewer: Person, *, shown: bool
) -> dict[str, Any]:
    author = there.get(row.author_id)
    return {
        "id": row.pk,
        "author": brief_for(viewer, row.author, shown=shown),
        "part": author.part if author else Part.ADMINISTRATOR,
        "text": row.text,
        "mentions": [_named(there[p], item, viewer, shown=shown) for p in row.mentions if p in there],
        "created_at": row.created_at,
        "mine": row.author_id == viewer.pk,
    }


def _named(colleague: Colleague, item: Item, viewer: Person, *, shown: bool) -> dict[str, Any]:
    seen = shown or colleague.id == viewer.pk
    return {
        "id": colleague.id if seen else handle(settings.SECRET_KEY, item.pk, colleague.id),
        "name": colleague.name if seen else None,
        "part": colleague.part,
    }
