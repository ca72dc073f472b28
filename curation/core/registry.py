"""A named table of implementations, written as one literal so that a reader sees all of them on one screen."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from curation.core.errors import DomainError


class UnknownEntry(DomainError, KeyError):
    """A name that the registry does not hold."""

    status = 400
    detail = "There is no {what} called {name}; known: {known}."


T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """Read-only mapping whose misses say what exists and what was probably meant."""

    def __init__(self, what: str, entries: Mapping[str, T]) -> None:
        self.what = what
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._entries, n=1)
            raise UnknownEntry(what=self.what, name=name, known=sorted(self._entries), near=near) from None

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
