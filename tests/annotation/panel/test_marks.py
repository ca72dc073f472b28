"""Every byte of every address, for everybody: no verdict of a panel is in it before all are in."""

import re

import pytest
from django.db import transaction

from annotation.items.models import Item
from annotation.judging.models import Judging
from tests.annotation.panels import LEVEL, PASS, judge, panel_world, take, verifier, written
from tests.flows.test_walk import operations
from tests.people import signed_in

pytestmark = pytest.mark.django_db

MARK = "mark73q"
NOTE = LEVEL | {"type": "text", "code": "note", "required": False, "longest": 200}
NOTE.pop("options")


@pytest.fixture
def here():
    return panel_world(form=[PASS, NOTE])


def addresses(here):
    """Every address that is read, with the ids of what there is; those about other things are answered 404."""
    [item], slug = Item.objects.all(), here.benchmark.slug
    ids = {"item_id": item.pk, "item": item.pk, "image_id": item.image_id, "image": item.image_id}
    ids |= {"person_id": here.annotator.pk, "person": here.annotator.pk}
    for name, method, address in operations():
        if method == "GET" and name not in ("media_show", "upload_part"):
            at = re.sub(r"<slug:kind>", item.kind, address)
            at = re.sub(r"<slug:benchmark(_slug)?>", slug, at)
            at = re.sub(r"<int:(\w+)>", lambda match: str(ids.get(match[1], 1)), at)
            at = re.sub(r"<\w+:\w+>", "x", at)
            yield at
            if slug in at:
                yield f"{at}?kind={item.kind}"
    yield f"/api/v1/benchmarks/{slug}/audit?page_size=100"
    yield f"/api/v1/benchmarks/{slug}/items?author={verifier(1).pk}"
    yield f"/api/v1/benchmarks/{slug}/find?q={item.label[:4]}"


def body_of(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def places_of_mark(here, people):
    """Who reads the mark at which addresses."""
    browsers = {who.username: signed_in(who) for who in people}
    return [
        (name, address)
        for name, browser in browsers.items()
        for address in addresses(here)
        if MARK.encode() in body_of(browser.get(address))
    ]


def test_no_answer_has_a_verdict_before_all_are_in(here):
    item = written(here)
    take(verifier(1))
    judge(verifier(1), item, "fail", comment=f"朝代不对 {MARK}", values={"note": f"注 {MARK}"})
    everybody = [here.owner, here.admin, here.curator, here.annotator, verifier(2)]
    assert len(set(addresses(here))) > 150
    assert places_of_mark(here, everybody) == []
    # The judge reads their own, and everybody who may read the history once the other is in, so the search finds it.
    history = f"/api/v1/items/{item.pk}/history"
    assert places_of_mark(here, [verifier(1)]) == [(verifier(1).username, history)]
    take(verifier(2))
    judge(verifier(2), item)
    assert Judging.objects.get().outcome == "failed"
    assert {who for who, at in places_of_mark(here, everybody) if at == history} >= {
        here.admin.username,
        here.curator.username,
        here.annotator.username,
    }


def answers(here, people):
    """What people read at every address, without numbers and times."""
    browsers = {who.username: signed_in(who) for who in people}
    return {
        (name, address): re.sub(rb"[0-9]+", b"0", body_of(browser.get(address)))
        for name, browser in browsers.items()
        for address in addresses(here)
    }


def test_no_answer_differs_by_the_outcome_of_the_first_verdict(here):
    item = written(here)
    people, read = [here.admin, here.annotator, verifier(2)], {}
    for outcome in ("pass", "fail"):
        with transaction.atomic():
            take(verifier(1))
            judge(verifier(1), item, outcome, comment="朝代不对")
            read[outcome] = answers(here, people)
            transaction.set_rollback(True)
    assert len(read["pass"]) > 450
    assert [place for place, body in read["pass"].items() if body != read["fail"][place]] == []
