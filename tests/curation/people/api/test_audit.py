"""The audit log as a list and as a file: filters, names as they are now, nothing a spreadsheet would run."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.core import audit
from curation.people.models import Person
from curation.people.queries import AUDIT_COLUMNS as COLUMNS
from tests.people import send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

HERE = "benchmarks/cvlue"


@shared
def here():
    made = world(captions_protocol())
    for n, who in enumerate((made.admin, made.admin, made.curator)):
        audit.record(
            action=("role_grant", "image_judge", "image_judge")[n],
            target_type="person" if n == 0 else "image",
            target_id=made.annotator.pk if n == 0 else n,
            actor_id=who.pk,
            benchmark_id=made.benchmark.pk,
            label="" if n == 0 else f"img-000{n}",
            state_from="received" if n else "",
            state_to="accepted" if n else "",
            data={"reasons": ["watermark"]} if n else {"role": "senior"},
        )
    return made


def rows(browser, query=""):
    return send(browser, "GET", f"{HERE}/audit{query}").json()["results"]


def file(browser, query=""):
    answer = send(browser, "GET", f"{HERE}/audit.csv{query}")
    return answer, list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_filters(here):
    browser = signed_in(here.admin)
    assert [r["action"] for r in rows(browser)] == ["image_judge", "image_judge", "role_grant"]
    assert [r["label"] for r in rows(browser, "?target_type=image&target_id=2")] == ["img-0002"]
    assert [r["actor"]["name"] for r in rows(browser, f"?actor_id={here.curator.pk}")] == ["curator 名"]
    assert len(rows(browser, "?action=image_judge")) == 2
    soon = (timezone.now() + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    past = (timezone.now() - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert (len(rows(browser, f"?since={past}&until={soon}")), rows(browser, f"?since={soon}")) == (3, [])
    assert rows(browser, f"?until={past}") == []
    assert told(send(browser, "GET", f"{HERE}/audit?since=yesterday")) == (400, "invalid_input")


def test_names_are_those_of_now(here):
    Person.objects.filter(pk=here.annotator.pk).update(name="=cmd()")
    browser = signed_in(here.admin)
    assert rows(browser, "?target_type=person")[0]["label"] == "=cmd()"
    _, lines = file(browser, "?target_type=person")
    assert lines[1][COLUMNS.index("label")] == "'=cmd()"


def test_the_file_is_all_of_it_oldest_first(here):
    answer, lines = file(signed_in(here.curator))
    assert answer.streaming
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="cvlue-audit.csv"'
    assert lines[0] == list(COLUMNS)
    assert [line[4] for line in lines[1:]] == ["role_grant", "image_judge", "image_judge"]
    assert lines[2][5:11] == ["image", "1", "img-0001", "received", "accepted", '{"reasons": ["watermark"]}']
    assert datetime.fromisoformat(lines[1][1]).tzinfo is not None
    assert len(file(signed_in(here.curator), "?action=image_judge")[1]) == 3


def test_it_is_read_in_pieces(here, monkeypatch):
    for n in range(10):
        audit.record(action="x", target_type="item", target_id=n, actor_id=None, benchmark_id=here.benchmark.pk)
    browser = signed_in(here.admin)
    with CaptureQueriesContext(connection) as seen:
        _, lines = file(browser)
    assert len(lines) == 14
    assert len(seen) <= 8
    assert lines[-1][3] == ""  # the application itself


@pytest.mark.parametrize("who", ["senior", "annotator", "contributor"])
def test_who_does_not_read_it(here, who):
    for address in ("audit", "audit.csv"):
        assert told(send(signed_in(getattr(here, who)), "GET", f"{HERE}/{address}")) == (403, "operation_not_allowed")


def test_no_cell_of_the_file_is_a_formula(here):
    audit.record(
        action="image_judge",
        target_type="image",
        target_id=9,
        actor_id=here.admin.pk,
        benchmark_id=here.benchmark.pk,
        label="=1+1",
        state_to=" @x",
        data={},
    )
    _, lines = file(signed_in(here.admin), "?target_id=9&target_type=image")
    assert (lines[1][7], lines[1][9], lines[1][10]) == ("'=1+1", "' @x", "{}")
