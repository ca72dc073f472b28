"""Items by themselves: bringing many in at once, the list, one item's page."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Item, ItemRevision
from annotation.packages.models import Package
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.taxonomy.models import Category
from tests.annotation import track
from tests.people import Role, key, person, send, signed_in, told, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db
IMPORT = "benchmarks/cvlue/items/import"
LIST = "/api/v1/benchmarks/cvlue/items"


@shared
def here():
    """Six accepted pictures, no items."""
    made = world(captions_protocol())
    accepted_pictures(made.benchmark, made.contributor, made.curator, 6)
    return made


@shared
def admin(here):
    return signed_in(here.admin)


def rows(*images, slot=0):
    return [{"image": image, "slot": slot} for image in images]


class TestImport:
    def test_makes_items_in_the_order_of_the_rows(self, here, admin):
        body = {"kind": "captions", "rows": rows("img-0003", 1, "2"), "client_key": key()}
        answer = send(admin, "POST", IMPORT, body)
        assert (answer.status_code, answer.json()) == (200, {"made": 3, "existing": 0})
        made = list(Item.objects.order_by("number").values_list("number", "image__number", "slot", "state"))
        assert made == [(1, 3, 0, "todo"), (2, 1, 0, "todo"), (3, 2, 0, "todo")]
        event = AuditEvent.objects.get(action="item_import")
        assert (event.data["made"], event.data["existing"], event.actor_id) == (3, 0, here.admin.pk)

    def test_leaves_what_is_there_and_numbers_on(self, admin):
        first = {"kind": "captions", "rows": rows(1, 2), "client_key": key()}
        send(admin, "POST", IMPORT, first)
        more = {"kind": "captions", "rows": rows(2, 3) + rows(1, slot=1), "client_key": key()}
        assert send(admin, "POST", IMPORT, more).json() == {"made": 2, "existing": 1}
        assert list(Item.objects.order_by("number").values_list("image__number", "slot")) == [
            (1, 0),
            (2, 0),
            (3, 0),
            (1, 1),
        ]

    def test_a_repeat_answers_the_same_and_another_body_is_refused(self, admin):
        body = {"kind": "captions", "rows": rows(1, 2), "client_key": key()}
        assert [send(admin, "POST", IMPORT, body).json() for _ in range(2)] == [{"made": 2, "existing": 0}] * 2
        answer = send(admin, "POST", IMPORT, body | {"rows": rows(1, 3)})
        assert told(answer) == (422, "client_key_reused")
        assert Item.objects.count() == 2

    def test_names_every_row_with_a_fault_and_makes_nothing(self, admin):
        Image.objects.filter(number=4).update(state="received")
        Image.objects.filter(number=5).update(pii_clear_by=None)
        wanted = rows("img-0001", "img-9999", "lantern", 4, 5, 1)
        answer = send(admin, "POST", IMPORT, {"kind": "captions", "rows": wanted, "client_key": key()})
        assert told(answer) == (422, "rows_refused")
        assert answer.json()["params"] == {
            "count": 5,
            "rows": [
                {"row": 2, "code": "image_unknown", "params": {"image": "img-9999"}},
                {"row": 3, "code": "image_unknown", "params": {"image": "lantern"}},
                {"row": 4, "code": "image_not_ready", "params": {"image": "img-0004", "state": "received"}},
                {"row": 5, "code": "image_not_clear", "params": {"image": "img-0005"}},
                {"row": 6, "code": "row_twice", "params": {"image": "1", "first": 1}},
            ],
        }
        assert not Item.objects.exists()
        assert not AuditEvent.objects.filter(action="item_import").exists()

    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"kind": "vqa"}, 400, "kind_not_in_protocol"),
            ({"rows": []}, 400, "invalid_input"),
            ({"rows": rows(*range(1, 1_002))}, 400, "invalid_input"),
            ({"rows": [{"image": True}]}, 400, "invalid_input"),
            ({"rows": [{"image": 1, "state": "accepted"}]}, 400, "invalid_input"),
            ({"rows": rows(1, slot=-1)}, 400, "invalid_input"),
        ],
        ids=["kind", "none", "too many", "no picture", "unknown field", "slot"],
    )
    def test_refuses_what_has_another_form(self, admin, change, status, code):
        body = {"kind": "captions", "rows": rows(1), "client_key": key()} | change
        assert told(send(admin, "POST", IMPORT, body)) == (status, code)
        assert not Item.objects.exists()

    def test_a_thousand_rows_take_as_many_statements_as_one(self, admin):
        seen = []
        for wanted in (rows(1), rows(2, 3, 4, 5, 6)):
            with CaptureQueriesContext(connection) as captured:
                send(admin, "POST", IMPORT, {"kind": "captions", "rows": wanted, "client_key": key()})
            seen.append(len(captured))
        assert seen[0] == seen[1]


class TestList:
    @shared
    def made(self, here, admin):
        send(admin, "POST", IMPORT, {"kind": "captions", "rows": rows(*range(1, 7)), "client_key": key()})
        lantern = Category.objects.create(
            benchmark=here.benchmark, slug="lantern", number=1, name=names("花灯"), field="f", field_name=names("f")
        )
        Image.objects.filter(number__in=[1, 2]).update(category=lantern)
        item = Item.objects.get(number=2)
        ItemRevision.objects.create(
            item=item,
            no=1,
            author=here.annotator,
            origin="annotator",
            content=five_captions(2),
            protocol=here.benchmark.protocol,
            client_key=key(),
        )
        Item.objects.filter(pk=item.pk).update(state="made", revision_no=1)
        return item

    def test_shows_each_with_picture_package_and_first_text(self, admin, made):
        answer = admin.get(f"{LIST}?page_size=2").json()
        assert [r["label"] for r in answer["results"]] == ["cap-000001", "cap-000002"]
        assert (answer["total"], answer["total_is_capped"]) == (6, False)
        assert {s: n for s, n in answer["counts"].items() if n} == {"todo": 5, "made": 1}
        row = answer["results"][1]
        assert row["first_text"] == five_captions(2)["captions"][0]
        assert (row["state"], row["revision_no"], row["slot"], row["package"]) == ("made", 1, 0, None)
        assert row["image"]["label"] == "img-0002"
        assert row["image"]["thumb_url"].endswith("-thumb.webp")
        assert row["image"]["category"]["slug"] == "lantern"

    @pytest.mark.parametrize("filters", ["", "&kind=captions"])
    def test_goes_on_by_cursor(self, admin, made, filters):
        labels, cursor = [], ""
        while cursor is not None:
            answer = admin.get(f"{LIST}?page_size=4{filters}{'&cursor=' + cursor if cursor else ''}").json()
            labels += [r["label"] for r in answer["results"]]
            cursor = answer["next"]
        assert labels == [f"cap-00000{n}" for n in range(1, 7)]

    def test_filters(self, here, admin, made):
        def labels(query):
            return [r["label"] for r in admin.get(f"{LIST}?{query}").json()["results"]]

        assert labels("state=made") == ["cap-000002"]
        assert labels("category=lantern") == ["cap-000001", "cap-000002"]
        assert labels(f"author={here.annotator.pk}") == ["cap-000002"]
        assert labels(f"author={here.annotator2.pk}") == []
        assert admin.get(f"{LIST}?ordering=author__password").status_code == 400

    def test_counts_those_of_a_category_up_to_a_limit_and_all_from_the_tallies(self, admin, made, monkeypatch):
        def totals(query):
            answer = admin.get(f"{LIST}?{query}").json()
            return answer["total"], answer["total_is_capped"], answer["counts_are_capped"]

        monkeypatch.setattr("annotation.tracks.queries.items.COUNT_LIMIT", 1)
        assert [totals(query) for query in ("category=lantern", "state=made&category=lantern", "state=todo", "")] == [
            (1, True, True),
            (1, True, True),
            (5, False, False),
            (6, False, False),
        ]
        monkeypatch.setattr("annotation.tracks.queries.items.COUNT_LIMIT", 2)
        assert totals("category=lantern") == (2, False, False)

    def test_asks_as_much_for_many_as_for_few(self, here, admin, made):
        counts = []
        for _ in range(2):
            with CaptureQueriesContext(connection) as seen:
                admin.get(LIST)
            counts.append(len(seen))
            accepted_pictures(here.benchmark, here.contributor, here.curator, 30)
            send(admin, "POST", IMPORT, {"kind": "captions", "rows": rows(*range(7, 37)), "client_key": key()})
        assert counts == [4, 4]  # session, benchmark, counts, page

    def test_is_for_staff(self, here, made):
        answers = {
            who: signed_in(getattr(here, who)).get(LIST).status_code for who in ("senior", "annotator", "stranger")
        }
        assert answers == {"senior": 200, "annotator": 403, "stranger": 403}

    def test_holds_only_the_kinds_that_a_role_reads(self, here, made):
        protocol = here.benchmark.protocol
        narrowed = {"code": "reader", "name": names("reader"), "capabilities": ["review:vqa"]}
        content = protocol.content | {"roles": [*protocol.content["roles"], narrowed]}
        version = type(protocol).objects.create(
            benchmark=here.benchmark, version=2, name="test", source_sha256="0" * 64, content=content
        )
        type(here.benchmark).objects.filter(pk=here.benchmark.pk).update(protocol=version)
        reader = signed_in(person("reader", here.benchmark, "reader"))
        assert reader.get(LIST).json()["results"] == []
        assert told(reader.get(f"{LIST}?kind=captions")) == (403, "operation_not_allowed")


class TestOne:
    def test_shows_what_was_written_with_rules_place_and_buttons(self):
        here = track.new_world(pictures=2, size=2)
        package, _ = track.services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
        item = track.items_of(package)[0]
        track.write(here.annotator, package, {item.pk: 5})
        answer = signed_in(here.annotator).get(f"/api/v1/items/{item.pk}").json()
        assert (answer["label"], answer["state"], answer["revision_no"], answer["accepted_no"]) == (
            item.label,
            "made",
            1,
            None,
        )
        assert (answer["content"], answer["comments"]) == (five_captions(5), 0)
        assert answer["rules"]["minimum_characters"] == 8
        assert answer["package"] == {"id": package.pk, "label": "cap-pkg-0001", "state": "working"}
        assert answer["available_actions"] == ["item_submit", "item_history", "comment_list", "comment_add"]
        seen = signed_in(here.senior).get(f"/api/v1/items/{item.pk}").json()
        assert seen["available_actions"] == ["item_history", "comment_list", "comment_add"]

    def test_is_nothing_to_those_it_does_not_reach(self):
        here = track.new_world(pictures=2, size=2)
        package, _ = track.services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
        item = track.items_of(package)[0]
        who = {"annotator": 200, "annotator2": 404, "contributor": 403, "stranger": 403, "admin": 200}
        answers = {w: signed_in(getattr(here, w)).get(f"/api/v1/items/{item.pk}").status_code for w in who}
        assert answers == who
        assert Package.objects.get(pk=package.pk).assignee_id == here.annotator.pk

    def test_outside_packages_the_benchmarks_rules_apply(self, here, admin):
        send(admin, "POST", IMPORT, {"kind": "captions", "rows": rows(1), "client_key": key()})
        answer = admin.get(f"/api/v1/items/{Item.objects.get().pk}").json()
        assert (answer["package"], answer["content"], answer["rules"]["slots"]) == (None, None, 5)
        assert person("guest", here.benchmark, Role.CONTRIBUTOR).may(here.benchmark.pk, "item_show") is False
