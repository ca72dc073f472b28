"""The audit log keeps verdicts from the people who do not see them elsewhere yet."""

import csv
import io
import json
import uuid

import pytest

from annotation.quality import services as quality
from curation.core.models import AuditEvent
from curation.people import queries
from curation.people.models import RoleGrant
from tests.annotation import track
from tests.annotation.quality import test_pools as pools
from tests.people import Role, send, signed_in

pytestmark = pytest.mark.django_db


def reader_too(person, benchmark):
    """Somebody who may read the audit log besides their other roles."""
    RoleGrant.objects.create(person=person, benchmark=benchmark, role=Role.CURATOR)
    person.grants = None
    return person


def shown(reader, action):
    """Outcomes and reasons of an action's entries, oldest first, in the list and in the file."""
    rows = queries.audit_page(reader, "cvlue", page_size=100, action=action)["results"]
    listed = [(r["data"].get("outcome"), r["data"].get("reasons")) for r in reversed(rows)]
    answer = send(signed_in(reader), "GET", f"benchmarks/cvlue/audit.csv?action={action}")
    data = [json.loads(row["data"]) for row in csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig")))]
    assert listed == [(one.get("outcome"), one.get("reasons")) for one in data]
    assert all({"revision_no", "package_id", "round"} <= row["data"].keys() for row in rows)
    return listed


def test_a_running_review_from_the_author():
    here = track.new_world()
    author = reader_too(here.annotator, here.benchmark)
    package = track.command(quality.start_review, here.senior, track.submitted_package(here))
    item, *others = track.items_of(package)
    track.review(here.senior, item, "return", reasons=["names_a_person"])
    assert shown(author, "item_review") == [(None, None)]
    assert shown(here.admin, "item_review") == [("return", ["names_a_person"])]
    for other in others:
        track.review(here.senior, other)
    track.command(quality.complete_review, here.senior, package)
    assert shown(author, "item_review") == [("return", ["names_a_person"])] + [("accept", [])] * len(others)


def test_a_running_review_from_a_pool_from_everyone_but_the_judge():
    here = pools.pooled_world(people=2)
    pools.submitted_package(here)
    first, second = reader_too(here.senior, here.benchmark), reader_too(here.senior2, here.benchmark)
    items = pools.claim(first)
    for item in items:
        track.review(first, item, "return", reasons=["names_a_person"])
    told, hidden = [("return", ["names_a_person"])] * len(items), [(None, None)] * len(items)
    assert [shown(who, "item_review") for who in (first, second, here.admin)] == [told, hidden, hidden]
    for item in pools.claim(second):
        track.review(second, item)
    assert shown(here.admin, "item_review") == told + [("accept", [])] * len(items)


def test_a_running_inspection_from_those_who_do_not_inspect():
    here = track.new_world()
    package = track.inspecting(here)
    track.inspect(here.curator, track.drawn(package)[0], "wrong", reasons=["names_a_person"])
    assert shown(here.curator, "item_inspect") == [("wrong", ["names_a_person"])]
    assert shown(here.admin, "item_inspect") == [(None, None)]


def test_entries_of_an_earlier_version_have_no_round():
    here = track.new_world()
    author = reader_too(here.annotator, here.benchmark)
    package = track.command(quality.start_review, here.senior, track.submitted_package(here))
    item = track.items_of(package)[0]
    track.review(here.senior, item, "return", reasons=["names_a_person"])
    event = AuditEvent.objects.get(action="item_review")
    del event.data["round"]
    event.pk, event.client_key = None, uuid.uuid4()
    event.save(force_insert=True)
    rows = queries.audit_page(author, "cvlue", page_size=100, action="item_review")["results"]
    assert [row["data"].get("outcome") for row in rows] == [None, None]
