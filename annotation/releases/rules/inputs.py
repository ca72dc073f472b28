"""Input of release rules: pictures and items from a snapshot, and the protocol's release settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from curation.benchmarks.rules import main_minimum

# The protocol is stored as jsonb, which loses the order of keys; files, tables and ordinals use this order.
SPLIT_ORDER: Final = ("train", "valid", "test")
# The data set's licence if each picture has its own.
PER_PICTURE: Final = "per-picture"


class Origin(NamedTuple):
    """Whom a picture and its items come from: a team's language (a BCP 47 tag), and names of its pair in English."""

    language: str = ""
    language_name: str = ""
    country: str = ""
    continent: str = ""


class Picture(NamedTuple):
    """A picture in a snapshot; ``consented`` means that the consent of its contributor, by name, is in force.

    ``axes`` has its values of further dimensions by code.
    """

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
    rendition_id: int  # 0 without a clean file
    key: str
    sha256: str
    width: int
    height: int
    origin: Origin = Origin()
    contributor: str = ""
    axes: Mapping[str, str] = MappingProxyType({})

    @property
    def label(self) -> str:
        """The label that people see: ``img-0042``."""
        return f"img-{self.number:04d}"

    @property
    def path(self) -> str:
        """The path of its page, below the benchmark's."""
        return f"/pictures/{self.id}"

    @property
    def declared_research_only(self) -> bool:
        """Whether its contributor or donor allowed research, but no commercial use."""
        uses = self.source.get("uses") or {}
        return self.source.get("kind") in ("own", "donated") and bool(uses) and not uses.get("commercial")

    @property
    def licensed_research_only(self) -> bool:
        """Whether its licence says so: one for non-commercial use, or a protocol's own for research."""
        return "-NC" in self.licence or self.licence.endswith("-research")


class Candidate(NamedTuple):
    """An accepted item in a snapshot.

    ``picture_changed``: something in its picture was covered after its text, and no one judged it since.
    """

    item_id: int
    item_number: int
    slot: int
    revision_no: int
    picture: Picture
    picture_changed: bool = False


class Unfinished(NamedTuple):
    """An item that was started, and neither accepted nor excluded."""

    item_id: int
    item_number: int
    state: str


class Stock(NamedTuple):
    """The number of a category's accepted pictures, with or without items, in all and by subset."""

    slug: str
    accepted: int
    by_subset: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PerCategory:
    """Division of each category by counts instead of shares alone (VisTai section 3).

    Attributes:
        train: Pictures for the examples; these come first.
        test_minimum: Pictures that the test gets before the validation gets any.
        valid_target: Pictures for the validation, from those beyond the test's minimum.
    """

    train: int
    test_minimum: int
    valid_target: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The protocol's release settings.

    Attributes:
        shares: Split → percent, in :data:`SPLIT_ORDER`.
        per_category: Division of each category by counts, if the protocol has one.
        per_task: Kinds whose own releases divide their pictures by themselves (CVLUE's scripts for VG and VD).
        withheld: Splits whose answers go to a separate file.
        gates: The checks that must pass.
        exporters: The formats to write.
        licence: The data set's licence.
        releasable: Licences of pictures that may be published.
        asks_consent: Whether contributors must consent first.
        donors: The declaration about their own pictures: ``ask``, ``waive`` or ``none``.
        quota: The number of accepted pictures that each category needs.
        subset_quotas: Subset → the number of its accepted pictures that each category needs.
        main_minimums: Subset → fewest objects of the main category that its pictures have, where it asks for some.
        subset_of: Kind → the subset whose pictures get its items, for kinds that have one.
        language: Language of the texts, as a BCP 47 tag; ``team`` if each team writes in its own.
        translation: The language that they are translated to; empty for none.
        axes: Codes of the further dimensions.
    """

    shares: Mapping[str, int]
    gates: Sequence[str]
    exporters: Sequence[str]
    licence: str
    releasable: frozenset[str]
    asks_consent: bool
    donors: str
    per_category: PerCategory | None = None
    per_task: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()
    quota: int | None = None
    subset_quotas: Mapping[str, int] = field(default_factory=dict)
    main_minimums: Mapping[str, int] = field(default_factory=dict)
    subset_of: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    translation: str = ""
    axes: Sequence[str] = ()

    @property
    def names_languages(self) -> bool:
        """Whether records name their languages, because teams have different ones or texts have two."""
        return self.language == "team" or bool(self.translation)

    @property
    def licences_differ(self) -> bool:
        """Whether the data set has no licence of its own, but each picture's."""
        return self.licence == PER_PICTURE

    def divided_by_task(self, kinds: Collection[str]) -> str:
        """Return the kind that divides its pictures by itself if it alone is released, else an empty text."""
        (kind,) = kinds if len(kinds) == 1 else ("",)
        return kind if kind in self.per_task else ""

    @classmethod
    def of(cls, protocol: Mapping[str, Any]) -> Settings:
        """Read the settings from a protocol version's content."""
        release, images, consent = protocol["release"], protocol["images"], protocol.get("consent")
        languages = protocol.get("languages", {})
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
            per_task=frozenset(release.get("per_task", [])),
            withheld=frozenset(release.get("withheld", [])),
            quota=quota["per_category_minimum"] if quota else None,
            subset_quotas={
                subset["code"]: subset["quota"]["per_category_minimum"]
                for subset in images.get("subsets", [])
                if subset.get("quota")
            },
            main_minimums={
                subset["code"]: main_minimum(protocol, subset["code"]) for subset in images.get("subsets", [])
            },
            subset_of={
                kind: own["subset"] for kind, own in protocol.get("kinds", {}).items() if own and own.get("subset")
            },
            language=languages.get("content", ""),
            translation=languages.get("translation") or "",
            axes=[axis["code"] for axis in protocol.get("taxonomy", {}).get("axes", [])],
        )


def scored_splits(withheld: Iterable[str]) -> tuple[str, ...]:
    """Return the splits that are scored: those with withheld answers, else the test."""
    return tuple(withheld) or ("test",)


def in_order(splits: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Sort names of splits: train, valid, test, then others by name."""
    return sorted(splits, key=lambda s: (SPLIT_ORDER.index(s) if s in SPLIT_ORDER else len(SPLIT_ORDER), s))
