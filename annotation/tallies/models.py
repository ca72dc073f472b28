"""Maintained counts of items, packages, seats and pictures by state, so that pages need not count rows.

Triggers of the counted tables insert the changes here, whatever statement changes the tables and within its
transaction (docs/decisions/0037).
"""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.functions import RandomUUID
from django.db import models

from curation.benchmarks.models import Benchmark
from curation.images.models import Image


class Tally(models.Model):
    """A change ``n`` of the number of a table's rows with these properties; the sum over a group is its count.

    Every statement inserts one row for each group that it changed and updates none, so that transactions do not wait
    for each other; ``services.fold`` merges the rows of a group. ``of`` is one of ``COUNTED``; properties that a table
    does not have are empty. The benchmark has no foreign key constraint in the database, because checking it would
    cost more than the insert; the counted rows have one.

    Rows of ``PUBLIC`` count changes instead: their sum is the version of a benchmark's public pages.
    """

    pk = models.CompositePrimaryKey("benchmark_id", "of", "id")
    id = models.UUIDField(db_default=RandomUUID())
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.DO_NOTHING, related_name="tallies", db_constraint=False, db_index=False
    )
    of = models.CharField(max_length=16)
    kind = models.CharField(max_length=24, db_default="")
    purpose = models.CharField(max_length=16, db_default="")
    state = models.CharField(max_length=16)
    category_id = models.BigIntegerField(null=True)
    subset = models.CharField(max_length=1, db_default="")
    clear = models.BooleanField(db_default=False)
    n = models.BigIntegerField()


class PictureItems(models.Model):
    """How many items of a kind a picture has, so that a build finds the pictures that need some without reading all.

    There is a row for each picture and each kind of its benchmark's protocol. ``items`` leaves out copies, and excluded
    items whose slot is free again. ``ready`` (accepted, and clear of personal information) and ``subset`` are the
    picture's. Triggers of pictures, items and benchmarks maintain the rows, whatever statement changes the tables.
    """

    pk = models.CompositePrimaryKey("image_id", "kind")
    image = models.ForeignKey(Image, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    kind = models.CharField(max_length=24)
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    subset = models.CharField(max_length=1)
    ready = models.BooleanField()
    items = models.IntegerField()

    class Meta:
        indexes = [
            models.Index(
                fields=["benchmark", "kind", "items", "subset", "image"],
                condition=models.Q(ready=True),
                name="picture_items_ready",
            )
        ]


# For each counted table, its name in the database and the columns that its rows are counted by. Pictures belong to
# another app whose migrations may not depend on this one, so their triggers are in the migrations of this app.
COUNTED: dict[str, tuple[str, dict[str, str]]] = {
    "item": ("annotation_item", {"kind": "kind", "state": "state"}),
    "package": ("annotation_package", {"kind": "kind", "state": "state"}),
    "seat": ("annotation_seat", {"kind": "kind", "purpose": "purpose", "state": "state"}),
    "image": (
        "curation_image",
        {"state": "state", "category_id": "category_id", "subset": "subset", "clear": "pii_clear_by_id is not null"},
    ),
}
_SIGNS = {"new_rows": 1, "old_rows": -1}
# The condition on the rows of a table that are counted, where not all are.
COUNTED_IF: dict[str, str] = {"item": " where copy_no = 0"}
# What the rows are called whose sum is the version of a benchmark's public pages (``evaluation.publication``).
PUBLIC = "public"


def counting(of: str) -> list[pgtrigger.Trigger]:
    """The triggers of a counted table: one for inserts, one for updates, one for deletions, each once a statement."""
    return [
        _trigger(of, "count_new", pgtrigger.Insert, new="new_rows"),
        _trigger(of, "count_moved", pgtrigger.Update, new="new_rows", old="old_rows"),
        _trigger(of, "count_gone", pgtrigger.Delete, old="old_rows"),
    ]


def _trigger(of: str, name: str, operation: pgtrigger.Operation, **rows: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=pgtrigger.Referencing(**rows),  # type: ignore[no-untyped-call]
        func=f"{changes(of, *rows.values())}; return null;",
    )


def changes(of: str, *tables: str) -> str:
    """The statement that inserts the changes: the rows of ``new_rows`` added, those of ``old_rows`` subtracted."""
    columns = COUNTED[of][1]
    selected = ", ".join(f"{value} as {column}" for column, value in columns.items())
    each = " union all ".join(
        f"select benchmark_id, {selected}, {_SIGNS[table]} as n from {table}{COUNTED_IF.get(of, '')}"  # noqa: S608  (constants of this module)
        for table in tables
    )
    by = f"benchmark_id, {', '.join(columns)}"
    return (
        f"insert into annotation_tally (of, {by}, n) "  # noqa: S608  (constants of this module)
        f"select '{of}', {by}, sum(n) from ({each}) as each_row group by {by} having sum(n) <> 0"
    )


def counting_on_pictures(freed: tuple[str, ...]) -> list[pgtrigger.Trigger]:
    """The triggers of items that maintain ``PictureItems``; those of pictures and benchmarks are in a migration.

    ``freed`` are the reasons for excluding an item after which its slot is free.
    """
    statement = """
        update annotation_pictureitems p set items = p.items {sign} k.n
        from (select image_id, kind, count(*) as n from {rows}
              where excluded_for not in {freed} and copy_no = 0 group by image_id, kind) as k
        where p.image_id = k.image_id and p.kind = k.kind; return null;
    """
    changed = """
        update annotation_pictureitems set items = items
            + case when new.excluded_for in {freed} then 0 else 1 end
            - case when old.excluded_for in {freed} then 0 else 1 end
        where image_id = new.image_id and kind = new.kind and new.copy_no = 0; return null;
    """

    def of_statement(name: str, operation: pgtrigger.Operation, sign: str, **rows: str) -> pgtrigger.Trigger:
        [table] = rows.values()
        return pgtrigger.Trigger(
            name=name,
            level=pgtrigger.Statement,
            when=pgtrigger.After,
            operation=operation,
            referencing=pgtrigger.Referencing(**rows),  # type: ignore[no-untyped-call]
            func=_one_line(statement.format(sign=sign, rows=table, freed=freed)),
        )

    return [
        of_statement("picture_items_new", pgtrigger.Insert, "+", new="new_rows"),
        of_statement("picture_items_gone", pgtrigger.Delete, "-", old="old_rows"),
        # For each row, because a trigger of the statement would run whenever an item is submitted.
        pgtrigger.Trigger(
            name="picture_items_moved",
            when=pgtrigger.After,
            operation=pgtrigger.UpdateOf("excluded_for"),  # type: ignore[no-untyped-call]
            condition=pgtrigger.Q(new__excluded_for__df=pgtrigger.F("old__excluded_for")),
            func=_one_line(changed.format(freed=freed)),
        ),
    ]


def _one_line(sql: str) -> str:
    return " ".join(sql.split())


def public_changed(benchmark: str = "new.benchmark_id") -> str:
    """The body of a trigger that makes the public pages of a benchmark new; ``benchmark`` is its id in SQL."""
    return (
        "insert into annotation_tally (of, benchmark_id, state, n) "  # noqa: S608  (constants of the models)
        f"values ('{PUBLIC}', {benchmark}, '', 1); return null;"
    )
