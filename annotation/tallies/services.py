"""Folding and checking the tallies."""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from annotation.tallies.models import COUNTED, COUNTED_IF, PUBLIC, Tally

_GROUP = "benchmark_id, of, kind, purpose, state, category_id, subset, clear"
# A benchmark's rows of one table are folded once there are more than twice as many as groups, plus this number.
SLACK = 100
# Rows that another fold has locked are skipped. Inserts never block a fold.
_FOLD = f"""
    with long as (
        select benchmark_id, of from annotation_tally group by 1, 2
        having count(*) > %(slack)s + 2 * count(distinct (kind, purpose, state, category_id, subset, clear))
    ), held as (
        select t.benchmark_id, t.of, t.id from annotation_tally t join long using (benchmark_id, of)
        for update of t skip locked
    ), gone as (
        delete from annotation_tally t using held
        where (t.benchmark_id, t.of, t.id) = (held.benchmark_id, held.of, held.id) returning t.*
    ), added as (
        insert into annotation_tally ({_GROUP}, n)
        select {_GROUP}, sum(n) from gone group by {_GROUP} having sum(n) <> 0 returning 1
    )
    select (select count(*) from gone), (select count(*) from added)
"""  # noqa: S608  (constants of this module; values are parameters)


def fold(slack: int = SLACK) -> int:
    """Merge rows of the same group; return by how much the number of rows decreased."""
    with connection.cursor() as cursor:
        cursor.execute(_FOLD, {"slack": slack})
        deleted, inserted = cursor.fetchone()
    return int(deleted - inserted)


def _true_counts() -> str:
    empty = {"kind": "''", "purpose": "''", "category_id": "null::bigint", "subset": "''", "clear": "false"}
    selects = []
    for of, (table, columns) in COUNTED.items():
        names = ", ".join(
            {**empty, **columns}[name] for name in ("kind", "purpose", "state", "category_id", "subset", "clear")
        )
        selects.append(
            f"select benchmark_id, '{of}', {names}, count(*) from {table}{COUNTED_IF.get(of, '')} "  # noqa: S608  (constants)
            "group by 1, 2, 3, 4, 5, 6, 7, 8"
        )
    return " union all ".join(selects)


# One statement sees one snapshot of the database, so concurrent writes cannot make the two sides differ.
_WRONG = f"""
    select {_GROUP}, sum(n) as n from (
        select {_GROUP}, -n as n from annotation_tally where of <> '{PUBLIC}'
        union all
        select * from ({_true_counts()}) as counted ({_GROUP}, n)
    ) as sides group by {_GROUP} having sum(n) <> 0
"""  # noqa: S608  (constants of this module)


# The rows of ``PictureItems`` that are missing or differ, as they should be.
_WRONG_PICTURES = """
    select i.id as image_id, k.kind, i.benchmark_id, i.subset,
           i.state = 'accepted' and i.pii_clear_by_id is not null as ready, t.n as items
    from curation_image i join curation_benchmark b on b.id = i.benchmark_id
    join curation_protocolversion p on p.id = b.protocol_id
    cross join lateral jsonb_object_keys(coalesce(p.content->'kinds', '{}')) as k (kind)
    cross join lateral (
        select count(*) as n from annotation_item t
        where t.benchmark_id = i.benchmark_id and t.kind = k.kind and t.image_id = i.id
          and t.excluded_for not in ('discard', 'decision') and t.copy_no = 0
    ) t
    left join annotation_pictureitems e on e.image_id = i.id and e.kind = k.kind
    where (e.subset, e.ready, e.items) is distinct from
          (i.subset, i.state = 'accepted' and i.pii_clear_by_id is not null, t.n)
"""
_IN_PACKAGE = "exists (select from annotation_packageitem m where m.item_id = i.id and m.active)"
# What builds read, each with a statement that finds wrong rows and one that corrects and returns them.
_BUILDS = {
    "picture_items": (
        _WRONG_PICTURES,
        f"""
    insert into annotation_pictureitems (image_id, kind, benchmark_id, subset, ready, items) {_WRONG_PICTURES}
    on conflict (image_id, kind) do update set subset = excluded.subset, ready = excluded.ready, items = excluded.items
    returning image_id, kind, benchmark_id, subset, ready, items
""",
    ),
    "packed": (
        f"select id, {_IN_PACKAGE} as packed from annotation_item i where packed <> {_IN_PACKAGE}",  # noqa: S608
        f"update annotation_item i set packed = not packed where packed <> {_IN_PACKAGE} returning id, packed",  # noqa: S608
    ),
}


@transaction.atomic
def check(*, repair: bool) -> list[dict[str, Any]]:
    """Count all rows and compare the counts with the tallies, also what builds read; safe while people work.

    Args:
        repair: Insert the differences.

    Returns:
        A row for each group that is wrong: its properties, and ``n``, the true count minus the tally. A row for each
        kind of a picture whose ``PictureItems`` is wrong, and for each item whose ``packed`` is, with the true values.
    """
    names = [*_GROUP.split(", "), "n"]
    with connection.cursor() as cursor:
        # Without the lock, two concurrent repairs would insert the same difference twice.
        cursor.execute("select pg_advisory_xact_lock(hashtext(%s))", [Tally._meta.db_table])
        if repair:
            cursor.execute(
                f"with wrong as ({_WRONG}), added as (insert into annotation_tally ({_GROUP}, n) select * from wrong)"  # noqa: S608  (constants)
                " select * from wrong"
            )
        else:
            cursor.execute(_WRONG)
        wrong = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        for of, (find, mend) in _BUILDS.items():
            cursor.execute(mend if repair else find)
            columns = [column.name for column in cursor.description or ()]
            wrong += [{"of": of} | dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        return wrong
