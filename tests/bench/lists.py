"""Requests of ``tests.bench.million --lists``: the lists of items, packages and pictures with every mix of filters.

Each filter has a value that many rows have, one that few have and one that none has, because a page whose rows are far
apart is the slow one. Every mix is asked for its first page in one order, and for one from the middle in the other.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import urlencode

PREFIX = "list "
NONE = ("",)
# By list: the values of each filter, and the two orders.
ITEMS: dict[str, tuple[str, ...]] = {
    "kind": ("", "captions"),
    "state": ("", "todo", "accepted", "returned", "skipped"),
    "category": ("", "category-7", "category-21"),
    "author": ("", "writer", "admin"),
}
PACKAGES: dict[str, tuple[str, ...]] = {
    "kind": ("", "captions"),
    "state": ("", "passed", "working", "withdrawn"),
    "assignee": ("", "writer", "admin"),
    "stalled": ("", "true"),
    "search": ("", "annotator 1"),
}
PICTURES: dict[str, tuple[str, ...]] = {
    "state": ("", "accepted", "received", "refused"),
    "category": ("", "category-7", "category-21"),
    "subset": ("", "A"),
    "clear": ("", "true", "false"),
    "flag": ("", "blurred", "near_duplicate"),
}
LISTS = {
    "items": (ITEMS, (("number", False), ("-number", True))),
    "packages": (PACKAGES, (("number", False), ("-number", True), ("since", False))),
    "images": (PICTURES, (("-number", False), ("number", True))),
}


def list_addresses(here: str, people: dict[str, int], last: dict[str, int]) -> Iterator[tuple[str, str]]:
    """What is asked, by name: the address of a page.

    Args:
        here: Where the benchmark's addresses begin.
        people: The ids of the people that filters name.
        last: The largest id or number of each list, from which the middle is taken.
    """
    from curation.core.pages import encode_cursor  # noqa: PLC0415  (after the settings)

    for what, (filters, orders) in LISTS.items():
        for values in product(*filters.values()):
            chosen: dict[str, Any] = {key: value for key, value in zip(filters, values, strict=True) if value}
            for sort, middle in orders:
                name = " ".join([f"{PREFIX}{what}", *(f"{k}={v}" for k, v in chosen.items()), sort])
                asked = {key: people.get(value, value) for key, value in chosen.items()}
                asked |= {"sort": sort, "page_size": 50}
                if middle:
                    asked["cursor"] = encode_cursor(last[what] // 2)
                yield name + (" middle" if middle else ""), f"{here}/{what}?{urlencode(asked)}"
