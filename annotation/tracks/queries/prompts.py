"""The values of accepted items for prompts, which a room below shows."""

from __future__ import annotations

from functools import partial
from typing import Any

from annotation.items.models import Item, ItemRevision
from annotation.kinds.option_order import drawn_order
from annotation.kinds.prompt_values import prompt_values
from annotation.tracks.access import item_for
from curation.core.errors import NotFound
from curation.people.models import Person
from curation.prompts.errors import PromptItemNotAccepted
from curation.prompts.rules import ItemValues

# Of the letters of options: releases draw their own, so a preview's letters may differ from theirs.
SEED = 0


def item_values(
    person: Person, benchmark_id: int, item_id: int, *, part: int, side: str, language: str, operation: str
) -> ItemValues:
    """Return the values of an accepted item for prompts in ``language``.

    Args:
        person: The person who asks.
        benchmark_id: The benchmark that the item must be in.
        item_id: The item.
        part: Which of its questions, counted from 0.
        side: The language of its texts; empty: the first.
        language: The language of the names of country and category.
        operation: The operation for which they are read.

    Raises:
        PromptItemNotAccepted: Its text may still change.
        NotFound: No such item, or no such part.
        OperationNotAllowed.
    """
    item = item_for(person, item_id, operation)
    if item.benchmark_id != benchmark_id:
        raise NotFound
    if item.accepted_no is None:
        raise PromptItemNotAccepted(label=item.label)
    content = ItemRevision.objects.values_list("content", flat=True).get(item=item, no=item.accepted_no)
    order = partial(drawn_order, seed=SEED, number=item.number)
    asks = prompt_values(item.kind, content, side=side, order=order)
    if part >= len(asks.parts):
        raise NotFound
    values = asks.parts[part] | _of_picture(item, content, language)
    return ItemValues(label=item.label, values=values, parts=len(asks.parts), sides=asks.sides, image_id=item.image_id)


def _of_picture(item: Item, content: dict[str, Any], language: str) -> dict[str, str]:
    """The names of the item's country and category, where it has them."""
    values = {}
    if item.team is not None and item.team.country:
        values["country"] = item.team.country[language]
    category = item.image.category
    if slug := content.get("category"):
        category = item.benchmark.categories.filter(slug=slug).first() or category
    if category is not None:
        values["category"] = category.name[language]
    return values
