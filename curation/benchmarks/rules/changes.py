"""The differences between two versions of a protocol, and which are forbidden once work has started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Change(NamedTuple):
    """One difference between two versions.

    Attributes:
        path: Dotted keys; entries with a code use it as key: ``images.licences.CC0-1.0.releasable``.
        before: None if the older version has no value.
        after: None if the newer version has no value.
    """

    path: str
    before: Any
    after: Any

    def is_locked(self, in_use: Mapping[str, str]) -> bool:
        """Whether existing items forbid the change.

        Items depend on the taxonomy, the languages, their kind and its track. They do not depend on kinds, tracks and
        a language of translation that were not there, so a benchmark can add them. It can also add reasons to skip and
        further dimensions, and change which models draft and try questions. A list of one's own can get a newer
        version.

        Args:
            in_use: The kinds that have items, with the track of each.
        """
        part, *below = self.path.split(".")
        is_new = _empty(self.before)
        match part, below:
            case _ if not in_use:
                return False
            case "taxonomy", ["list", "version"]:
                return False  # the newer version may only add categories, which adopting checks
            case "taxonomy", ["board", *_]:
                return False
            case "taxonomy", ["axes", *keys] if (is_new and len(keys) < 2) or keys[1:] == ["list", "version"]:
                return False  # adopting checks that the values in use remain
            case "taxonomy", _:
                return True
            case "languages", _:
                return not (is_new and below == ["translation"])
            case "kinds", [_, "drafting" | "blind_trials", *_]:
                return False  # what models draft and try: people write the items, and a trial keeps its settings
            case "kinds", [kind, *keys]:
                return kind in in_use and not (is_new and keys[:1] in ([], ["skip_reasons"]))
            case "tracks", [track, *keys]:
                return track in in_use.values() and not (is_new and not keys)
            case (("kinds" | "tracks"), []):
                return not is_new
        return False


def changes(before: Any, after: Any, path: str = "") -> list[Change]:
    """List every difference between two versions' contents, in the order of the newer one.

    A missing value equals an empty one, so that a version from before a part of the file existed does not differ.
    """
    if _empty(before) and _empty(after):
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*after, *(key for key in before if key not in after)]
        return [c for key in keys for c in changes(before.get(key), after.get(key), f"{path}.{key}".lstrip("."))]
    if _are_coded(before) and _are_coded(after):
        return _changes_of_entries(before, after, path)
    return [] if before == after and type(before) is type(after) else [Change(path, before, after)]


def _changes_of_entries(before: list[dict[str, Any]], after: list[dict[str, Any]], path: str) -> list[Change]:
    old, new = ({entry["code"]: entry for entry in entries} for entries in (before, after))
    differences = changes(old, new, path)
    common = [code for code in old if code in new]
    if common != [code for code in new if code in old]:
        differences.append(Change(path, list(old), list(new)))  # the order is that of the keyboard shortcuts
    return differences


def _are_coded(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "code" in e for e in value)


def _empty(value: Any) -> bool:
    return value is None or value in ({}, [], "")
