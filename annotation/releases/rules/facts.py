"""What a release is decided from: pictures and items as a snapshot read them, and the protocol's word on releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

# The protocol is stored as jsonb, which forgets the order of keys; files, tables and ordinals follow this one.
SPLIT_ORDER: Final = ("train", "valid", "test")


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
