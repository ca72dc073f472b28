"""The progress board, the filters of the package list, and what waits for somebody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.packages import services
from annotation.packages.models import Package
from curation.images.models import Image
from curation.taxonomy.models import Category
from tests.annotation.track import new_world, submitted_package
from tests.people import key, send, signed_in
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db
BOARD, PACKAGES, WAITING = (f"/api/v1/benchmarks/cvlue/{name}" for name in ("board", "packages", "waiting"))


@shared
def here():
    """Four packages of two; one is being written for four days, one waits for review."""
    made = new_world(pictures=8, size=2)
    services.claim_package(actor=made.annotator, benchmark_slug="cvlue", kind="captions")
    submitted_package(made, made.annotator2)
    Package.objects.filter(number=1).update(state_changed_at=timezone.now() - timedelta(days=4))
    return made


def under(here, **content):
    """The benchmark under a protocol with more in it."""
    here.benchmark.refresh_from_db()
    protocol = here.benchmark.protocol
    version = type(protocol).objects.create(
        benchmark=here.benchmark,
        version=protocol.version + 1,
        name="test",
        source_sha256="0" * 64,
        content=captions_protocol(size=2) | {"roles": protocol.content["roles"]} | content,
    )
    type(here.benchmark).objects.filter(pk=here.benchmark.pk).update(protocol=version)


def test_counts_by_state_with_the_oldest_and_what_stalls(here):
    answer = signed_in(here.senior).get(BOARD).json()
    assert answer["stall_days"] == 3
    [captions] = answer["kinds"]
    assert {s: n for s, n in captions["items"].items() if n} == {"todo": 6, "made": 2}
    assert {s: (p["n"], p["stalled"]) for s, p in captions["packages"].items() if p["n"]} == {
        "available": (2, 0),
        "working": (1, 1),
        "handed_over": (1, 0),
    }
    assert captions["packages"]["passed"] == {"n": 0, "oldest_at": None, "stalled": 0}
    assert captions["packages"]["working"]["oldest_at"][:10] == str((timezone.now() - timedelta(days=4)).date())
    assert (captions["accepted"], captions["target"]) == (0, None)
    assert answer["pictures"] == {"accepted": 8, "minimum": None, "categories": []}
    assert answer["seats"] == []


def test_measures_pictures_against_the_quota(here):
    for number, slug in enumerate(("lantern", "tiger"), 1):
        Category.objects.create(
            benchmark=here.benchmark, slug=slug, number=number, name=names(slug), field="f", field_name=names("f")
        )
    Image.objects.filter(number__lte=3).update(category=Category.objects.get(slug="tiger"))
    Image.objects.filter(number=3).update(state="refused")
    under(here, images={"quota": {"per_category_minimum": 2, "per_category_target": 5}})
    answer = signed_in(here.admin).get(BOARD).json()
    assert [(c["slug"], c["n"], c["minimum"], c["target"]) for c in answer["pictures"]["categories"]] == [
        ("lantern", 0, 2, 5),
        ("tiger", 2, 2, 5),
    ]
    assert (answer["pictures"]["accepted"], answer["pictures"]["minimum"]) == (7, 4)
    assert answer["kinds"][0]["target"] == 10
    # A kind of a subset is measured against the subset's quota.
    subset = {"code": "A", "quota": {"per_category_minimum": 1, "per_category_target": 3}}
    quota = {"per_category_minimum": 2, "per_category_target": 5}
    kinds = {"captions": captions_protocol()["kinds"]["captions"] | {"subset": "A"}}
    under(here, images={"quota": quota, "subsets": [subset]}, kinds=kinds)
    assert signed_in(here.admin).get(BOARD).json()["kinds"][0]["target"] == 6


def test_the_board_is_for_staff(here):
    answers = {
        who: signed_in(getattr(here, who)).get(BOARD).status_code for who in ("curator", "annotator", "stranger")
    }
    assert answers == {"curator": 200, "annotator": 403, "stranger": 403}


def test_lists_stalled_packages_and_those_of_a_person(here):
    browser = signed_in(here.admin)

    def labels(query):
        answer = browser.get(f"{PACKAGES}?{query}").json()
        assert answer["total"] == len(answer["results"])
        return [p["label"] for p in answer["results"]]

    assert labels("stalled=true") == ["cap-pkg-0001"]
    assert labels("stalled=true&state=handed_over") == []
    assert labels(f"assignee={here.annotator2.pk}") == ["cap-pkg-0002"]
    assert labels(f"assignee={here.annotator2.pk}&stalled=true") == []
    assert labels("stalled=false") == [f"cap-pkg-000{n}" for n in range(1, 5)]
    assert browser.get(f"{PACKAGES}?assignee=x").status_code == 400


def test_board_list_and_home_ask_as_much_for_many_as_for_few(here):
    browser = signed_in(here.admin)
    counts = []
    for _ in range(3):  # the first reads the protocol, which each process does once
        seen = []
        for address in (BOARD, f"{PACKAGES}?stalled=true", WAITING):
            with CaptureQueriesContext(connection) as captured:
                browser.get(address)
            seen.append(len(captured))
        counts.append(seen)
        accepted_pictures(here.benchmark, here.contributor, here.curator, 10)
        send(browser, "POST", "benchmarks/cvlue/packages/build", {"kind": "captions", "client_key": key()})
    assert counts[1] == counts[2]
    assert counts[1][:2] == [7, 4]


def test_home_shows_assigned_packages_and_pools(here):
    package = Package.objects.get(number=4)
    given = {"person": here.annotator2.pk, "revision": 0, "client_key": key()}
    send(signed_in(here.admin), "POST", f"packages/{package.pk}/assign", given)
    answer = signed_in(here.annotator2).get(WAITING).json()
    assert [p["label"] for p in answer["assigned"]] == ["cap-pkg-0004"]
    assert (answer["available"], answer["pools"]) == (1, [])
    assert signed_in(here.annotator).get(WAITING).json()["assigned"] == []


def test_home_counts_free_seats_of_pools():
    here = new_world(pictures=2, size=2)
    package = captions_protocol(size=2)["tracks"]["package"] | {"review_pool": {"people": 2, "held": 5}}
    under(here, tracks={"package": package})
    protocol = type(here.benchmark).objects.get().protocol
    Package.objects.update(protocol=protocol)
    first, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    browser = signed_in(here.annotator)
    for item in browser.get(f"/api/v1/packages/{first.pk}/next").json()["items"]:
        body = {"base_no": 0, "content": five_captions(item["number"]), "client_key": key()}
        send(browser, "POST", f"items/{item['id']}/submit", body)
    ticks = [{"id": i["id"], "revision_no": 1} for i in browser.get(f"/api/v1/packages/{first.pk}").json()["items"]]
    send(browser, "POST", f"packages/{first.pk}/self-check", {"revision": 1, "items": ticks, "client_key": key()})
    send(browser, "POST", f"packages/{first.pk}/hand-over", {"revision": 1, "client_key": key()})
    senior = signed_in(here.senior)
    send(senior, "POST", "benchmarks/cvlue/pools/review/claim", {"kind": "captions", "count": 1})
    assert senior.get(WAITING).json()["pools"] == [{"purpose": "review", "kind": "captions", "free": 3, "mine": 1}]
    assert browser.get(WAITING).json()["pools"] == []
