"""Agreement of people who boxed the same pictures, on the page of quality and for one picture."""

from __future__ import annotations

import pytest

from annotation.items.models import Item
from annotation.quality import services as quality
from tests.annotation.track import command, items_of, review, tick_and_submit
from tests.boxes import TWO, boxes_world, build, claim, draw, draw_package, drawing, other_of_double
from tests.people import Role, person, send, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db
LOOSE = drawing(("panda", (10, 10, 100, 80)), ("bowl", (200, 10, 100, 100)))


@shared
def here():
    """Eight pictures in two packages with four copies; one person drew tight boxes, another other ones."""
    made = boxes_world()
    build(made)
    made.other = person("other", made.benchmark, Role.ANNOTATOR)
    return made


def draw_both(here):
    packages = []
    for who, content in ((here.annotator, TWO), (here.other, LOOSE)):
        package = claim(who)
        draw_package(who, package, content)
        packages.append(package)
    return packages


def doubles(here, who=None):
    answer = send(signed_in(who or here.admin), "GET", "benchmarks/cvlue/quality?kind=boxes")
    assert answer.status_code == 200
    return answer.json()["doubles"]


def measured(row):
    return {measure["name"]: measure["value"] for measure in row["measures"]}


def test_agreement_is_shown_in_all_by_person_and_by_package(here):
    packages = draw_both(here)
    [row] = doubles(here)
    assert (row["kind"], row["pictures"], row["boxes"]) == ("boxes", 4, 16)
    # 80% of one box and all of the other; of the labels half are the same, and three in four are pandas:
    # (1/2 - 5/8) / (1 - 5/8).
    assert measured(row) == {"mean_iou": pytest.approx(0.9), "f1": 1.0, "label_kappa": pytest.approx(-1 / 3)}
    assert [(one["person"]["name"], one["pictures"]) for one in row["people"]] == [
        (here.annotator.name, 4),
        (here.other.name, 4),
    ]
    assert {one["label"] for one in row["packages"]} == {package.label for package in packages}
    assert all(measure["low"] <= measure["value"] <= measure["high"] for measure in row["measures"])


def test_pictures_count_once_both_packages_were_submitted(here):
    package = claim(here.annotator)
    draw_package(here.annotator, package)
    assert doubles(here) == []
    second = claim(here.other)
    for item in items_of(second):
        draw(here.other, item, LOOSE)
    assert doubles(here) == []
    tick_and_submit(here.other, second)
    assert doubles(here)[0]["pictures"] == 4


def test_what_reviewers_change_later_does_not_count(here):
    _, two = draw_both(here)
    command(quality.start_review, here.senior, two)
    review(here.senior, items_of(two)[0], "correct", content=TWO)
    item = next(item for item in items_of(two)[1:] if Item.objects.filter(image=item.image_id).count() == 2)
    review(here.senior, item, "return", reasons=["wrong_fact"])
    assert measured(doubles(here)[0])["mean_iou"] == pytest.approx(0.9)


def test_annotators_see_their_own_row(here):
    draw_both(here)
    [row] = doubles(here, here.other)
    assert [one["mine"] for one in row["people"]] == [True]
    assert row["packages"] == []
    assert doubles(here, here.annotator2) == []


def test_where_names_are_hidden_nobody_is_named(here):
    version = here.benchmark.protocol
    content = {**version.content, "tracks": {"package": {**version.content["tracks"]["package"], "blind": True}}}
    newer = type(version).objects.create(
        benchmark=here.benchmark, version=9, name="cvlue", source="", source_sha256="", content=content
    )
    here.benchmark.protocol = newer
    here.benchmark.save(update_fields=["protocol"])
    draw_both(here)
    [row] = doubles(here, here.senior)
    assert [one["person"] for one in row["people"]] == [None, None]


class TestOnePicture:
    def test_both_versions_are_shown_with_what_matches(self, here):
        draw_both(here)
        copy = Item.objects.filter(copy_no=1).order_by("number").first()
        original = other_of_double(copy)
        senior = signed_in(here.senior)
        answer = send(senior, "GET", f"items/{copy.pk}/double").json()
        assert (answer["one"]["item"], answer["other"]["item"]) == (copy.pk, original.pk)
        assert {answer["one"]["label"], answer["other"]["label"]} == {copy.label, original.label}
        ious = sorted(match["iou"] for match in answer["matches"])
        assert ious == [pytest.approx(0.8), 1.0]
        assert answer["pictures"] == 1
        page = send(senior, "GET", f"items/{copy.pk}").json()
        assert (page["copy_no"], page["double"]) == (1, {"id": original.pk, "label": original.label})

    def test_before_both_submitted_there_is_nothing_to_compare(self, here):
        copy = Item.objects.filter(copy_no=1).order_by("number").first()
        answer = send(signed_in(here.senior), "GET", f"items/{copy.pk}/double")
        assert told(answer) == (409, "nothing_to_compare")

    def test_annotators_never_see_it(self, here):
        draw_both(here)
        copy = Item.objects.filter(copy_no=1).order_by("number").first()
        browser = signed_in(here.other)
        assert send(browser, "GET", f"items/{copy.pk}/double").status_code == 403
        mine = next(
            item
            for item in (copy, other_of_double(copy))
            if item.memberships.get().package.assignee_id == here.other.pk
        )
        page = send(browser, "GET", f"items/{mine.pk}").json()
        assert page["double"] is None


def test_work_done_twice_costs_the_page_one_statement_more(here, django_assert_max_num_queries):
    draw_both(here)
    admin = signed_in(here.admin)
    send(admin, "GET", "benchmarks/cvlue/quality")
    with django_assert_max_num_queries(16):
        send(admin, "GET", "benchmarks/cvlue/quality")
