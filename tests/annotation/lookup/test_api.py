"""One thing by its label, text or name: found by those who may open it, and by nobody else."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.items.models import Item
from annotation.packages.models import Package
from annotation.search import queries, services
from curation.core.pages import encode_cursor
from curation.taxonomy.models import Category
from tests.annotation import teams
from tests.annotation.track import new_world, submitted_package
from tests.people import World, signed_in, told
from tests.protocols import names
from tests.shared import shared

pytestmark = pytest.mark.django_db
EMPTY = {"items": [], "packages": [], "images": [], "categories": [], "people": [], "newest_only": False}
FIRST = "院子乙里站着一只黄色舞狮"  # the first caption of item 1


@shared
def here() -> World:
    """Two packages of two items: the annotator's, written and submitted, and one that nobody has."""
    made = new_world(pictures=4, size=2)
    submitted_package(made)
    services.sweep()
    for number, slug in enumerate(("lantern", "tiger"), 1):
        name = {"zh-Hans": "灯笼", "zh-Hant": "燈籠", "en": "Lantern"} if number == 1 else names(slug)
        Category.objects.create(
            benchmark=made.benchmark, slug=slug, number=number, name=name, field="f", field_name=names("f")
        )
    return made


def find(who, q, slug="cvlue"):
    return signed_in(who).get(f"/api/v1/benchmarks/{slug}/find", {"q": q})


def labels(who, q, slug="cvlue"):
    answer = find(who, q, slug).json()
    return [row["label"] for sort in ("items", "packages", "images") for row in answer[sort]]


def test_an_item_by_its_label(here):
    item = Item.objects.order_by("pk").first()
    expected = {
        "id": item.pk, "label": "cap-000001", "kind": "captions", "state": "made", "language": None, "text": FIRST,
    }  # fmt: skip
    for q in ("cap-000001", "cap-1", "CAP 1"):
        assert find(here.admin, q).json() == EMPTY | {"items": [expected]}


def test_a_package_and_a_picture_by_their_labels(here):
    package = Package.objects.get(number=2)
    assert find(here.admin, "cap-pkg-2").json() == EMPTY | {
        "packages": [{"id": package.pk, "label": "cap-pkg-0002", "kind": "captions", "state": "available"}]
    }
    assert labels(here.admin, "img-3") == ["img-0003"]
    assert labels(here.admin, "2") == ["cap-000002", "cap-pkg-0002", "img-0002"]
    assert labels(here.admin, "99") == []


def test_items_by_their_texts_with_the_passage_that_matches(here):
    answer = find(here.senior, "舞獅").json()
    assert [(row["label"], row["text"]) for row in answer["items"]] == [
        ("cap-000002", "院子丙里站着一只黄色舞狮"),
        ("cap-000001", FIRST),
    ]
    assert [row["text"] for row in find(here.senior, "青黑 乙").json()["items"]] == ["远方屋顶乙盖着青黑瓦片"]
    assert find(here.senior, "不在").json() == EMPTY


def test_categories_and_people_by_name(here):
    lantern = {"slug": "lantern", "name": {"zh-Hans": "灯笼", "zh-Hant": "燈籠", "en": "Lantern"}}
    answer = find(here.admin, "燈籠").json()
    assert answer["categories"] == [lantern]
    assert [row["label"] for row in answer["items"]] == ["cap-000002", "cap-000001"]
    assert find(here.admin, "senior2").json() == EMPTY | {"people": [{"id": here.senior2.pk, "name": "senior2 名"}]}
    assert find(here.senior, "senior2").json() == EMPTY  # people are listed for those who administer


def test_annotators_find_what_they_may_open(here):
    assert labels(here.annotator, "舞狮") == ["cap-000002", "cap-000001"]
    assert labels(here.annotator, "2") == ["cap-000002"]
    assert labels(here.annotator, "cap-3") == []
    assert labels(here.annotator, "cap-pkg-1") == ["cap-pkg-0001"]
    assert labels(here.annotator, "cap-pkg-2") == []
    assert find(here.annotator, "灯笼").json()["categories"] == []
    for nobody in (here.annotator2, here.contributor):
        assert [find(nobody, q).json() for q in ("舞狮", "cap-1", "cap-pkg-1")] == [EMPTY] * 3
    assert labels(here.contributor, "img-1") == ["img-0001"]  # their own picture


def test_people_without_a_role_find_nothing(here):
    assert told(find(here.stranger, "舞狮")) == (403, "operation_not_allowed")


def test_an_empty_query_is_refused_and_one_of_invisible_characters_finds_nothing(here):
    assert find(here.admin, "").status_code == 400
    assert find(here.admin, "x" * 101).status_code == 400
    assert find(here.admin, "\u200b").json() == EMPTY


def test_says_that_single_characters_are_compared_with_the_newest_only(here, monkeypatch):
    assert find(here.admin, "狮").json()["newest_only"] is False
    monkeypatch.setattr(queries, "NEWEST_ALONE", 1)
    answer = find(here.admin, "狮").json()
    assert ([row["label"] for row in answer["items"]], answer["newest_only"]) == (["cap-000002"], True)
    assert find(here.annotator, "狮").json()["newest_only"] is False


@pytest.mark.parametrize(
    ("who", "q", "statements"),
    [
        ("admin", "舞狮", 6),
        ("admin", "一只 黄色", 6),
        ("admin", "2", 5),
        ("senior", "舞狮", 5),
        ("annotator", "舞狮", 3),
    ],
)
def test_asks_in_six_statements(here, who, q, statements):
    browser = signed_in(getattr(here, who))
    with CaptureQueriesContext(connection) as captured:
        assert browser.get("/api/v1/benchmarks/cvlue/find", {"q": q}).status_code == 200
    assert len(captured) == statements, [query["sql"][:200] for query in captured]


def test_members_of_a_team_find_their_teams_items_only():
    here = teams.peer_world()
    ann, dan = teams.member(here, "ann"), teams.member(here, "dan")
    own, others = teams.made(ann), teams.made(dan)
    services.sweep()
    assert labels(ann, "舞狮", "cvqa") == [own.label]
    assert labels(dan, "舞狮", "cvqa") == [others.label]
    assert labels(dan, own.label, "cvqa") == []
    assert labels(here.curator, "舞狮", "cvqa") == [others.label, own.label]


class TestLists:
    def rows(self, who, path, **query):
        answer = signed_in(who).get(f"/api/v1/benchmarks/cvlue/{path}", query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def test_items_by_text_newest_first_with_counts(self, here):
        answer = self.rows(here.admin, "items", search="舞獅")
        assert [(row["label"], row["first_text"]) for row in answer["results"]] == [
            ("cap-000002", "院子丙里站着一只黄色舞狮"),
            ("cap-000001", FIRST),
        ]
        assert (answer["total"], answer["counts"]["made"], answer["counts_are_capped"]) == (2, 2, False)
        assert (answer["next"], answer["counts"]["todo"]) == (None, 0)
        assert [row["label"] for row in self.rows(here.admin, "items", search="cap-3")["results"]] == ["cap-000003"]
        [row] = self.rows(here.admin, "items", search="青黑 乙")["results"]
        assert row["first_text"] == "远方屋顶乙盖着青黑瓦片"

    def test_other_filters_apply_to_a_search(self, here):
        assert self.rows(here.admin, "items", search="舞狮", state="todo")["results"] == []
        assert len(self.rows(here.admin, "items", search="舞狮", state="made", kind="captions")["results"]) == 2
        assert self.rows(here.admin, "items", search="舞狮", author=here.annotator2.pk)["results"] == []
        assert self.rows(here.admin, "items", search="舞狮", kind="vqa")["results"] == []

    def test_a_search_is_paged_to_its_end(self, here, monkeypatch):
        monkeypatch.setattr("annotation.tracks.queries.items.SEARCHED", 1)
        seen, cursor = [], {}
        for _ in range(4):
            answer = self.rows(here.admin, "items", search="舞狮", page_size=1, **cursor)
            seen += [row["label"] for row in answer["results"]]
            if answer["next"] is None:
                break
            cursor = {"cursor": answer["next"]}
        assert seen == ["cap-000002", "cap-000001"]
        capped = self.rows(here.admin, "items", search="舞狮", page_size=1)
        assert (capped["counts_are_capped"], capped["total_is_capped"]) == (True, True)

    def test_packages_by_label_number_or_annotator(self, here):
        def found(who, search):
            return [row["label"] for row in self.rows(who, "packages", search=search)["results"]]

        assert found(here.admin, "cap-pkg-2") == ["cap-pkg-0002"]
        assert found(here.admin, "1") == ["cap-pkg-0001"]
        assert found(here.admin, "Annotator ") == ["cap-pkg-0001"]
        assert found(here.admin, "annotator2") == []
        assert found(here.annotator, "2") == []
        assert self.rows(here.admin, "packages", search="1")["total"] == 1

    def test_lists_are_sorted_both_ways_and_paged_in_either(self, here):
        def labels_of(path, sort, **query):
            seen, cursor = [], {}
            while True:
                page = self.rows(here.admin, path, sort=sort, page_size=1, **query, **cursor)
                seen += [row["label"] for row in page["results"]]
                if page["next"] is None:
                    return seen
                cursor = {"cursor": page["next"]}

        items = [f"cap-00000{n}" for n in (1, 2, 3, 4)]
        for query in ({}, {"kind": "captions"}):
            assert labels_of("items", "number", **query) == items
            assert labels_of("items", "-number", **query) == items[::-1]
        assert labels_of("images", "number") == ["img-0001", "img-0002", "img-0003", "img-0004"]
        assert labels_of("images", "-number") == ["img-0004", "img-0003", "img-0002", "img-0001"]
        for query in ({}, {"kind": "captions"}):
            assert labels_of("packages", "-number", **query) == ["cap-pkg-0002", "cap-pkg-0001"]
            assert labels_of("packages", "since", **query) == ["cap-pkg-0002", "cap-pkg-0001"]
            assert labels_of("packages", "-since", **query) == ["cap-pkg-0001", "cap-pkg-0002"]
        Package.objects.update(state_changed_at=timezone.now())  # at the same moment, in the order of their ids
        assert labels_of("packages", "since") == ["cap-pkg-0001", "cap-pkg-0002"]
        assert labels_of("packages", "-since") == ["cap-pkg-0002", "cap-pkg-0001"]

    @pytest.mark.parametrize("value", ["2026-11-01T00:00:00", 7, ["2026-11-01T00:00:00", 7], ["x", 7], [7], None])
    def test_cursors_of_another_order_are_refused(self, here, value):
        answer = signed_in(here.admin).get(
            "/api/v1/benchmarks/cvlue/packages", {"sort": "since", "cursor": encode_cursor(value)}
        )
        assert told(answer) == (400, "invalid_input")
