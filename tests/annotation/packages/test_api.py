"""The desk over HTTP: bodies, refusals, statements."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Draft, Item, ItemRevision
from annotation.packages.models import PackageItem
from curation.core.models import AuditEvent
from curation.images.models import Image
from tests.annotation import track
from tests.people import key, signed_in
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return track.new_world(pictures=4)


def send(client, method, address, body):
    return client.generic(method, f"/api/v1/{address}", json.dumps(body), content_type="application/json")


@shared
def desk(here):
    client = signed_in(here.annotator)
    package = send(client, "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"}).json()
    return client, package


def test_claiming_answers_with_the_package_and_its_buttons(desk):
    client, package = desk
    assert (package["label"], package["state"], package["size"], package["written"]) == (
        "cap-pkg-0001",
        "working",
        4,
        0,
    )
    assert package["available_actions"] == [
        "package_hand_over",
        "work_next",
        "draft_save",
        "item_submit",
        "item_skip",
        "package_self_check",
    ]
    again = send(client, "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"}).json()
    assert (again["id"], package["already_held"], again["already_held"]) == (package["id"], False, True)


def test_next_save_and_submit_are_ten_statements(desk):
    client, package = desk
    counts = []
    with CaptureQueriesContext(connection) as seen:
        item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    counts.append(_statements(seen))
    with CaptureQueriesContext(connection) as seen:
        send(client, "PUT", f"items/{item['id']}/draft", {"base_no": 0, "seq": 1, "content": five_captions(1)})
    counts.append(_statements(seen))
    with CaptureQueriesContext(connection) as seen:
        body = {"base_no": 0, "content": five_captions(1), "client_key": key()}
        answer = send(client, "POST", f"items/{item['id']}/submit", body)
    counts.append(_statements(seen))
    assert answer.status_code == 200
    assert counts == [3, 3, 4]


def _statements(seen):
    """Statements as PostgreSQL sees them, without transaction control."""
    return len([q for q in seen if not q["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK"))])


def test_a_stale_submission_answers_409_with_mine_theirs_and_base(desk):
    client, package = desk
    item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    for n, base in ((1, 0), (2, 1)):
        body = {"base_no": base, "content": five_captions(n), "client_key": key()}
        assert send(client, "POST", f"items/{item['id']}/submit", body).json()["revision_no"] == n
    answer = send(
        client, "POST", f"items/{item['id']}/submit", {"base_no": 1, "content": five_captions(3), "client_key": key()}
    )
    told = answer.json()
    assert (answer.status_code, told["code"], told["params"]) == (
        409,
        "stale_revision",
        {"base_no": 1, "revision_no": 2},
    )
    assert (told["mine"], told["theirs"], told["base"]) == (five_captions(3), five_captions(2), five_captions(1))
    assert ItemRevision.objects.count() == 2


def test_a_repeat_answers_the_same(desk):
    client, package = desk
    item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    body = {"base_no": 0, "content": five_captions(1), "client_key": key()}
    first, again = (send(client, "POST", f"items/{item['id']}/submit", body).json() for _ in range(2))
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert first | {"replayed": True} == again
    assert ItemRevision.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({"captions": ["x"]}, "content_malformed"),
        ({"captions": ["a\0b", *five_captions(1)["captions"][1:]]}, "text_refused"),
        ({"captions": ["短", *five_captions(1)["captions"][1:]]}, "content_refused"),
        ({"captions": ["\u202e" + "一二三四五六七八", *five_captions(1)["captions"][1:]]}, "text_refused"),
        ([], "content_malformed"),
    ],
    ids=["shape", "nul", "rules", "direction control", "no object"],
)
def test_bad_content_is_refused_and_nothing_is_written(desk, content, code):
    client, package = desk
    item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    answer = send(client, "POST", f"items/{item['id']}/submit", {"base_no": 0, "content": content, "client_key": key()})
    assert answer.json()["code"] == code
    assert ItemRevision.objects.count() == 0


def test_a_text_for_another_version_of_the_picture_is_refused_and_its_draft_kept(here, desk):
    client, package = desk
    item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    assert item["image"]["redaction_no"] == 0
    send(client, "PUT", f"items/{item['id']}/draft", {"base_no": 0, "seq": 1, "content": five_captions(1)})
    picture, submit = Image.objects.filter(pk=item["image"]["id"]), f"items/{item['id']}/submit"
    kept = (Item.objects.filter(pk=item["id"]).values().get(), Draft.objects.values().get(), AuditEvent.objects.count())

    def refused(no):
        body = {"base_no": 0, "content": five_captions(2), "client_key": key(), "picture_no": no}
        answer = send(client, "POST", submit, body)
        assert (answer.status_code, answer.json()["code"], answer.json()["params"]) == (409, "picture_changed", {})
        assert not ItemRevision.objects.exists()
        now = Item.objects.filter(pk=item["id"]).values().get()
        assert (now, Draft.objects.values().get(), AuditEvent.objects.count()) == kept

    picture.update(redaction_no=1, pii_clear_by=None, clear_no=None)  # as covering leaves it
    refused(0)
    refused(1)  # nobody has looked at the new version yet
    picture.update(pii_clear_by=here.curator, clear_no=1)
    refused(0)
    shown = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    assert (shown["image"]["redaction_no"], shown["draft"]["content"]) == (1, five_captions(1))
    body = {"base_no": 0, "content": five_captions(2), "client_key": key(), "picture_no": 1}
    assert send(client, "POST", submit, body).json()["revision_no"] == 1
    assert (ItemRevision.objects.get().picture_no, Draft.objects.exists()) == (1, False)


def test_unknown_fields_are_refused(desk):
    client, package = desk
    item = client.get(f"/api/v1/packages/{package['id']}/next").json()["items"][0]
    body = {"base_no": 0, "content": five_captions(1), "client_key": key(), "author": 1, "state": "accepted"}
    answer = send(client, "POST", f"items/{item['id']}/submit", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert sorted(answer.json()["params"]["fields"]) == ["author", "state"]


def test_strangers_and_other_roles(here, desk):
    _, package = desk
    for who, status in ((here.stranger, 403), (here.annotator2, 404), (here.senior, 403), (here.admin, 403)):
        assert signed_in(who).get(f"/api/v1/packages/{package['id']}/next").status_code == status
    for who, status in ((here.admin, 200), (here.senior, 200), (here.annotator2, 404), (here.contributor, 403)):
        assert signed_in(who).get(f"/api/v1/packages/{package['id']}").status_code == status


def test_lists_count_by_state_in_few_statements(here, desk):
    client = signed_in(here.admin)
    with CaptureQueriesContext(connection) as seen:
        told = client.get("/api/v1/benchmarks/cvlue/packages").json()
    assert len(seen) == 4  # session, benchmark, counts, page
    assert (told["total"], told["counts"]["working"], told["counts"]["available"]) == (1, 1, 0)
    assert client.get("/api/v1/benchmarks/cvlue/packages?state=passed").json()["results"] == []
    assert client.get("/api/v1/benchmarks/cvlue/packages?ordering=author__password").status_code == 400


def test_the_whole_track_over_http(here, desk):
    annotator, package = desk
    for item in annotator.get(f"/api/v1/packages/{package['id']}").json()["items"]:
        body = {"base_no": 0, "content": five_captions(item["number"]), "client_key": key()}
        assert send(annotator, "POST", f"items/{item['id']}/submit", body).status_code == 200
    address = f"packages/{package['id']}"
    missing = send(annotator, "POST", f"{address}/hand-over", {"revision": 1, "client_key": key()}).json()
    assert (missing["code"], missing["params"]["count"]) == ("not_all_checked", 4)
    ticks = [
        {"id": i["id"], "revision_no": i["revision_no"]} for i in annotator.get(f"/api/v1/{address}").json()["items"]
    ]
    checked = send(
        annotator, "POST", f"{address}/self-check", {"revision": 1, "items": ticks, "client_key": key()}
    ).json()
    assert checked["checked"] == 4
    assert (
        send(annotator, "POST", f"{address}/hand-over", {"revision": 1, "client_key": key()}).json()["state"]
        == "handed_over"
    )

    senior = signed_in(here.senior)
    assert [p["label"] for p in senior.get("/api/v1/benchmarks/cvlue/waiting").json()["to_review"]] == ["cap-pkg-0001"]
    taken = send(senior, "POST", f"{address}/take-review", {"revision": 2, "client_key": key()}).json()
    assert taken["available_actions"] == ["package_review_complete", "item_review", "item_skip_decide"]
    for item in senior.get(f"/api/v1/{address}/sheet").json()["items"]:
        body = {"revision_no": 1, "outcome": "accept", "client_key": key()}
        told = send(senior, "POST", f"items/{item['id']}/review", body).json()
        assert told["review"]["outcome"] == "accept"
    assert (
        send(senior, "POST", f"{address}/complete-review", {"revision": 3, "client_key": key()}).json()["state"]
        == "inspecting"
    )
    assert senior.get(f"/api/v1/{address}/inspection").json()["code"] == "own_work"

    curator = signed_in(here.curator)
    page = curator.get(f"/api/v1/{address}/inspection").json()
    assert (page["inspection"]["size"], page["inspection"]["errors_allowed"], len(page["items"])) == (1, 0, 1)
    body = {"revision_no": 1, "outcome": "right", "client_key": key()}
    told = send(curator, "POST", f"items/{page['items'][0]['id']}/inspect", body).json()
    assert told["inspection_verdict"]["outcome"] == "right"
    done = send(curator, "POST", f"{address}/complete-inspection", {"revision": 4, "client_key": key()}).json()
    assert (done["inspection"]["outcome"], done["package"]["state"]) == ("passed", "passed")
    assert done["inspection"]["interval"]["method"] == "hypergeometric"
    week = annotator.get("/api/v1/benchmarks/cvlue/waiting").json()["week"]
    assert [week[name] for name in ("written", "accepted", "judged", "accepted_first")] == [4, 4, 4, 4]
    assert week["active_ms"] == 0  # nobody said how long it took
    history = annotator.get(f"/api/v1/items/{page['items'][0]['id']}/history").json()
    assert [v["stage"] for v in history["verdicts"]] == ["review", "inspection"]
    board = signed_in(here.admin).get("/api/v1/benchmarks/cvlue/waiting").json()["board"]
    assert board[0]["states"]["passed"] == 1


def test_the_places_of_a_package_have_states_and_no_contents(here, desk):
    client, package = desk
    address = f"/api/v1/packages/{package['id']}"
    first, second, third, _ = client.get(address).json()["items"]
    text = {"base_no": 0, "content": five_captions(1), "client_key": key()}
    assert send(client, "POST", f"items/{second['id']}/submit", text).status_code == 200
    why = {"base_no": 0, "comment": "没有主体", "client_key": key()}
    assert send(client, "POST", f"items/{third['id']}/skip", why).status_code == 200
    with CaptureQueriesContext(connection) as seen:
        places = client.get(f"{address}/items").json()
    assert _statements(seen) == 3  # session, package, items
    assert [(place["position"], place["state"]) for place in places["items"]] == [
        (1, "todo"),
        (2, "made"),
        (3, "skipped"),
        (4, "todo"),
    ]
    assert places["items"][0] == {"id": first["id"], "label": first["label"], "position": 1, "state": "todo"}
    # An item that left the package has no place in it.
    PackageItem.objects.filter(item_id=first["id"]).update(active=False)
    assert [place["position"] for place in client.get(f"{address}/items").json()["items"]] == [2, 3, 4]
    for who, status in ((here.admin, 200), (here.senior, 200), (here.annotator2, 404), (here.contributor, 403)):
        assert signed_in(who).get(f"{address}/items").status_code == status
