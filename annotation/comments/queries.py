"""Queries about comments."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from annotation.comments import access
from annotation.comments.models import Comment
from annotation.comments.rules import LISTED_COMMENTS, ORDER, Colleague, Part, pseudonym
from annotation.comments.shapes import CommentRow, ItemPerson
from annotation.items.models import Item
from annotation.items.queries import names_visible
from curation.people.access import brief_for
from curation.people.models import Person


def comments(person: Person, item_id: int) -> list[CommentRow]:
    """List the comments on an item, oldest first; of more than 500 the newest.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "comment_list")
    colleagues = access.colleagues(item, benchmark, person)
    show_names = names_visible(person, benchmark.pk, benchmark.protocol_id)
    rows = Comment.objects.filter(item=item).select_related("author").order_by("-pk")[:LISTED_COMMENTS]
    return [_comment(row, colleagues, item, person, show_names=show_names) for row in reversed(rows)]


def comment_row(person: Person, comment: Comment) -> CommentRow:
    """One comment as the list shows it to its author."""
    item, benchmark = access.item_and_benchmark(person, comment.item_id, "comment_list")
    colleagues = access.colleagues(item, benchmark, person)
    return _comment(
        comment, colleagues, item, person, show_names=names_visible(person, benchmark.pk, benchmark.protocol_id)
    )


def people(person: Person, item_id: int) -> list[ItemPerson]:
    """List the people whom a comment on an item can mention: all others who are involved in it and can open it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item, benchmark = access.item_and_benchmark(person, item_id, "item_people")
    show_names = names_visible(person, benchmark.pk, benchmark.protocol_id)
    colleagues = access.colleagues(item, benchmark, person).values()
    rows = [_person_row(c, item, person, show_names=show_names) for c in colleagues if c.can_open and c.id != person.pk]
    # By name, or by a number derived from a hash, so that the order does not reveal hidden names.
    return sorted(rows, key=lambda row: (ORDER.index(row["part"]), row["name"] or "", row["id"]))


def _comment(
    row: Comment, colleagues: Mapping[int, Colleague], item: Item, viewer: Person, *, show_names: bool
) -> CommentRow:
    author = colleagues.get(row.author_id)
    return {
        "id": row.pk,
        "author": brief_for(viewer, row.author, show_names=show_names),
        "part": author.part if author else Part.ADMINISTRATOR,
        "text": row.text,
        "mentions": [
            _person_row(colleagues[p], item, viewer, show_names=show_names) for p in row.mentions if p in colleagues
        ],
        "created_at": row.created_at,
        "mine": row.author_id == viewer.pk,
    }


def _person_row(colleague: Colleague, item: Item, viewer: Person, *, show_names: bool) -> ItemPerson:
    is_visible = show_names or colleague.id == viewer.pk
    return {
        "id": colleague.id if is_visible else pseudonym(settings.SECRET_KEY, item.pk, colleague.id),
        "name": colleague.name if is_visible else None,
        "part": colleague.part,
    }
