"""``python -m tests.bench.ledger``: reads of a ledger of 1,000,000 calls; one JSON out.

A PostgreSQL of its own holds two benchmarks. One made 950,000 of the calls, to eleven models; 20 of them failed, 10
went to one model and 10 were tried by people, so that filters with few results are measured, too. Each read is the
application's function with its connection, without HTTP; the median of five.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

CALLS = 1_000_000
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"state": "answered"},
    {"state": "failed"},
    {"state": "refused"},
    {"state": "sent"},
    {"purpose": "try"},
    {"model": "rare"},
    {"server": "big", "model": "rare"},
    {"state": "answered", "model": "rare"},
)

# Triggers and foreign keys are off meanwhile; what the trigger would have summed is written beside.
CALL = """
with made as (
  select n, n %% 50000 = 3 as failed, n > %(calls)s - 20 and n %% 50000 <> 3 as sent
  from generate_series(1, %(calls)s) n)
insert into curation_call (benchmark_id, purpose, server, model, request_sha256, sample, request, state, holder,
    held_until, tries, reply, finish, served_model, code, tokens_in, tokens_out, estimate, cost, price, ms, sent_at,
    settled_at)
  select case when n %% 20 = 0 then %(other)s else %(benchmark)s end,
         case when n %% 100000 = 7 then 'try' else 'answer' end, 'big',
         case when n %% 100000 = 9 then 'rare' else 'm' || n %% 10 end, sha256(n::text::bytea), 0,
         jsonb_build_object('model', 'm', 'messages', repeat(md5(n::text), 12)),
         case when failed then 'failed' when sent then 'sent' else 'answered' end, 'x',
         case when sent then now() + interval '1 hour' end, 1,
         case when not failed and not sent then repeat('r', 200) end, 'stop', 'm', '', 100, 50, 0.01,
         case when not sent then 0.005 end, '{"currency": "USD"}', 900, now(), case when not sent then now() end
  from made"""
TOTAL = """
insert into curation_calltotal (benchmark_id, server, model, state, calls, tokens_in, tokens_out, cost)
  select benchmark_id, server, model, state, count(*), sum(tokens_in), sum(tokens_out), sum(cost)
  from curation_call where state <> 'sent' group by benchmark_id, server, model, state"""
OFFER = """
insert into curation_offer (server, model, currency, million_in, million_out, per_picture, added_by_id, at)
  select 'big', 'm' || n %% 300, 'USD', 1, 1, 0, %(owner)s, now() from generate_series(1, 10000) n"""


def milliseconds(read: Callable[[], object]) -> float:
    """The median of five reads."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        read()
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 1)


def measure() -> dict[str, Any]:
    """Fill, read."""
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from curation.calls import queries  # noqa: PLC0415
    from curation.calls.models import Budget  # noqa: PLC0415
    from curation.people.models import Person  # noqa: PLC0415
    from tests.curation.calls.room import new_benchmark  # noqa: PLC0415
    from tests.people import Role, person  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    benchmark, other = new_benchmark(), new_benchmark("other")
    owner: Person = person("payer", None, Role.OWNER)
    Budget.objects.create(benchmark=benchmark, currency="USD", ceiling=Decimal(10_000))
    values = {"calls": CALLS, "benchmark": benchmark.pk, "other": other.pk, "owner": owner.pk}
    with connection.cursor() as cursor:
        cursor.execute("set session_replication_role = replica")
        for statement in (CALL, TOTAL, OFFER):
            cursor.execute(statement, values)
        cursor.execute("set session_replication_role = origin")
        cursor.execute("vacuum analyze")
        cursor.execute("select pg_table_size('curation_call'), pg_indexes_size('curation_call')")
        rows, indexes = cursor.fetchone()
    figures: dict[str, Any] = {"rows_mb": round(rows / 1e6), "indexes_mb": round(indexes / 1e6)}
    figures["spending"] = milliseconds(lambda: queries.spending(owner, benchmark.slug))
    for filters in FILTERS:
        name = " ".join(["page", *(f"{key}={value}" for key, value in filters.items())])
        figures[name] = milliseconds(lambda f=filters: queries.call_page(owner, benchmark.slug, page_size=50, **f))
    return figures


def main() -> None:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    arguments = parser.parse_args()
    with own_database("ledger"):
        import django  # noqa: PLC0415

        django.setup()
        tell({"machine": machine(), "load": load()} | measure(), arguments.out)


if __name__ == "__main__":
    main()
