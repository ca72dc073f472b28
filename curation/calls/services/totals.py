"""Checking the totals of calls against the ledger."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection, transaction

_KEY: Final = ("benchmark_id", "server", "model", "state")
_SUMS: Final = ("calls", "tokens_in", "tokens_out", "cost")
_BY, _OF = ", ".join(_KEY), ", ".join(_SUMS)
_COUNTED = f"""
    select {_BY}, count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), sum(cost)
    from curation_call where state <> 'sent'
"""  # noqa: S608  (constants of this module)
# One statement sees one snapshot of the database, so a call that is settled meanwhile is on both sides or neither.
_WRONG = f"""
    select {_BY}, {", ".join(f"sum({name})" for name in _SUMS)} from (
        select {_BY}, {", ".join(f"-{name}" for name in _SUMS)} from curation_calltotal
        union all {_COUNTED} group by {_BY}
    ) as sides ({_BY}, {_OF})
    group by {_BY} having {" or ".join(f"sum({name}) <> 0" for name in _SUMS)} order by {_BY}
"""  # noqa: S608  (constants of this module)
_OF_KEY = " and ".join(f"{name} = %s" for name in _KEY)
_WRITE = f"""
    insert into curation_calltotal ({_BY}, {_OF}) {_COUNTED} and {_OF_KEY} group by {_BY}
    on conflict ({_BY}) do update set {", ".join(f"{name} = excluded.{name}" for name in _SUMS)}
"""
_DELETE = f"delete from curation_calltotal where {_OF_KEY}"  # noqa: S608  (constants of this module)


@transaction.atomic
def check_call_totals(*, repair: bool) -> list[dict[str, Any]]:
    """Compare the totals of calls with the sums of the ledger; safe while models are asked.

    Args:
        repair: Write the true sums, if any total is wrong. Meanwhile replies wait to be settled.

    Returns:
        A row for each total that is wrong, with the true sums minus its own.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WRONG)
        wrong = cursor.fetchall()
        if wrong and repair:
            # From here no call is settled, so the sums that are read now stay true until they are written.
            cursor.execute("lock table curation_calltotal in share row exclusive mode")
            cursor.execute(_WRONG)
            wrong = cursor.fetchall()
            for row in wrong:
                key = row[: len(_KEY)]
                cursor.execute(_WRITE, key)
                if not cursor.rowcount:
                    cursor.execute(_DELETE, key)
    return [dict(zip(("of", *_KEY, *_SUMS), ("call", *row), strict=True)) for row in wrong]
