"""Splits, gates and records of a release: pure functions of what a snapshot read.

Splits are drawn by picture and stratified by category (W-R1): the shares of the whole are met exactly by largest
remainder, and no category is more than one picture away from its own shares. Everything depends on the protocol, the
seed and the pictures' numbers alone, never on the order in which rows arrive.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from annotation.kinds.registry import label
from annotation.packages.rules import seeded_order

# The protocol is stored as jsonb, which forgets the order of keys; files, tables and ordinals follow this one.
SPLIT_ORDER: Final = ("train", "valid", "test")
# So many failures of one kind are named; ``params.total`` tells how many there are.
MOST_NAMED: Final = 200


class Picture(NamedTuple):
    """A picture as a snapshot saw it; ``consented``: its contributor's agreement stands and was not taken back."""

    id: int
    number: int
    state: str
    cleared: bool
    licence: str
    consented: bool
    subset: str
    source: Mapping[str, Any]
    category: str | None
    category_number: int | None
    rendition_id: int  # 0: there is no clean file
    key: str
    sha256: str
    width: int
    height: int

    @property
    def label(self) -> str:
        """The name people see: ``img-0042``."""
        return f"img-{self.number:04d}"


class Candidate(NamedTuple):
    """An accepted item as a snapshot saw it."""

    item_id: int
    item_number: int
    slot: int
    revision_no: int
    picture: Picture


class Gate(NamedTuple):
    """One thing that keeps a release from being frozen.

    Attributes:
        code: The check's name in the protocol; the browser translates it.
        params: Values for the sentence; ``total`` counts all failures of the same check.
        label: What failed, as people call it.
        picture_id: The picture to look at, where there is one.
    """

    code: str
    params: dict[str, Any]
    label: str
    picture_id: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the protocol says about releases.

    Attributes:
        shares: Split → percent, in :data:`SPLIT_ORDER`.
        gates: Checks that have to hold.
        exporters: Formats to write.
        licence: The data set's own licence.
        releasable: Licences whose pictures may be published.
        asks_consent: Whether people agree to a text before they contribute.
        donors: What they say about each picture of their own: ``ask``, ``waive`` or ``none`` (W-P2).
    """

    shares: Mapping[str, int]
    gates: Sequence[str]
    exporters: Sequence[str]
    licence: str
    releasable: frozenset[str]
    asks_consent: bool
    donors: str

    @classmethod
    def of(cls, protocol: Mapping[str, Any]) -> Settings:
        """Pick them out of a protocol version's content."""
        release, images, consent = protocol["release"], protocol["images"], protocol.get("consent")
        return cls(
            shares={name: release["splits"][name] for name in in_order(release["splits"])},
            gates=release["gates"],
            exporters=release["exporters"],
            licence=release.get("licence", ""),
            releasable=frozenset(entry["code"] for entry in images["licences"] if entry["releasable"]),
            asks_consent=bool(consent),
            donors=consent["donors"]["uses"] if consent else "none",
        )


def in_order(splits: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Names of splits as they are listed everywhere: train, valid, test, then others by name."""
    return sorted(splits, key=lambda s: (SPLIT_ORDER.index(s) if s in SPLIT_ORDER else len(SPLIT_ORDER), s))


# --- splits -----------------------------------------------------------------------------------------------------------


def apportion(total: int, shares: Mapping[str, int]) -> dict[str, int]:
    """Divide ``total`` by largest remainder; of equal remainders the earlier name wins.

    Args:
        total: How many there are.
        shares: Integer weights, usually percent; they need not add up to 100.
    """
    whole = sum(shares.values())
    counts = {name: total * share // whole for name, share in shares.items()}
    rest = total - sum(counts.values())
    for name in sorted(shares, key=lambda n: -(total * shares[n] % whole))[:rest]:  # sorted() keeps equals in order
        counts[name] += 1
    return counts


@dataclass(slots=True)
class _Rounding:
    """Round a table of shares (stratum x split) to integers without moving any cell, row or column by one or more.

    Each stratum starts with the whole part of its shares and still has ``spare`` pictures to hand out, at most one to
    each split whose share is fractional. Handing one more to a split is a path of exchanges between strata, as in a
    matching of two sides; a split that was given something never loses it again.
    """

    sizes: Mapping[str, int]
    shares: Mapping[str, int]
    order: Sequence[str]  # of the strata: decides between equals
    spare: dict[str, int] = field(init=False)
    extra: dict[str, set[str]] = field(init=False)  # stratum → splits that got one more

    def __post_init__(self) -> None:
        self.spare = {s: n - sum(self.whole(s, split) for split in self.shares) for s, n in self.sizes.items()}
        self.extra = {s: set() for s in self.sizes}

    def whole(self, stratum: str, split: str) -> int:
        return self.sizes[stratum] * self.shares[split] // sum(self.shares.values())

    def _remainder(self, stratum: str, split: str) -> int:
        return self.sizes[stratum] * self.shares[split] % sum(self.shares.values())

    def give_one(self, split: str) -> bool:
        """Give one more picture to a split; False when no exchange makes that possible."""
        came_from: dict[str, tuple[str, str | None]] = {}  # stratum → (split it would serve, stratum that gives it up)
        queue: list[tuple[str, str | None]] = [(split, None)]
        for wanted, giver in queue:
            open_to = [s for s in self.order if s not in came_from and wanted not in self.extra[s]]
            for stratum in sorted(open_to, key=lambda s: -self._remainder(s, wanted)):
                if not self._remainder(stratum, wanted):
                    break
                came_from[stratum] = (wanted, giver)
                if self.spare[stratum]:
                    self._carry_out(stratum, came_from)
                    return True
                queue += [(held, stratum) for held in in_order(list(self.extra[stratum]))]
        return False

    def _carry_out(self, last: str, came_from: Mapping[str, tuple[str, str | None]]) -> None:
        self.spare[last] -= 1
        stratum: str | None = last
        while stratum is not None:
            wanted, giver = came_from[stratum]
            self.extra[stratum].add(wanted)
            if giver is not None:
                self.extra[giver].discard(wanted)
            stratum = giver


def counts_by_stratum(sizes: Mapping[str, int], shares: Mapping[str, int], seed: int) -> dict[str, dict[str, int]]:
    """How many pictures of each stratum go to each split.

    Totals are :func:`apportion` of all pictures (for three splits or fewer always exactly; for more wherever the
    strata allow it), and each stratum's count is its share rounded down or up. Rounding each stratum alone would give
    small categories to the largest split every time and leave the smallest one empty.

    Args:
        sizes: Stratum → pictures.
        shares: Split → weight.
        seed: Decides which strata round up where several would do.
    """
    names = sorted(sizes)
    order = [names[i] for i in seeded_order(f"{seed}:".encode(), range(len(names)))]
    table = _Rounding(sizes, shares, order)
    total = sum(sizes.values())
    targets = apportion(total, shares)
    down = {split: total * share // sum(shares.values()) for split, share in shares.items()}
    have = {split: sum(table.whole(s, split) for s in names) for split in shares}
    for split in shares:
        for _ in range(down[split] - have[split]):
            table.give_one(split)
    # The last ones: first to the splits that largest remainder rounds up, then to whichever still can.
    for split in sorted(shares, key=lambda s: down[s] - targets[s]):
        if any(table.spare.values()):
            table.give_one(split)
    return {s: {split: table.whole(s, split) + (split in table.extra[s]) for split in shares} for s in names}


def draw_splits(strata: Mapping[int, str], shares: Mapping[str, int], seed: int) -> dict[int, str]:
    """Put every picture into one split.

    Within its stratum a picture's place is the order of sha256("<seed>:<number>"), so anybody can repeat the draw.

    Args:
        strata: Picture number → stratum (its category's slug, or an empty text).
        shares: Split → percent, in the order of :data:`SPLIT_ORDER`.
        seed: The release's seed.

    Returns:
        Picture number → split.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for number, stratum in strata.items():
        members[stratum].append(number)
    counts = counts_by_stratum({s: len(m) for s, m in members.items()}, shares, seed)
    drawn: dict[int, str] = {}
    for stratum, numbers in members.items():
        places = iter(seeded_order(f"{seed}:".encode(), numbers))
        for split in shares:
            drawn.update((next(places), split) for _ in range(counts[stratum][split]))
    return drawn


# --- gates ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a release would hold now.

    Attributes:
        kind: Kind of the items.
        event_id: The newest audit event that the snapshot could see.
        candidates: Accepted items, ordered by picture number, slot and item number.
        near: Pairs of them that intake found to look much the same: two numbers, smaller first, and bits of distance.
    """

    kind: str
    event_id: int
    candidates: Sequence[Candidate]
    near: Sequence[tuple[int, int, int]] = ()

    def pictures(self) -> list[Picture]:
        """Each picture once, by number."""
        return list({c.picture.id: c.picture for c in self.candidates}.values())

    def splits(self, shares: Mapping[str, int], seed: int) -> dict[int, str]:
        """Picture number → split."""
        return draw_splits({p.number: p.category or "" for p in self.pictures()}, shares, seed)


def _nothing_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    if not snapshot.candidates:
        yield Gate("nothing_accepted", {"kind": snapshot.kind}, snapshot.kind)


def _image_not_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if p.state != "accepted":
            yield Gate("image_not_accepted", {"state": p.state}, p.label, p.id)


def _personal_information(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if not p.cleared:
            yield Gate("personal_information", {}, p.label, p.id)


def _licence(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if p.licence not in settings.releasable:
            params = {"licence": p.licence, "allowed": sorted(settings.releasable)}
            yield Gate("licence", params, p.label, p.id)


def _image_file_missing(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if not p.rendition_id:
            yield Gate("image_file_missing", {}, p.label, p.id)


def _consent(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if settings.asks_consent and not p.consented:
            yield Gate("consent", {}, p.label, p.id)


def _donor_uses(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    """What was given for research alone cannot go out under a licence that lets anybody sell it (CVQA section 2.2).

    Where each picture keeps a licence of its own (``per-picture``), that one says what may be done with it.
    """
    research = "-NC" in settings.licence or settings.licence == "per-picture"
    asked = {"ask": ["research"] if research else ["research", "commercial"], "waive": ["waived"]}
    for p in snapshot.pictures():
        if p.source.get("kind") not in ("own", "donated"):
            continue
        said = dict(p.source.get("uses") or {}) | {"waived": p.source.get("waived")}
        if lacking := [use for use in asked.get(settings.donors, []) if not said.get(use)]:
            yield Gate("donor_uses", {"lacking": lacking, "licence": settings.licence}, p.label, p.id)


def _near_duplicate(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    by_number = {p.number: p for p in snapshot.pictures()}
    for one, other, bits in snapshot.near:
        if splits[one] != splits[other]:
            params = {"other": by_number[other].label, "distance": bits, "splits": [splits[one], splits[other]]}
            label = f"{by_number[one].label} · {by_number[other].label}"
            yield Gate("near_duplicate_across_splits", params, label, by_number[one].id)


Check = Callable[[Snapshot, Settings, Mapping[int, str]], Iterator[Gate]]
GATES: Final[Mapping[str, Check]] = {
    "nothing_accepted": _nothing_accepted,
    "image_file_missing": _image_file_missing,
    "image_not_accepted": _image_not_accepted,
    "personal_information": _personal_information,
    "licence": _licence,
    "consent": _consent,
    "donor_uses": _donor_uses,
    "near_duplicate_across_splits": _near_duplicate,
}
# Without these there is nothing to write, so no protocol can leave them out.
ALWAYS: Final = frozenset({"nothing_accepted", "image_file_missing"})


def failures(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> list[Gate]:
    """Everything that keeps the snapshot from being released, named one by one, in table order."""
    found: list[Gate] = []
    for name, check in GATES.items():
        if name not in ALWAYS and name not in settings.gates:
            continue
        failed = list(check(snapshot, settings, splits))
        found += [g._replace(params=g.params | {"total": len(failed)}) for g in failed[:MOST_NAMED]]
    # A check that cannot be made does not hold.
    return found + [Gate("unknown_gate", {"name": name}, name) for name in settings.gates if name not in GATES]


# --- records ----------------------------------------------------------------------------------------------------------

_SOURCE: Final = ("kind", "url", "author")


def picture_path(picture: Picture, split: str) -> str:
    """Name of a picture inside a release, in the form CVLUE uses: split, subset, numbered category, numbered file.

    A picture without a category lies under ``0-none``; one without a subset has no subset level.
    """
    extension = picture.key.rpartition(".")[2]
    number = picture.category_number if picture.category_number is not None else 0
    folder = f"{number}-{picture.category or 'none'}"
    subset, mark = (f"{picture.subset}/", f"{picture.subset}-") if picture.subset else ("", "")
    return f"images/{split}/{subset}{folder}/{mark}{number}-{picture.number}.{extension}"


def record(
    candidate: Candidate, content: Mapping[str, Any], *, kind: str, split: str, protocol_version: int
) -> dict[str, Any]:
    """One line of the published data: the item's content and where it comes from.

    Only numbers people know from the benchmark are published, no row ids, and of people only the author that a
    picture's licence asks to be named. The release's own number stands in no record, so that equal content has equal
    bytes in every release.
    """
    p = candidate.picture
    facts = {
        "id": p.number,
        "label": p.label,
        "item": label(kind, candidate.item_number),
        "revision": candidate.revision_no,
        "image": picture_path(p, split),
        "image_sha256": p.sha256,
        "width": p.width,
        "height": p.height,
        "category": p.category or "",
        "subset": p.subset,
        "licence": p.licence,
        "source": {name: str(p.source.get(name) or "") for name in _SOURCE},
        "split": split,
        "protocol_version": protocol_version,
    }
    if clash := facts.keys() & content.keys():
        raise ValueError(f"content of {kind} uses names of the record: {sorted(clash)}")
    return facts | dict(content)


def canonical(record: Mapping[str, Any]) -> bytes:
    """The bytes of a record: UTF-8 JSON with sorted keys and no blanks, ended by a line feed."""
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
