"""Comments: who may speak and be named, who is told, what is hidden, what is kept exactly."""

import threading

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from annotation.comments.models import Comment
from annotation.comments.rules import LISTED_COMMENTS, Part, pseudonym
from annotation.packages import services
from annotation.quality import services as quality
from curation.people.models import Notice, Person, RoleGrant
from tests.annotation.track import command, drawn, inspect, inspecting, items_of, new_world, submitted_package
from tests.people import key, person, send, signed_in, told
from tests.shared import shared


@shared
def here():
    return new_world()


@shared
def item(here):
    """An item in the annotator's working package."""
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    return items_of(package)[0]


def say(who, item, text="好", *mentions, **more):
    body = {"text": text, "mentions": [getattr(m, "pk", m) for m in mentions], "client_key": key()} | more
    return send(signed_in(who), "POST", f"items/{item.pk}/comments", body)


def said(who, item):
    return send(signed_in(who), "GET", f"items/{item.pk}/comments").json()


def people(who, item):
    return send(signed_in(who), "GET", f"items/{item.pk}/people").json()


def notices(who):
    return list(Notice.objects.filter(person=who).order_by("pk").values_list("code", flat=True))


def test_a_talk(here, item):
    first = say(here.annotator, item, "这是虾饺吗？", here.admin)
    assert first.status_code == 201
    say(here.admin, item, "是。")
    one, two = said(here.admin, item)
    assert one == {
        "id": first.json()["id"],
        "author": {"id": here.annotator.pk, "name": "annotator 名"},
        "part": "annotator",
        "text": "这是虾饺吗？",
        "mentions": [{"id": here.admin.pk, "name": "admin 名", "part": "administrator"}],
        "created_at": one["created_at"],
        "mine": False,
    }
    assert (two["part"], two["mine"], two["mentions"], two["author"]["id"]) == (
        "administrator",
        True,
        [],
        here.admin.pk,
    )
    assert first.json() == one | {"mine": True}


def test_who_is_notified(here, item):
    say(here.annotator, item, "问", here.admin)
    assert (notices(here.admin), notices(here.annotator)) == (["mentioned"], [])
    say(here.senior, item, "答")
    assert (notices(here.admin), notices(here.annotator)) == (["mentioned"], ["commented"])
    say(here.admin, item, "谢", here.annotator)
    assert (notices(here.senior), notices(here.annotator)) == (["commented"], ["commented", "mentioned"])
    notice = Notice.objects.filter(person=here.senior).get()
    assert (notice.params, notice.actor_id, notice.benchmark_id) == (
        {"item": item.label},
        here.admin.pk,
        here.benchmark.pk,
    )
    assert (notice.target_type, notice.target_id) == ("item", item.pk)


def test_no_one_is_notified_of_what_they_cannot_open(here, item):
    say(here.senior, item)
    RoleGrant.objects.filter(person=here.senior).update(ended_at="2026-01-01T00:00:00Z")
    Person.objects.filter(pk=here.annotator.pk).update(is_active=False)
    say(here.admin, item)
    assert (notices(here.senior), notices(here.annotator)) == ([], ["commented"])  # of the first alone
    assert [c["part"] for c in said(here.admin, item)] == ["reviewer", "administrator"]


def test_who_can_be_mentioned(here):
    package = submitted_package(here)
    item = items_of(package)[0]
    assert [(p["id"], p["part"]) for p in people(here.admin, item)] == [(here.annotator.pk, "annotator")]
    command(quality.start_review, here.senior, package)
    expected = [(here.senior.pk, "reviewer"), (here.admin.pk, "administrator")]
    assert [(p["id"], p["part"]) for p in people(here.annotator, item)] == expected
    say(here.senior2, item)
    assert [p["id"] for p in people(here.annotator, item)] == [here.senior.pk, here.senior2.pk, here.admin.pk]


def test_inspectors_are_hidden_from_the_inspected(here):
    package = inspecting(here)
    item_id = drawn(package)[0]
    item = next(i for i in items_of(package) if i.pk == item_id)
    inspect(here.curator, item_id)
    assert here.curator.pk not in [p["id"] for p in people(here.annotator, item)]
    assert here.curator.pk in [p["id"] for p in people(here.curator2, item)]
    command(quality.complete_inspection, here.curator, package)
    there = {p["id"]: p["part"] for p in people(here.annotator, item)}
    assert there[here.curator.pk] == "inspector"


@pytest.mark.parametrize("who", ["annotator2", "contributor", "stranger", "owner", "annotator"])
def test_only_people_involved_in_the_item_can_be_mentioned(here, item, who):
    before = Notice.objects.count()
    assert told(say(here.annotator, item, "喂", here.admin, getattr(here, who))) == (422, "cannot_mention")
    assert told(say(here.annotator, item, "喂", 2**53)) == (422, "cannot_mention")
    assert (Comment.objects.count(), Notice.objects.count()) == (0, before)


@pytest.mark.parametrize("who", ["annotator2", "contributor", "stranger"])
def test_who_cannot_open_the_item(here, item, who):
    for answer in (
        say(getattr(here, who), item),
        *(send(signed_in(getattr(here, who)), "GET", f"items/{item.pk}/{page}") for page in ("comments", "people")),
    ):
        assert answer.status_code in (403, 404)
    assert not Comment.objects.exists()


def test_a_repeat_with_its_key(here, item):
    same = {"client_key": key()}
    first = say(here.annotator, item, "问", here.admin, **same)
    RoleGrant.objects.filter(person=here.admin).update(ended_at="2026-01-01T00:00:00Z")
    again = say(here.annotator, item, "问", here.admin, **same)
    assert (again.status_code, again.json()) == (201, first.json())
    assert told(say(here.annotator, item, "别的", **same)) == (422, "client_key_reused")
    assert told(say(here.annotator, item, "问", **same)) == (422, "client_key_reused")
    assert (Comment.objects.count(), Notice.objects.count()) == (1, 1)


def test_what_people_type_is_kept_exactly(here, item):
    typed = "ＡＢＣ，全角！𠮷野家 🏮👨‍👩‍👧\n<img src=x onerror=alert(1)>\n'; drop table x; -- {{7*7}} %s \\u0000"
    assert say(here.annotator, item, typed).json()["text"] == typed
    assert said(here.admin, item)[0]["text"] == typed
    assert say(here.annotator, item, "が").json()["text"] == "が"  # NFC


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "\0", "\u202e", "\u2066", "\x1b[31m", "字" * 2_001, None, 1])
def test_what_is_no_comment(here, item, text):
    answer = say(here.annotator, item, text)
    assert told(answer) == (400, "invalid_input")
    assert told(say(here.annotator, item, "\ud800")) == (400, "text_refused")
    assert not Comment.objects.exists()
    assert say(here.annotator, item, "字" * 2_000).status_code == 201


def blind(here):
    content = here.benchmark.protocol.content
    content["tracks"]["package"]["blind"] = True
    version = type(here.benchmark.protocol).objects.create(
        benchmark=here.benchmark, version=2, name="test", source_sha256="0" * 64, content=content
    )
    type(here.benchmark).objects.filter(pk=here.benchmark.pk).update(protocol=version)


def test_where_the_protocol_is_blind(here, item, settings):
    blind(here)
    (admin,) = people(here.annotator, item)
    hidden = {"id": pseudonym(settings.SECRET_KEY, item.pk, here.admin.pk), "name": None, "part": "administrator"}
    assert admin == hidden
    assert told(say(here.annotator, item, "问", here.admin)) == (422, "cannot_mention")
    say(here.annotator, item, "问", admin["id"])
    assert (Comment.objects.get().mentions, notices(here.admin)) == ([here.admin.pk], ["mentioned"])
    say(here.senior, item, "我也想知道")
    mine, theirs = said(here.annotator, item)
    assert (mine["author"], mine["mentions"], mine["mine"]) == (
        {"id": here.annotator.pk, "name": "annotator 名"},
        [hidden],
        True,
    )
    assert (theirs["author"], theirs["part"]) == (None, "reviewer")
    assert [c["author"]["id"] for c in said(here.admin, item)] == [here.annotator.pk, here.senior.pk]
    assert [p["name"] for p in people(here.admin, item)] == ["annotator 名", "senior 名"]


def test_a_handle_holds_on_one_item_and_fits_a_browser():
    found = {pseudonym("secret", item, 7) for item in range(50)}
    assert len(found) == 50
    assert all(2**52 <= n < 2**53 for n in found)
    assert pseudonym("secret", 1, 7) == pseudonym("secret", 1, 7) != pseudonym("other", 1, 7)
    assert [p.value for p in Part] == ["annotator", "reviewer", "inspector", "administrator"]


def test_the_newest_of_a_long_talk_in_as_many_statements(here, item):
    browser = signed_in(here.annotator)

    def statements():
        with CaptureQueriesContext(connection) as seen:
            assert send(browser, "GET", f"items/{item.pk}/comments").status_code == 200
        return len(seen)

    say(here.annotator, item)
    statements()
    few = statements()
    Comment.objects.bulk_create(
        Comment(item=item, author=here.admin, text=str(n), client_key=key()) for n in range(LISTED_COMMENTS)
    )
    assert (few, statements()) == (7, 7)  # who asks, item, in whose hands, benchmark, who is there, their roles, rows
    shown = said(here.annotator, item)
    assert (len(shown), shown[0]["text"], shown[-1]["text"]) == (LISTED_COMMENTS, "0", str(LISTED_COMMENTS - 1))


def test_a_site_owner_who_speaks(here, item):
    say(here.owner, item)
    assert [(c["part"], c["author"]["id"]) for c in said(here.annotator, item)] == [("administrator", here.owner.pk)]
    assert here.owner.pk in [p["id"] for p in people(here.annotator, item)]
    other = person("second-owner", None, "owner")
    assert other.pk not in [p["id"] for p in people(here.annotator, item)]


@pytest.mark.django_db(transaction=True)
def test_the_same_remark_sent_twice_at_once():
    here = new_world()
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item, same, answers = items_of(package)[0], key(), []

    def run():
        try:
            answers.append(say(here.annotator, item, "问", here.admin, client_key=same))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(a.status_code, a.json()["id"]) for a in answers} == {(201, Comment.objects.get().pk)}
    assert notices(here.admin) == ["mentioned"]
