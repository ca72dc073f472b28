"""How many rows PostgreSQL reads to answer, from its own plans."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection, transaction


def read_by(node: Mapping[str, Any]) -> int:
    """Rows that a plan's scans touched, those thrown away by filters included."""
    own = 0
    if "Scan" in node["Node Type"] and "Plans" not in node:
        thrown = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
        own = (node["Actual Rows"] + thrown) * node["Actual Loops"]
    return own + sum(read_by(child) for child in node.get("Plans", ()))


def rows_read(statements: Iterable[str]) -> int:
    """Rows that statements read, which are run for it; tables are read by their indexes wherever there is one."""
    read = 0
    with transaction.atomic(), connection.cursor() as cursor:
        # A small table is read whole because that is quick; what counts is the way taken when it has grown.
        cursor.execute("set local enable_seqscan = off")
        for statement in statements:
            cursor.execute("explain (analyze, format json) " + statement)
            plan = cursor.fetchone()[0]
            read += read_by((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    return read
