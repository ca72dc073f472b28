"""The workflow: tracks with their settings, and how the items of each kind come about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from curation.benchmarks.rules.forms import PASS, FormFields
from curation.benchmarks.rules.parts import Part, Percent


class Pool(Part):
    """Items judged one by one by anyone who takes a seat, instead of a package judged by one person.

    Attributes:
        people: Number of different people who judge each item.
        held: Most items that one person may hold at a time.
    """

    people: Annotated[int, Field(ge=1, le=5)] = 1
    held: Annotated[int, Field(ge=1, le=20)] = 5


class PackageTrack(Part):
    """Building and inspecting packages.

    Attributes:
        size: Items of a package.
        sample_percent: Share of a package in the final inspection's sample, rounded up.
        pass_over_percent: A package passes if more than this share of the sample is right.
        self_check: Whether the writer must tick every item before submitting the package.
        blind: Whether colleagues' names are hidden from all except administrators.
        stall_days: Days without a change after which a package counts as stalled.
        review_pool: Review by a pool of items; None: a senior reviews a whole package.
        inspection_pool: Inspection by a pool of sampled items; None: one inspector judges a sample.
    """

    size: Annotated[int, Field(ge=1, le=1_000)]
    sample_percent: Annotated[int, Field(ge=1, le=100)]
    pass_over_percent: Annotated[int, Field(ge=0, le=99)]
    self_check: bool
    blind: bool = False
    stall_days: Annotated[int, Field(ge=1, le=365)] = 3
    review_pool: Pool | None = None
    inspection_pool: Pool | None = None


class PeerTrack(Part):
    """Validation of items by other members of the team that writes them.

    Attributes:
        items_per_team: Accepted items that each team is to reach.
        spot_check_percent: Share of the accepted items in the organisers' sample, rounded up; 0: no samples.
        blind: Whether colleagues' names are hidden from all except administrators.
    """

    items_per_team: Annotated[int, Field(ge=1, le=1_000_000)]
    spot_check_percent: Percent
    blind: bool = False


class PanelTrack(Part):
    """Independent judgement of every item by several people, none of whom learns a verdict before all are in.

    Attributes:
        people: Number of different people who judge each item; each of them is one round.
        form: What they fill in; exactly one field of type ``pass`` decides about the item.
        on_failure: What becomes of an item that one of them fails: excluded, or returned to its author with
            the reasons.
        attempts: With ``return``, how often an item is judged before a failure excludes it.
        held: Most items that one person may hold at a time.
        blind: Whether colleagues' names are hidden from all except administrators.
    """

    people: Annotated[int, Field(ge=1, le=9)]
    form: FormFields = [PASS]
    on_failure: Literal["exclude", "return"]
    attempts: Annotated[int, Field(ge=1, le=9)] = 3
    held: Annotated[int, Field(ge=1, le=20)] = 3
    blind: bool = False


class PairTrack(Part):
    """Work on accepted work: one person writes, and another finds what is meant without seeing the answer.

    Attributes:
        attempts: How many people try, each another one, before a person who inspects decides about the item.
        blind: Whether colleagues' names are hidden from all except administrators.
    """

    attempts: Annotated[int, Field(ge=1, le=9)] = 2
    blind: bool = False


class Tracks(Part):
    """The quality tracks.

    Attributes:
        planned: Tracks that are not implemented yet, unchanged.
    """

    package: PackageTrack | None = None
    peer: PeerTrack | None = None
    panel: PanelTrack | None = None
    pair: PairTrack | None = None
    planned: dict[Literal["peer", "panel", "community"], dict[str, Any]] = {}


TrackName = Literal["package", "peer", "panel", "pair"]
TRACKS: Final[Mapping[str, type[Part]]] = {
    "package": PackageTrack,
    "peer": PeerTrack,
    "panel": PanelTrack,
    "pair": PairTrack,
}
# Settings that apply to pages about all kinds, so that no kind has its own.
OF_ALL_KINDS: Final = frozenset({"blind", "stall_days"})


class PerPicture(Part):
    """The number of items of a kind on a picture, with both bounds included.

    Attributes:
        minimum: Items that building packages creates for each picture.
        maximum: Most items that people may create for a picture.
    """

    minimum: Annotated[int, Field(ge=1, le=100)]
    maximum: Annotated[int, Field(ge=1, le=100)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum not above maximum ({self.minimum} > {self.maximum})")
        return self


class KindWork(Part):
    """How the items of a kind come about and are checked. These keys are beside the kind's own settings.

    Attributes:
        track: The track of its items.
        per_picture: The number of its items on a picture.
        subset: Code of the subset whose pictures get items; None: all pictures.
        package: Settings of the package track that differ for this kind.
        peer: Settings of the peer track that differ for this kind.
        panel: Settings of the panel track that differ for this kind.
        pair: Settings of the pair track that differ for this kind.
    """

    track: TrackName = "package"
    per_picture: PerPicture = PerPicture(minimum=1, maximum=1)
    subset: str | None = None
    package: dict[str, Any] = {}
    peer: dict[str, Any] = {}
    panel: dict[str, Any] = {}
    pair: dict[str, Any] = {}


WORK_KEYS: Final = tuple(KindWork.model_fields)


def split_settings(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Divide a kind's part of a protocol into the keys of :class:`KindWork` and the kind's own."""
    work = {key: value for key, value in settings.items() if key in WORK_KEYS}
    return work, {key: value for key, value in settings.items() if key not in WORK_KEYS}


def work_of(content: Mapping[str, Any], kind: str) -> KindWork:
    """Return how the items of a kind come about under a protocol version.

    Versions that were stored before these keys existed have the defaults.
    """
    return KindWork.model_validate(split_settings(content.get("kinds", {}).get(kind) or {})[0])


def track_content(content: Mapping[str, Any], track: str, kind: str) -> dict[str, Any] | None:
    """Return a track's settings for a kind: the track's own, replaced by those that differ for the kind.

    None if the protocol has neither.
    """
    general = content.get("tracks", {}).get(track) or {}
    differing = (content.get("kinds", {}).get(kind) or {}).get(track) or {}
    return {**general, **differing} or None


def is_blind(content: Mapping[str, Any] | None) -> bool:
    """Return whether a track of a protocol hides colleagues' names."""
    tracks = (content or {}).get("tracks") or {}
    return any((tracks.get(track) or {}).get("blind") for track in TRACKS)
