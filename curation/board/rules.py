"""Rules of the board: what proposers vouch for, when two names mean the same, and how far proposers agree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from curation.core.folding import fold
from curation.people.rules import notice_type

#: What each proposer vouches for about each category (CVLUE, section 3.1).
VOUCHINGS: Final = ("common", "representative", "physical", "concrete")
ENTRY_STATES: Final = ("proposed", "kept", "removed", "merged")
#: What happens to a proposed category; only the first two need no reason.
ACTIONS: Final = ("propose", "keep", "remove", "replace", "merge", "add", "rename", "regroup", "reopen")
#: Reasons that the page offers for each action. The code is kept beside the giver's words, for readers of any language.
USUAL_REASONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "remove": ("unclear", "too_general", "not_physical", "rarely_seen"),
        "merge": ("same_thing", "included", "look_alike"),
        "replace": ("more_concrete", "more_common"),
        "rename": ("usual_name", "translation_added", "corrected"),
        "regroup": ("other_sense", "other_name", "differs_from_coco"),
        "reopen": ("by_mistake", "to_be_discussed"),
        "add": ("important", "completes_field"),
    }
)
GROUPS: Final = ("coco", "moderate", "closest")
LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
LONGEST_NAME: Final = 60
LONGEST_KEY: Final = 120  # some ligatures stand for up to 18 letters
NOTICES: Final = {"board_frozen": notice_type("board", "version")}


def key_of(name: Mapping[str, str], language: str) -> str:
    """What two names of one category have in common: case, width and traditional characters make no difference.

    Args:
        name: The name by language; some may be missing.
        language: The benchmark's language of content, which counts first.
    """
    order = dict.fromkeys([language, *LANGUAGES])
    return next((fold(name[tag])[:LONGEST_KEY] for tag in order if name.get(tag)), "")


class Agreement(NamedTuple):
    """How far proposers agree.

    Attributes:
        proposers: People and lists that proposed something.
        entries: Different categories that they proposed.
        shared: Categories that at least two of them proposed.
        jaccard: The Jaccard index of two proposers' sets, averaged over all pairs; None for fewer than two.
    """

    proposers: int
    entries: int
    shared: int
    jaccard: float | None


def agreement(sets: Collection[Collection[Any]]) -> Agreement:
    """Compute the agreement from each proposer's set of categories."""
    proposed = [set(each) for each in sets if each]
    counts: dict[Any, int] = {}
    for each in proposed:
        for entry in each:
            counts[entry] = counts.get(entry, 0) + 1
    pairs = [len(a & b) / len(a | b) for a, b in combinations(proposed, 2)]
    return Agreement(
        len(proposed),
        len(counts),
        sum(count > 1 for count in counts.values()),
        sum(pairs) / len(pairs) if pairs else None,
    )
