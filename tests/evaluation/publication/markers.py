"""Markers in every text and JSON column of every table, so that a test sees in which bytes a column appears."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

TEXTS = (models.CharField, models.TextField, models.JSONField)


def tables() -> Iterator[type[models.Model]]:
    """Every table of ours."""
    for label in ("curation", "annotation", "evaluation"):
        yield from apps.get_app_config(label).get_models()


def text_columns() -> dict[str, tuple[str, Any]]:
    """Every text and JSON column, with its table and field; a column with a set of values has no room for a marker."""
    return {
        f"{model._meta.db_table}.{field.column}": (model._meta.db_table, field)
        for model in tables()
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTS) and not field.choices
    }


def drop_checks() -> None:
    """Drop the conditions on columns until the test's transaction ends, so that they take markers."""
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        cursor.execute(
            "select conrelid::regclass::text, conname from pg_constraint "
            "where contype = 'c' and conrelid::regclass = any(%s::regclass[])",
            [[model._meta.db_table for model in tables()]],
        )
        for table, name in cursor.fetchall():
            cursor.execute(f"alter table {table} drop constraint {connection.ops.quote_name(name)}")


def fill_empty_tables(ids: Mapping[str, int]) -> list[str]:
    """Insert a row into each empty table, past triggers and foreign keys; the tables that take none.

    Args:
        ids: What columns of these names refer to, so that the rows belong to what is public.
    """
    refused = []
    for model in tables():
        if model._base_manager.exists():
            continue
        values = {f.column: _value(f, ids) for f in model._meta.concrete_fields if not isinstance(f, models.AutoField)}
        values = {column: value for column, value in values.items() if value is not None}
        columns = ", ".join(map(connection.ops.quote_name, values))
        holes = ", ".join(["%s"] * len(values))
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("set local session_replication_role = replica")
                cursor.execute(f"insert into {model._meta.db_table} ({columns}) values ({holes})", [*values.values()])
        except DatabaseError as error:
            refused.append(f"{model._meta.db_table}: {error}")
    return refused


def _value(field: Any, ids: Mapping[str, int]) -> Any:
    """A value for a column; None leaves it out."""
    if isinstance(field, models.CompositePrimaryKey | models.GeneratedField):
        return None
    if field.column in ids:
        return ids[field.column]
    if field.choices:
        return field.choices[0][0]
    literals = {
        models.JSONField: "{}",
        models.CharField: "x",
        models.TextField: "x",
        models.BooleanField: False,
        models.UUIDField: "00000000-0000-4000-8000-000000000001",
        models.DateTimeField: "2026-01-01T00:00:00Z",
        models.DateField: "2026-01-01",
        models.BinaryField: b"x",
    }
    for kind, value in literals.items():
        if isinstance(field, kind):
            return value
    if field.get_internal_type() == "ArrayField":
        return "{}"
    return None if field.null else 1


def mark(table: str, field: Any, marker: str) -> bool:
    """Append a marker to a column of all its rows, past triggers; whether the column takes it."""
    if field.max_length and field.max_length < len(marker):
        return False
    name = connection.ops.quote_name(field.column)
    if isinstance(field, models.JSONField):
        value = (
            f"case jsonb_typeof({name}) when 'object' then {name} || jsonb_build_object('marker', %s::text) "
            f"when 'array' then {name} || to_jsonb(%s::text) else jsonb_build_object('marker', %s::text) end"
        )
        params = [marker] * 3
    else:
        # A full column loses its beginning.
        value, params = f"right({name} || %s, {field.max_length or 1_000_000})", [marker]
        if field.null:
            value = f"right(coalesce({name}, '') || %s, {field.max_length or 1_000_000})"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("set local session_replication_role = replica")
            cursor.execute(f"update {table} set {name} = {value}", params)
            return cursor.rowcount > 0
    except DatabaseError:
        return False  # unique, and no longer so


def mark_columns(without: set[str]) -> dict[str, str]:
    """Put a marker of its own into every text and JSON column that takes one; the markers, by column."""
    markers = {}
    for number, (name, (table, field)) in enumerate(text_columns().items()):
        marker = f"qz{number:04d}zq"
        if name not in without and mark(table, field, marker):
            markers[name] = marker
    return markers
