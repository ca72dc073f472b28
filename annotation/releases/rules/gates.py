"""The gates of a release: each lists its failures. Also counts what a release leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, NamedTuple

from annotation.kinds.registry import label
from annotation.releases.rules.candidates import SIZE, says
from annotation.releases.rules.inputs import (
    Candidate,
    Picture,
    Settings,
    Stock,
    Unfinished,
)
from annotation.releases.rules.splits import draw_splits

# At most this many failures of one check are listed; ``params.total`` counts all.
MOST_LISTED: Final = 200


class GateFailure(NamedTuple):
    """One failure that prevents freezing a release.

    Attributes:
        code: The check's name in the protocol; the browser translates it.
        params: Values for the sentence; ``total`` counts all failures of the same check.
        label: The label of the item, picture or category that failed.
        path: The page where people can fix it, below the benchmark's.
    """

    code: str
    params: dict[str, Any]
    label: str
    path: str


@dataclass(frozen=True, slots=True)
class KindSnapshot:
    """What a release would have now of one kind.

    Attributes:
        kind: The kind.
        candidates: Accepted items, ordered by picture number, slot and item number.
        unfinished: Items in work that are not accepted.
        outside: Counts of what is not included: item state, or ``no_item`` for accepted pictures without an item.
        main_boxes: Item id → boxes of its picture's main category, for items of boxes without a reason for too few.
        leaks: Item id → a concept of its picture that it names and should not.
        moved: Ids of items that rest on work which was reopened or changed since.
    """

    kind: str
    candidates: Sequence[Candidate]
    unfinished: Sequence[Unfinished] = ()
    outside: Mapping[str, int] = field(default_factory=dict)
    main_boxes: Mapping[int, int] = field(default_factory=dict)
    leaks: Mapping[int, str] = field(default_factory=dict)
    moved: Collection[int] = ()

    def pictures(self) -> list[Picture]:
        """Return each picture once, by number."""
        return list({c.picture.id: c.picture for c in self.candidates}.values())

    def left_out(self) -> dict[str, int]:
        """Count what is not included by the codes of :data:`LEFT_OUT`, without zeros."""
        return {code: self.outside[what] for code, what in LEFT_OUT.items() if self.outside.get(what)}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content that a release would have now.

    Attributes:
        event_id: The newest audit event that the snapshot includes.
        kinds: What it would have of each of its kinds.
        near: Near duplicates among the pictures: two numbers, smaller first, and the distance in bits.
        stock: Accepted pictures of each category.
        distances: Category → its group of cultural distance, for those that have one.
        previous_splits: Picture number → the split that it keeps; empty if all splits are drawn again.
    """

    event_id: int
    kinds: Sequence[KindSnapshot]
    near: Sequence[tuple[int, int, int]] = ()
    stock: Sequence[Stock] = ()
    distances: Mapping[str, str] = field(default_factory=dict)
    previous_splits: Mapping[int, str] = field(default_factory=dict)

    def pictures(self) -> list[Picture]:
        """Return each picture once, by number, whatever its kinds."""
        pictures = {p.id: p for own in self.kinds for p in own.pictures()}
        return sorted(pictures.values(), key=lambda p: p.number)

    def splits(self, settings: Settings, seed: int) -> dict[int, str]:
        """Return picture number → split; one assignment for all kinds."""
        is_by_task = bool(settings.divided_by_task([own.kind for own in self.kinds]))
        strata = {p.number: "" if is_by_task else p.category or "" for p in self.pictures()}
        per_category = None if is_by_task else settings.per_category
        return draw_splits(strata, settings.shares, seed, per_category=per_category, previous=self.previous_splits)

    def left_out(self) -> dict[str, int]:
        """Count what is not included of any kind, as :meth:`KindSnapshot.left_out`."""
        total = Counter[str]()
        for own in self.kinds:
            total.update(own.left_out())
        return {code: total[code] for code in LEFT_OUT if total[code]}


# A release counts what it does not include, so that nothing is dropped silently: items that are not started, in work or
# set aside, and pictures without an item of the kind.
LEFT_OUT: Final[Mapping[str, str]] = {
    "item_todo": "todo",
    "item_made": "made",
    "item_skipped": "skipped",
    "item_returned": "returned",
    "item_excluded": "excluded",
    "picture_without_item": "no_item",
}


def _nothing_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for own in snapshot.kinds:
        if not own.candidates:
            yield GateFailure("nothing_accepted", {"kind": own.kind}, own.kind, "/packages")


def _image_not_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for p in snapshot.pictures():
        if p.state != "accepted":
            yield GateFailure("image_not_accepted", {"state": p.state}, p.label, p.path)


def _personal_information(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for p in snapshot.pictures():
        if not p.cleared:
            yield GateFailure("personal_information", {}, p.label, p.path)


def _picture_changed(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for own in snapshot.kinds:
        for c in own.candidates:
            if c.picture_changed:
                params = {"picture": c.picture.label}
                yield GateFailure("picture_changed", params, label(own.kind, c.item_number), f"/items/{c.item_id}")


def _image_outside_subset(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for own in snapshot.kinds:
        expected = settings.subset_of.get(own.kind)
        for p in own.pictures():
            if expected is not None and p.subset != expected:
                yield GateFailure("image_outside_subset", {"subset": p.subset, "expected": expected}, p.label, p.path)


def _licence(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for p in snapshot.pictures():
        if p.licence not in settings.releasable:
            params = {"licence": p.licence, "allowed": sorted(settings.releasable)}
            yield GateFailure("licence", params, p.label, p.path)


def _image_file_missing(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for p in snapshot.pictures():
        if not p.rendition_id:
            yield GateFailure("image_file_missing", {}, p.label, p.path)


def _consent(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for p in snapshot.pictures():
        if settings.asks_consent and not p.consented:
            yield GateFailure("consent", {}, p.label, p.path)


def _donor_uses(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail donated pictures for research only under a licence that permits sale (CVQA section 2.2).

    With the licence ``per-picture`` each picture's own licence decides.
    """
    research = "-NC" in settings.licence or settings.licences_differ
    required = {"ask": ["research"] if research else ["research", "commercial"], "waive": ["waived"]}
    for p in snapshot.pictures():
        if p.source.get("kind") not in ("own", "donated"):
            continue
        granted = dict(p.source.get("uses") or {}) | {"waived": p.source.get("waived")}
        if lacking := [use for use in required.get(settings.donors, []) if not granted.get(use)]:
            yield GateFailure("donor_uses", {"lacking": lacking, "licence": settings.licence}, p.label, p.path)


def _research_only_marked(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail pictures given for research only whose licence, which the data names, permits more (CVQA section 2.2)."""
    for p in snapshot.pictures():
        if settings.licences_differ and p.declared_research_only and not p.licensed_research_only:
            yield GateFailure("research_only_marked", {"licence": p.licence}, p.label, p.path)


def _near_duplicate(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    by_number = {p.number: p for p in snapshot.pictures()}
    for one, other, bits in snapshot.near:
        if splits[one] != splits[other]:
            params = {"other": by_number[other].label, "distance": bits, "splits": [splits[one], splits[other]]}
            label = f"{by_number[one].label} · {by_number[other].label}"
            yield GateFailure("near_duplicate_across_splits", params, label, by_number[one].path)


def _item_not_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    for own in snapshot.kinds:
        for item in own.unfinished:
            name = label(own.kind, item.item_number)
            yield GateFailure("item_not_accepted", {"state": item.state}, name, f"/items/{item.item_id}")


def _subset_against_boxes(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail boxes with fewer of the picture's main category than its subset asks for (CVLUE section 3.3).

    Either objects were missed, or the picture is in the wrong subset or category. Items that were accepted with a
    reason for having fewer are not counted.
    """
    for own in snapshot.kinds:
        for c in own.candidates:
            minimum, boxes = settings.main_minimums.get(c.picture.subset, 0), own.main_boxes.get(c.item_id)
            if boxes is not None and c.picture.category and boxes < minimum:
                picture = {"subset": c.picture.subset, "category": c.picture.category, "picture": c.picture.label}
                params = {"boxes": boxes, "minimum": minimum, **picture}
                yield GateFailure("subset_against_boxes", params, label(own.kind, c.item_number), f"/items/{c.item_id}")


def _base_current(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail items that rest on work which is not accepted any more, or which was accepted with another content."""
    for own in snapshot.kinds:
        for c in own.candidates:
            if c.item_id in own.moved:
                params = {"picture": c.picture.label}
                yield GateFailure("base_current", params, label(own.kind, c.item_number), f"/items/{c.item_id}")


def _concept_leak(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail questions that name a concept of their picture, also one that was added later (TCC-Bench section 1)."""
    for own in snapshot.kinds:
        for c in own.candidates:
            if concept := own.leaks.get(c.item_id):
                params = {"concept": concept, "picture": c.picture.label}
                yield GateFailure("concept_leak", params, label(own.kind, c.item_number), f"/items/{c.item_id}")


def _quota(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[GateFailure]:
    """Fail categories with fewer pictures than the quotas ask for: in all, and of subsets.

    For a kind that is made on one subset with a quota, this quota alone counts.
    """
    quotas: dict[str, int] = {}
    in_all = None
    for own in snapshot.kinds:
        subset = settings.subset_of.get(own.kind)
        counted = {code: n for code, n in settings.subset_quotas.items() if subset is None or code == subset}
        quotas |= counted
        in_all = in_all if subset in counted else settings.quota
    for category in snapshot.stock:
        link = f"/pictures?category={category.slug}"
        if in_all is not None and category.accepted < in_all:
            yield GateFailure("quota", {"accepted": category.accepted, "minimum": in_all}, category.slug, link)
        for code, minimum in quotas.items():
            accepted = category.by_subset.get(code, 0)
            if accepted < minimum:
                params = {"accepted": accepted, "minimum": minimum, "subset": code}
                yield GateFailure("quota", params, category.slug, f"{link}&subset={code}")


Check = Callable[[Snapshot, Settings, Mapping[int, str]], Iterator[GateFailure]]
GATES: Final[Mapping[str, Check]] = {
    "nothing_accepted": _nothing_accepted,
    "image_file_missing": _image_file_missing,
    "image_not_accepted": _image_not_accepted,
    "image_outside_subset": _image_outside_subset,
    "personal_information": _personal_information,
    "picture_changed": _picture_changed,
    "licence": _licence,
    "consent": _consent,
    "donor_uses": _donor_uses,
    "research_only_marked": _research_only_marked,
    "near_duplicate_across_splits": _near_duplicate,
    "item_not_accepted": _item_not_accepted,
    "subset_against_boxes": _subset_against_boxes,
    "concept_leak": _concept_leak,
    "base_current": _base_current,
    "quota": _quota,
}
# A protocol cannot disable these: without the first two there is nothing to write, the third is stated by the kind, a
# text may describe what was covered after it was accepted, and one about changed work may be wrong.
ALWAYS: Final = frozenset(
    {"nothing_accepted", "image_file_missing", "image_outside_subset", "picture_changed", "base_current"}
)


def gate_failures(
    snapshot: Snapshot, settings: Settings, splits: Mapping[int, str], *, most: int | None = MOST_LISTED
) -> list[GateFailure]:
    """List everything that prevents releasing the snapshot, in table order.

    Each check lists at most ``most`` failures; None lists all.
    """
    failures: list[GateFailure] = []
    for name, check in GATES.items():
        if name not in ALWAYS and name not in settings.gates:
            continue
        failed = list(check(snapshot, settings, splits))
        failures += [failure._replace(params=failure.params | {"total": len(failed)}) for failure in failed[:most]]
    # A gate that this version does not know must fail, not pass.
    return failures + [
        GateFailure("unknown_gate", {"name": name}, name, "/protocol") for name in settings.gates if name not in GATES
    ]


def repeated_questions(
    snapshot: Snapshot, keys: Mapping[int, Mapping[str, Hashable]], *, most: int = MOST_LISTED
) -> list[GateFailure]:
    """Warn of items that ask the same as an earlier item on the same picture; this does not prevent freezing.

    Args:
        snapshot: The snapshot.
        keys: Item id → by language, the same for questions that say the same.
        most: At most this many are listed; ``params.total`` counts all.
    """
    warnings: list[GateFailure] = []
    for own in snapshot.kinds:
        for _, group in groupby(own.candidates, key=lambda c: c.picture.id):
            first_of: dict[tuple[str, Hashable], str] = {}
            for c in group:
                name = label(own.kind, c.item_number)
                questions = keys.get(c.item_id, {}).items()
                if earlier := next((first_of[key] for key in questions if key in first_of), None):
                    params = {"other": earlier, "picture": c.picture.label}
                    warnings.append(GateFailure("question_twice", params, name, f"/items/{c.item_id}"))
                first_of |= {key: name for key in questions if key not in first_of}
    return [warning._replace(params=warning.params | {"total": len(warnings)}) for warning in warnings[:most]]


def few_candidates(kind: str, dialogues: Iterable[Sequence[Mapping[str, str]]]) -> GateFailure | None:
    """Warn of dialogues with too few different answers for a hundred candidates; this does not prevent freezing."""
    answers = len({says(one["answer"]) for rounds in dialogues for one in rounds})
    if answers >= SIZE:
        return None
    return GateFailure("few_candidates", {"answers": answers, "total": 1}, kind, f"/write?kind={kind}")


def count_failures(failures: Sequence[GateFailure]) -> dict[str, int]:
    """Count each check's failures, including those that are not listed."""
    return {failure.code: failure.params.get("total", 1) for failure in failures}
