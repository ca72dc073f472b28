"""How two versions of a protocol differ, and what may not once work has begun."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

# What work rests on: once there are items, a new version leaves these parts as they are. Work of a kind that was not
# there rests on nothing, so a benchmark can take up another kind, and reasons to skip can be added.
FROZEN: Final = ("kinds", "tracks", "taxonomy", "languages")


class Change(NamedTuple):
    """One difference between two versions.

    Attributes:
        path: Dotted keys; entries with a code go by it: ``images.licences.CC0-1.0.releasable``.
        before: None where the older version has nothing there.
        after: None where the newer version has nothing there.
    """

    path: str
    before: Any
    after: Any

    @property
    def is_frozen(self) -> bool:
        """Whether the change is refused once work has begun."""
        part, *below = self.path.split(".")
        if part == "kinds" and _empty(self.before):
            return len(below) > 1 and below[1] != "skip_reasons"
        return part in FROZEN


def changes(before: Any, after: Any, path: str = "") -> list[Change]:
    """Every difference between two versions' contents, in the order of the newer one.

    What is missing equals what is empty, so that a version stored before a part of the file existed does not differ.
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
    found = changes(old, new, path)
    left = [code for code in old if code in new]
    if left != [code for code in new if code in old]:
        found.append(Change(path, list(old), list(new)))  # the order is what people press keys by
    return found


def _are_coded(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "code" in e for e in value)


def _empty(value: Any) -> bool:
    return value is None or value in ({}, [], "")
