"""Prepared statements for the busiest requests: compiled once per process, planned once per connection.

Compiling a query set to SQL takes longer than PostgreSQL needs to run it, and planning it takes about as long again. A
:class:`Prepared` statement is an ordinary query set with :class:`Param` in place of the values that change. Its first
use compiles it; after psycopg's ``prepare_threshold`` uses on a connection PostgreSQL keeps its plan. Use it for
requests that come with every item a person works on, and plain query sets elsewhere.

What it is worth (``python -m tests.bench.hot_path``, statements compiled and planned at every use for comparison):

| | next | draft | submit |
| --- | --- | --- | --- |
| function calls, prepared | 3,403 | 2,966 | 3,735 |
| function calls, compiled each time | 32,490 | 10,423 | 11,206 |
| application, ms | 5.1 for 21.2 | 6.0 for 10.5 | 7.0 for 12.3 |
| PostgreSQL, ms | 2.0 for 5.2 | 1.7 for 2.9 | 2.6 for 4.4 |

The milliseconds are processor time on two busy cores; the calls are the same on any machine.
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


class Param(Expression):
    """A named bind parameter."""

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """Compile to a placeholder; this object is its parameter until the statement runs."""
        return "%s", (self,)


class Prepared(Generic[M]):
    """A query set that is compiled once.

    Args:
        build: Builds the query set, with :class:`Param` values. :meth:`rows` returns the same model instances as the
            query set, with ``select_related`` and annotations.
    """

    def __init__(self, build: Callable[[], QuerySet[Any, M]]) -> None:
        self._build = build
        self._compiled: _Compiled | None = None

    def rows(self, **values: Any) -> list[M]:
        """Run the statement and return its rows.

        Args:
            values: The values of the parameters, by name.
        """
        built = self._compiled
        if built is None:
            built = self._compiled = _Compiled(self._build())
        return built.run(values)

    def row(self, **values: Any) -> M | None:
        """Run a statement that returns at most one row."""
        return next(iter(self.rows(**values)), None)


class _Compiled:
    """Compiled SQL and the mapping of its rows to instances, which ``ModelIterable`` computes on every use."""

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self.locks = rows.query.select_for_update
        compiler = self.compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.params = compiler.as_sql()
        info = compiler.klass_info
        fields = info["select_fields"]
        self.model = info["model"]
        self.start, self.end = fields[0], fields[-1] + 1
        self.names = [f[0].target.attname for f in compiler.select[self.start : self.end]]
        # The stubs describe a later Django; the same holds below.
        self.related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        self.annotations = list(compiler.annotation_col_map.items())
        self.converters = compiler.get_converters([s[0] for s in compiler.select])

    def run(self, values: Mapping[str, Any]) -> list[Any]:
        if self.locks and connection.get_autocommit():
            raise TransactionManagementError("A row is locked within a transaction only.")
        params = [values[p.name] if isinstance(p, Param) else p for p in self.params]
        with prepared_cursor() as cursor:
            cursor.execute(self.sql, params)
            rows = cursor.fetchall()
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self._instance(row) for row in rows]

    def _instance(self, row: Sequence[Any]) -> Any:
        instance = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.start : self.end])
        for populator in self.related:
            populator.populate(row, instance)
        for name, at in self.annotations:
            setattr(instance, name, row[at])
        return instance


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """Open a cursor whose statements PostgreSQL keeps prepared; for hand-written SQL that runs with every request.

    Django's own cursors interpolate values into the SQL text, which makes every statement a new one. While the query
    log is on, this returns such a cursor, because the log shows the text that was sent.
    """
    if connection.queries_logged:
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    raw: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]
    with connection.make_cursor(raw) as cursor:
        yield cursor
