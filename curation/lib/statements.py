"""Statements of the busiest requests: built once in a process, planned once on a connection.

Building a query set's SQL costs more than PostgreSQL needs to run it, and planning it costs about as much again. A
:class:`Prepared` statement is an ordinary query set in which :class:`Given` stands for what changes; it is built at its
first use and then sent under a name that PostgreSQL keeps the plan by (after psycopg's ``prepare_threshold`` uses on a
connection). Use it where a request comes with every item somebody works on; elsewhere query sets as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, QuerySet
from django.db.models.expressions import Expression
from django.db.models.query import get_related_populators
from django.db.transaction import TransactionManagementError

M = TypeVar("M")


class Given(Expression):
    """A value that is named when the statement is built and told each time it runs."""

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """A placeholder; its parameter is this object until the statement runs."""
        return "%s", (self,)


class Prepared(Generic[M]):
    """A query set that is built once.

    Args:
        build: Makes the query set, with :class:`Given` values. Model instances come out as from the
            query set itself, with ``select_related`` and annotations.
    """

    def __init__(self, build: Callable[[], QuerySet[Any, M]]) -> None:
        self._build = build
        self._built: _Built | None = None

    def rows(self, **values: Any) -> list[M]:
        """Run it.

        Args:
            values: What :class:`Given` stands for, by name.
        """
        built = self._built
        if built is None:
            built = self._built = _Built(self._build())
        return built.run(values)

    def row(self, **values: Any) -> M | None:
        """As :meth:`rows`, for a statement that finds one row or none."""
        return next(iter(self.rows(**values)), None)


class _Built:
    """SQL, and how its rows become instances: what ``ModelIterable`` works out each time."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self.locks = rows.query.select_for_update
        compiler = self.compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.params = compiler.as_sql()
        info = compiler.klass_info
        fields = info["select_fields"]
        self.model = info["model"]
        self.start, self.end = fields[0], fields[-1] + 1
        self.names = [f[0].target.attname for f in compiler.select[self.start : self.end]]
        # The stubs describe a later Django, here and below.
        self.related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        self.annotations = list(compiler.annotation_col_map.items())
        self.converters = compiler.get_converters([s[0] for s in compiler.select])

    def run(self, values: Mapping[str, Any]) -> list[Any]:
        if self.locks and connection.get_autocommit():
            raise TransactionManagementError("A row is locked within a transaction only.")
        params = [values[p.name] if isinstance(p, Given) else p for p in self.params]
        with prepared_cursor() as cursor:
            cursor.execute(self.sql, params)
            found = cursor.fetchall()
        if self.converters:
            found = self.compiler.apply_converters(found, self.converters)
        return [self._instance(row) for row in found]

    def _instance(self, row: Sequence[Any]) -> Any:
        made = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.start : self.end])
        for populator in self.related:
            populator.populate(row, made)
        for name, at in self.annotations:
            setattr(made, name, row[at])
        return made


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """A cursor whose statements PostgreSQL keeps prepared; for SQL that is written out and runs with every request.

    Django's own cursors put values into the text, which makes every statement a new one; while statements are logged
    they are sent that way, because the log can only show what was sent.
    """
    if connection.queries_logged:
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    raw: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]
    with connection.make_cursor(raw) as cursor:
        yield cursor
