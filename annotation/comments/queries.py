"""Reads about comments."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from annotation.comments import access
from annotation.comments.models import Comment
from annotation.comments.rules import MOST_SHOWN, ORDER, Colleague, Part, handle
from annotation.comments.shapes import CommentRow, ItemPerson
from annotation.items.models import Item
from annotation.packages.access import brief_for, names_shown
from curation.people.models import Person


def comments(person: Person, item_id: int) -> list[CommentRow]:
    """List the comments on an item, oldest first; of more than 500 the newest.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "comment_list")
    colleagues = access.colleagues(item, benchmark, person)
    shown = names_shown(person, benchmark.pk, benchmark.protocol_id)
    rows = Comment.objects.filter(item=item).select_related("author").order_by("-pk")[:MOST_SHOWN]
    return [_comment(row, colleagues, item, person, shown=shown) for row in reversed(rows)]


def comment_row(person: Person, comment: Comment) -> CommentRow:
    """One comment, as the list shows it to its author."""
    item, benchmark = access.item_and_benchmark(person, comment.item_id, "comment_list")
    colleagues = access.colleagues(item, benchmark, person)
    return _comment(comment, colleagues, item, person, shown=names_shown(person, benchmark.pk, benchmark.protocol_id))


def people(person: Person, item_id: int) -> list[ItemPerson]:
    """List whom a comment on an item can mention: everybody else who has to do with it and can open it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "item_people")
    shown = names_shown(person, benchmark.pk, benchmark.protocol_id)
    colleagues = access.colleagues(item, benchmark, person).values()
    rows = [_named(c, item, person, shown=shown) for c in colleagues if c.sees and c.id != person.pk]
    # By name, or by numbers that are drawn: the order of hidden people tells nothing either.
    return sorted(rows, key=lambda row: (ORDER.index(row["part"]), row["name"] or "", row["id"]))


def _comment(
    row: Comment, colleagues: Mapping[int, Colleague], item: Item, viewer: Person, *, shown: bool
) -> CommentRow:
    author = colleagues.get(row.author_id)
    return {
        "id": row.pk,
        "author": brief_for(viewer, row.author, shown=shown),
        "part": author.part if author else Part.ADMINISTRATOR,
        "text": row.text,
        "mentions": [_named(colleagues[p], item, viewer, shown=shown) for p in row.mentions if p in colleagues],
        "created_at": row.created_at,
        "mine": row.author_id == viewer.pk,
    }


def _named(colleague: Colleague, item: Item, viewer: Person, *, shown: bool) -> ItemPerson:
    seen = shown or colleague.id == viewer.pk
    return {
        "id": colleague.id if seen else handle(settings.SECRET_KEY, item.pk, colleague.id),
        "name": colleague.name if seen else None,
        "part": colleague.part,
    }
