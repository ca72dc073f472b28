"""Rows that the tests of a file share: made once, and undone to the same state after each test.

``@shared`` makes a fixture of a function that makes rows::

    @shared
    def here() -> World:
        return new_world(2)


    @shared
    def package(here: World) -> Package:
        return submitted_package(here)

The function runs before the first test that asks for the fixture, in a transaction that stays open. Each test runs in a
savepoint inside it and gets a deep copy of what the function returned, so neither rows nor instances reach the next
test. A shared fixture that builds on another is a savepoint inside the other's.

A test that asks for other rows, or for none, first closes those it does not use; so tests run alone and in any order,
and neighbours that ask for the same rows are quick. For a test that commits, the function simply runs.

The parameters of a shared fixture are shared fixtures. It cannot ask for ``settings``, ``tmp_path`` or the like, must
not write files, and a method's ``self`` is None. Callbacks on commit that it registers never run.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction


@dataclass
class Level:
    """Rows of one shared fixture, in an open transaction or savepoint."""

    build: Callable[..., Any]
    value: Any
    atomic: transaction.Atomic


# The rows that are there now, each built on those before it, and the running test's copies of them.
_open: list[Level] = []
_copies: list[Any] = []


def shared(build: Callable[..., Any]) -> Any:
    """Make a fixture of a function that makes rows; its result must be copyable."""

    def fixture(*itself: Any, db: None, **others: Any) -> Any:
        builds = [level.build for level in _open]
        return _copies[builds.index(build)] if build in builds else build(*itself, **others)

    parameters = [
        *inspect.signature(build).parameters.values(),
        inspect.Parameter("db", inspect.Parameter.KEYWORD_ONLY),
    ]
    fixture.__name__, fixture.__doc__ = build.__name__, build.__doc__
    fixture.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    fixture.build = build  # type: ignore[attr-defined]
    return pytest.fixture(fixture)


def prepare(item: pytest.Item, *, commits: bool) -> None:
    """Bring the shared rows to what a test asks for: close what it does not use, make what is missing, copy the rest.

    ``commits``: the test runs outside a transaction, so there are none for it.
    """
    builds = [] if commits else _builds(item)
    while [level.build for level in _open] != builds[: len(_open)]:
        _close()
    for build in builds[len(_open) :]:
        _build(build)
    _copies[:] = copy.deepcopy([level.value for level in _open])  # at once: one instance stays one instance


def close_all() -> None:
    """Undo all shared rows."""
    while _open:
        _close()
    _copies.clear()


def _builds(item: pytest.Item) -> list[Callable[..., Any]]:
    """The functions behind the shared fixtures that a test asks for, each after those it builds on.

    Raises:
        TypeError: A shared fixture asks for one that is not shared, or two do not build on each other.
    """
    functions = {name: defs[-1].func for name, defs in item._fixtureinfo.name2fixturedefs.items()}  # type: ignore[attr-defined]
    found = {name: function.build for name, function in functions.items() if hasattr(function, "build")}
    needs = {name: set(inspect.signature(build).parameters) - {"self"} for name, build in found.items()}
    order: list[str] = []
    while len(order) < len(found):
        following = [name for name in found if name not in order and needs[name] <= set(order)]
        if len(following) != 1:
            raise TypeError(f"{item.nodeid}: shared fixtures build on shared fixtures, in one line: {sorted(found)}")
        order += following
    return [found[name] for name in order]


def _build(build: Callable[..., Any]) -> None:
    by_name = {level.build.__name__: level.value for level in _open}
    given = [None if name == "self" else by_name[name] for name in inspect.signature(build).parameters]
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined]  # as in Django's TestCase: durable blocks may begin inside
    atomic.__enter__()
    _open.append(Level(build, None, atomic))
    try:
        _open[-1].value = build(*given)
        connection.check_constraints()  # deferred ones now, so that no test repeats them
    except BaseException:
        _close()
        raise


def _close() -> None:
    level = _open.pop()
    transaction.set_rollback(True)
    level.atomic.__exit__(None, None, None)
