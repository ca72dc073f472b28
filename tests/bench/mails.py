"""``python -m tests.bench.mails``: planning mails about notifications, mostly with nothing to send; one JSON.

A PostgreSQL of its own holds 1,000,000 notifications of 10,000 people, half of them unread. Of the unread ones 50,000
are of the last three days, and are in mails already where their readers chose mails. The median of five plans, in
milliseconds: with nobody who chose mails, with 2,000 people in eight zones, and with 500 new notifications for them.
"""

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

NOTICES, PEOPLE, READERS = 1_000_000, 10_000, 2_000
RECENT = 50_000
PERSON = """
insert into curation_person (username, name, password, is_active, language, zone)
  select 'p' || n, 'p' || n, '!', true, 'en',
         (array['Asia/Shanghai', 'Asia/Taipei', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'Africa/Cairo',
                'Asia/Kolkata', 'America/Sao_Paulo'])[1 + n %% 8]
  from generate_series(1, %(people)s) n"""
NOTICE = """
insert into curation_notice (person_id, benchmark_id, code, params, target_type, target_id, created_at, read_at)
  select p.least + n %% %(people)s, null, 'package_returned', '{}', 'package', n,
         case when n <= %(recent)s then now() - interval '2 days' else now() - interval '30 days' end,
         case when n %% 2 = 1 and n > %(recent)s then now() end
  from generate_series(1, %(notices)s) n, (select min(id) least from curation_person where username like 'p%%') p"""
MAILBOX = """
insert into curation_mailbox (person_id, address, verified_at, pending, pending_sha256, digest, digest_since)
  select id, username || '@example.org', now(), '', '', case when id %% 2 = 0 then 'daily' else 'at_once' end,
         now() - interval '60 days'
  from curation_person where username like 'p%%' order by id limit %(readers)s"""
NEW = """
insert into curation_notice (person_id, benchmark_id, code, params, target_type, target_id, created_at)
  select person_id, null, 'package_returned', '{}', 'package', 1, now()
  from curation_mailbox where digest = 'at_once' limit 500"""


def plan(times: int = 5) -> dict[str, float]:
    """The median of so many plans, and how many mails the first added."""
    from curation.mail.services import plan_mails  # noqa: PLC0415  (after the settings)

    spent, planned = [], []
    for _ in range(times):
        began = time.perf_counter()
        planned.append(plan_mails())
        spent.append((time.perf_counter() - began) * 1000)
    return {"ms": round(statistics.median(spent), 2), "first_ms": round(spent[0], 1), "planned": planned[0]}


def measure() -> dict[str, Any]:
    """Fill, plan."""
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    sizes = {"people": PEOPLE, "notices": NOTICES, "recent": RECENT, "readers": READERS}

    def fill(*statements: str) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement, sizes)

    fill(PERSON, NOTICE, "analyze")
    figures: dict[str, Any] = {"nobody": plan()}
    fill(MAILBOX, "analyze")
    figures["all"] = plan(1)
    while plan(1)["planned"]:
        pass
    fill("analyze")
    figures["nothing_new"] = plan()
    fill(NEW)
    figures["new"] = plan(1)
    return figures


def main() -> None:
    """Prepare, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="a file for the figures, too")
    chosen = parser.parse_args()
    with own_database("mails"):
        import django  # noqa: PLC0415

        django.setup()
        tell({"machine": machine(), "load": load()} | measure(), chosen.out)


if __name__ == "__main__":
    main()
