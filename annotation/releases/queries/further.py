"""Fields of records that follow from more than the item: of dialogues, the caption and the candidate answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from annotation.bases.models import ItemBase
from annotation.bases.queries import drawn_text
from annotation.items.models import Item, ItemRevision
from annotation.kinds.dialogue import KIND
from annotation.releases import rules
from annotation.releases.queries.snapshots import candidates_of, contents
from annotation.releases.rules import Candidate

# Further accepted items, the newest, from whose answers candidates are drawn before there is a release.
_OTHERS: Final = 1_000


def further_fields(
    kind: str,
    candidates: Sequence[Candidate],
    *,
    seed: int,
    scored: Collection[int] | None = None,
    others: Sequence[Candidate] = (),
) -> dict[int, dict[str, Any]]:
    """Return the further fields of each record by item id; none for kinds without any.

    Args:
        kind: The kind.
        candidates: The items.
        seed: The kind's seed.
        scored: Ids of the items that are scored; None: all are.
        others: Further items, whose answers are drawn from too.
    """
    if kind != KIND.name:
        return {}
    every = [*candidates, *others]
    texts, captions = contents(every), _captions([c.item_id for c in candidates])
    made = [
        rules.Dialogue(
            c.item_id, c.item_number, c.picture.number, captions.get(c.item_id, ""), texts[c.item_id]["rounds"]
        )
        for c in every
    ]
    scored = {c.item_id for c in candidates} if scored is None else scored
    dialogues, beside = made[: len(candidates)], made[len(candidates) :]
    return rules.dialogue_fields(dialogues, scored=scored, seed=seed, others=beside)


def accepted_beside(benchmark_id: int, kind: str, item_ids: Sequence[int]) -> list[Candidate]:
    """Return other accepted items of a kind whose candidates are drawn from several, the newest ones."""
    if kind != KIND.name:
        return []
    rows = Item.objects.filter(benchmark=benchmark_id, kind=kind, state=Item.State.ACCEPTED, copy_no=0)
    ids = rows.exclude(pk__in=item_ids).order_by("-pk").values_list("pk", flat=True)[:_OTHERS]
    return candidates_of(benchmark_id, kind, list(ids))


def _captions(item_ids: Sequence[int]) -> dict[int, str]:
    """Return the caption with which each dialogue began."""
    bases = list(ItemBase.objects.filter(item_id__in=item_ids))
    rows = ItemRevision.objects.filter(
        item_id__in={base.base_item_id for base in bases}, no__in={base.base_no for base in bases}
    )
    texts = {(item, no): content for item, no, content in rows.values_list("item_id", "no", "content")}
    return {base.item_id: drawn_text(texts[base.base_item_id, base.base_no], base.path) for base in bases}
