"""Splits, gates and records of a release: pure functions of what a snapshot read.

Splits are drawn by picture and stratified by category (W-R1): the shares of the whole are met exactly by largest
remainder, and no category is more than one picture away from its own shares. Pictures that an earlier release put into
a split stay there, and new ones fill up what is short. Everything depends on the protocol, the seed, the pictures'
numbers and the earlier splits alone, never on the order in which rows arrive.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
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

    @property
    def path(self) -> str:
        """Its page, below the benchmark's."""
        return f"/pictures/{self.id}"


class Candidate(NamedTuple):
    """An accepted item as a snapshot saw it."""

    item_id: int
    item_number: int
    slot: int
    revision_no: int
    picture: Picture


class Unfinished(NamedTuple):
    """An item that somebody began and nobody has accepted or excluded yet; it lies on a picture."""

    item_id: int
    item_number: int
    state: str


class Stock(NamedTuple):
    """Accepted pictures of a category, whatever was made of them."""

    slug: str
    accepted: int


class Gate(NamedTuple):
    """One thing that keeps a release from being frozen.

    Attributes:
        code: The check's name in the protocol; the browser translates it.
        params: Values for the sentence; ``total`` counts all failures of the same check.
        label: What failed, as people call it.
        path: The page where it is mended, below the benchmark's.
    """

    code: str
    params: dict[str, Any]
    label: str
    path: str


@dataclass(frozen=True, slots=True)
class PerCategory:
    """Division of each category by numbers instead of shares alone (VisTai section 3).

    Attributes:
        train: Pictures for the examples, taken first.
        test_minimum: Pictures that the test has before the validation gets any.
        valid_target: Pictures wanted for the validation, out of what the test's minimum leaves.
    """

    train: int
    test_minimum: int
    valid_target: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What the protocol says about releases.

    Attributes:
        shares: Split → percent, in :data:`SPLIT_ORDER`.
        per_category: How each category is divided, where shares alone do not say it.
        withheld: Splits whose answers go into a file of their own.
        gates: Checks that have to hold.
        exporters: Formats to write.
        licence: The data set's own licence.
        releasable: Licences whose pictures may be published.
        asks_consent: Whether people agree to a text before they contribute.
        donors: What they say about each picture of their own: ``ask``, ``waive`` or ``none`` (W-P2).
        quota: Accepted pictures that each category needs.
    """

    shares: Mapping[str, int]
    gates: Sequence[str]
    exporters: Sequence[str]
    licence: str
    releasable: frozenset[str]
    asks_consent: bool
    donors: str
    per_category: PerCategory | None = None
    withheld: frozenset[str] = frozenset()
    quota: int | None = None

    @classmethod
    def of(cls, protocol: Mapping[str, Any]) -> Settings:
        """Pick them out of a protocol version's content."""
        release, images, consent = protocol["release"], protocol["images"], protocol.get("consent")
        division, quota = release.get("per_category"), images.get("quota")
        return cls(
            shares={name: release["splits"][name] for name in in_order(release["splits"])},
            gates=release["gates"],
            exporters=release["exporters"],
            licence=release.get("licence", ""),
            releasable=frozenset(entry["code"] for entry in images["licences"] if entry["releasable"]),
            asks_consent=bool(consent),
            donors=consent["donors"]["uses"] if consent else "none",
            per_category=PerCategory(**division) if division else None,
            withheld=frozenset(release.get("withheld", [])),
            quota=quota["per_category_minimum"] if quota else None,
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


def counts_per_category(
    sizes: Mapping[str, int], shares: Mapping[str, int], rule: PerCategory
) -> dict[str, dict[str, int]]:
    """How many pictures of each category go to each split where the protocol gives numbers.

    The examples come first, then the test up to its minimum; of what is left the validation gets its target, or its
    share (beside the test's) where that is more, and the test the rest. A small category so has fewer for the
    validation than wanted, as two subjects of VisTai do.
    """
    open_shares = {split: shares.get(split, 0) for split in ("valid", "test")}
    counted = {}
    for stratum, size in sizes.items():
        train = min(rule.train, size)
        rest = size - train
        wanted = apportion(rest, open_shares)["valid"] if any(open_shares.values()) else 0
        valid = min(max(rule.valid_target, wanted), max(rest - rule.test_minimum, 0))
        counted[stratum] = dict.fromkeys(shares, 0) | {"train": train, "valid": valid, "test": rest - valid}
    return counted


def room_for_new(
    wanted: Mapping[str, Mapping[str, int]], kept: Mapping[str, Mapping[str, int]], new: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    """Divide what is new among the splits where earlier pictures stay where they are.

    No split of a stratum gets more than it is wanted to have as long as another has less. Where earlier pictures fill
    a split beyond that, others of the stratum fall short; which of them, the whole decides: as many new pictures as at
    all possible go to splits that are short over all strata too (a greatest flow from strata to splits).

    Args:
        wanted: Stratum → split → pictures it is to have in all.
        kept: Stratum → split → pictures it has already.
        new: Stratum → pictures to divide.

    Returns:
        Stratum → split → new pictures.
    """
    splits = list(next(iter(wanted.values()), {}))
    room = {s: {n: max(wanted[s][n] - kept[s].get(n, 0), 0) for n in splits} for s in wanted}
    short = {n: max(sum(wanted[s][n] - kept[s].get(n, 0) for s in wanted), 0) for n in splits}
    given = {s: dict.fromkeys(splits, 0) for s in wanted}
    left = dict(new)
    # Where there is not enough for all, every split first gets its part of what there is.
    some = min(sum(new.values()), sum(short.values()))
    fair = apportion(some, short) if some else dict.fromkeys(splits, 0)
    _pour(left, room, given, fair)
    _pour(left, room, given, {n: short[n] - sum(given[s][n] for s in wanted) for n in splits})
    for stratum, count in left.items():  # the whole has enough of these already, the stratum has not
        for _ in range(count):
            most = max(splits, key=lambda n: room[stratum][n] - given[stratum][n])  # of equals the first
            given[stratum][most] += 1
    return given


def _pour(
    left: dict[str, int],
    room: Mapping[str, Mapping[str, int]],
    given: Mapping[str, dict[str, int]],
    short: dict[str, int],
) -> None:
    """Add to ``given`` until no way leads from a stratum with pictures left to a split that is short."""
    while way := _way(left, room, given, short):
        start, end = way[0], way[-1]
        steps = list(itertools.pairwise(way))
        amount = min(left[start], short[end])
        for here, there in steps:
            open_now = room[here][there] - given[here][there] if here in room else given[there][here]
            amount = min(amount, open_now)
        left[start] -= amount
        short[end] -= amount
        for here, there in steps:
            if here in room:
                given[here][there] += amount
            else:
                given[there][here] -= amount


def _way(
    left: Mapping[str, int],
    room: Mapping[str, Mapping[str, int]],
    given: Mapping[str, Mapping[str, int]],
    short: Mapping[str, int],
) -> list[str]:
    """The shortest way from a stratum with pictures left to a split that is short; back along what was given, too.

    Names of strata and splits alternate; strata are marked so that a category may be called ``test``.
    """
    ways = [[stratum] for stratum in room if left.get(stratum)]
    seen = {way[0] for way in ways}
    for way in ways:  # grows while it is walked: breadth first
        here = way[-1]
        onwards = (
            [n for n, most in room[here].items() if given[here][n] < most]
            if here in room
            else [s for s in room if given[s][here]]
        )
        for there in onwards:
            if there not in seen:
                seen.add(there)
                ways.append([*way, there])
                if short.get(there):
                    return ways[-1]
    return []


def draw_splits(
    strata: Mapping[int, str],
    shares: Mapping[str, int],
    seed: int,
    *,
    per_category: PerCategory | None = None,
    kept: Mapping[int, str] | None = None,
) -> dict[int, str]:
    """Put every picture into one split.

    Within its stratum a picture's place is the order of sha256("<seed>:<number>"), so anybody can repeat the draw.

    Args:
        strata: Picture number → stratum (its category's slug, or an empty text).
        shares: Split → percent, in the order of :data:`SPLIT_ORDER`.
        seed: The release's seed.
        per_category: How each stratum is divided, where not by shares alone.
        kept: Splits that pictures have already, and keep; the others are drawn so that all together come as near to
            what is wanted as the kept ones allow.

    Returns:
        Picture number → split.
    """
    drawn = {number: split for number, split in (kept or {}).items() if number in strata}
    members: dict[str, list[int]] = defaultdict(list)
    held: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter(strata.values())
    for number, stratum in strata.items():
        if number in drawn:
            held[_stratum(stratum)][drawn[number]] += 1
        else:
            members[stratum].append(number)
    if per_category is not None:
        wanted = counts_per_category(sizes, shares, per_category)
    else:
        wanted = counts_by_stratum(sizes, shares, seed)
    counts = room_for_new(
        {_stratum(s): wanted[s] for s in sorted(wanted)},
        {_stratum(s): held[_stratum(s)] for s in wanted},
        {_stratum(s): len(members[s]) for s in wanted},
    )
    for stratum, numbers in members.items():
        places = iter(seeded_order(f"{seed}:".encode(), numbers))
        for split in shares:
            drawn.update((next(places), split) for _ in range(counts[_stratum(stratum)][split]))
    return drawn


def _stratum(name: str) -> str:
    """A stratum's mark, which is no split's name whatever the category is called."""
    return f"/{name}"


# --- gates ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a release would hold now.

    Attributes:
        kind: Kind of the items.
        event_id: The newest audit event that the snapshot could see.
        candidates: Accepted items, ordered by picture number, slot and item number.
        near: Pairs of them that intake found to look much the same: two numbers, smaller first, and bits of distance.
        unfinished: Items that were begun and are not accepted.
        stock: Accepted pictures of each category.
        kept: Picture number → the split that it keeps; empty where all are drawn anew.
        outside: What stays outside: state of the items, or ``no_item`` for accepted pictures without any, → how many.
    """

    kind: str
    event_id: int
    candidates: Sequence[Candidate]
    near: Sequence[tuple[int, int, int]] = ()
    unfinished: Sequence[Unfinished] = ()
    stock: Sequence[Stock] = ()
    kept: Mapping[int, str] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)

    def pictures(self) -> list[Picture]:
        """Each picture once, by number."""
        return list({c.picture.id: c.picture for c in self.candidates}.values())

    def splits(self, settings: Settings, seed: int) -> dict[int, str]:
        """Picture number → split."""
        strata = {p.number: p.category or "" for p in self.pictures()}
        return draw_splits(strata, settings.shares, seed, per_category=settings.per_category, kept=self.kept)

    def left_out(self) -> dict[str, int]:
        """How many of each code of :data:`LEFT_OUT` stay outside, those of which there are some."""
        return {code: self.outside[what] for code, what in LEFT_OUT.items() if self.outside.get(what)}


# What is not in a release is counted beside it, so that nothing is dropped silently (W-R3): items that nobody began,
# that are being worked on, or that were set aside, and pictures on which nobody has made an item of the kind.
LEFT_OUT: Final[Mapping[str, str]] = {
    "item_todo": "todo",
    "item_made": "made",
    "item_skipped": "skipped",
    "item_returned": "returned",
    "item_excluded": "excluded",
    "picture_without_item": "no_item",
}


def _nothing_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    if not snapshot.candidates:
        yield Gate("nothing_accepted", {"kind": snapshot.kind}, snapshot.kind, "/packages")


def _image_not_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if p.state != "accepted":
            yield Gate("image_not_accepted", {"state": p.state}, p.label, p.path)


def _personal_information(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if not p.cleared:
            yield Gate("personal_information", {}, p.label, p.path)


def _licence(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if p.licence not in settings.releasable:
            params = {"licence": p.licence, "allowed": sorted(settings.releasable)}
            yield Gate("licence", params, p.label, p.path)


def _image_file_missing(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if not p.rendition_id:
            yield Gate("image_file_missing", {}, p.label, p.path)


def _consent(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for p in snapshot.pictures():
        if settings.asks_consent and not p.consented:
            yield Gate("consent", {}, p.label, p.path)


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
            yield Gate("donor_uses", {"lacking": lacking, "licence": settings.licence}, p.label, p.path)


def _near_duplicate(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    by_number = {p.number: p for p in snapshot.pictures()}
    for one, other, bits in snapshot.near:
        if splits[one] != splits[other]:
            params = {"other": by_number[other].label, "distance": bits, "splits": [splits[one], splits[other]]}
            label = f"{by_number[one].label} · {by_number[other].label}"
            yield Gate("near_duplicate_across_splits", params, label, by_number[one].path)


def _item_not_accepted(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for item in snapshot.unfinished:
        name = label(snapshot.kind, item.item_number)
        yield Gate("item_not_accepted", {"state": item.state}, name, f"/items/{item.item_id}")


def _quota(snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> Iterator[Gate]:
    for category in snapshot.stock:
        if settings.quota is not None and category.accepted < settings.quota:
            params = {"accepted": category.accepted, "minimum": settings.quota}
            yield Gate("quota", params, category.slug, f"/pictures?category={category.slug}")


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
    "item_not_accepted": _item_not_accepted,
    "quota": _quota,
}
# Without these there is nothing to write, so no protocol can leave them out.
ALWAYS: Final = frozenset({"nothing_accepted", "image_file_missing"})


def failures(
    snapshot: Snapshot, settings: Settings, splits: Mapping[int, str], *, most: int | None = MOST_NAMED
) -> list[Gate]:
    """Everything that keeps the snapshot from being released, named one by one, in table order.

    Of each check at most ``most`` failures are named, None: all of them.
    """
    found: list[Gate] = []
    for name, check in GATES.items():
        if name not in ALWAYS and name not in settings.gates:
            continue
        failed = list(check(snapshot, settings, splits))
        found += [g._replace(params=g.params | {"total": len(failed)}) for g in failed[:most]]
    # A check that cannot be made does not hold.
    return found + [
        Gate("unknown_gate", {"name": name}, name, "/protocol") for name in settings.gates if name not in GATES
    ]


def count_gates(gates: Sequence[Gate]) -> dict[str, int]:
    """How often each check failed, also beyond those that are named."""
    return {gate.code: gate.params.get("total", 1) for gate in gates}


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
