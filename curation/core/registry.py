"""A read-only table of implementations by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from curation.core.errors import DomainError


class UnknownEntry(DomainError, KeyError):
    """The registry has no such name."""

    status = 400
    detail = "There is no {what} called {name}; known: {known}."


T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A mapping whose error for an unknown name lists the known names and the most similar one."""

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
