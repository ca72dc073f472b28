"""Where the protocol is blind, no answer tells annotators, seniors or curators who their colleagues are.

Both tracks are walked over HTTP by people with names that stand nowhere else; every byte that each of them is sent is
searched for the others' names and user names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.urls import get_resolver

from annotation.items.models import Item
from annotation.packages.models import Package
from curation.core.api.views import OperationView
from curation.images.models import Image
from curation.people.models import Person
from tests.annotation.teams import member, peer_world, picture_of
from tests.flows.test_walk import operations
from tests.people import key, send, signed_in, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db
PEOPLE = ("annotator", "annotator2", "senior", "senior2", "curator", "curator2")
POOL = "benchmarks/cvlue/pools/review"
ROOM = get_resolver("annotation.urls")
# Nothing of these is anybody's but an admin's, whose eyes are not bound.
OF_ADMINS = {
    "guideline_add",
    "guideline_preset",
    "import_create",
    "import_list",
    "import_rows",
    "import_show",
    "item_import",
    "package_assign",
    "package_build",
    "package_preview",
    "package_take_back",
    "package_withdraw",
    "release_check",
    "release_create",
    "release_key",
    "release_freeze",
    "release_publish",
    "release_reopen",
    "release_update",
    "release_withdraw",
    "release_write",
}
# These need a model, and have the answer of ``drafting_list``, which names nobody.
OF_MODELS = {"candidate_discard", "candidate_use", "drafting_request"}
# Of the panel and pair tracks, with the answer of ``peer_item_show`` or without a person; tests/annotation/pair has the
# names beside clicks.
OF_PANELS = {"item_judge", "item_reopen", "item_decide", "item_click", "item_clicks", "click_claim", "clicking_show"}
# Of dialogues, whose answers name nobody: a partner is only the other part.
OF_TWO = {
    "dialogue_leave",
    "dialogue_pause",
    "dialogue_resume",
    "dialogue_show",
    "dialogue_sign",
    "lobby_join",
    "lobby_leave",
    "lobby_show",
    "turn_list",
    "turn_say",
}
# Of the peer track, which has a walk of its own.
OF_TEAMS = {
    "item_create",
    "item_discard",
    "item_exclude",
    "item_send_back",
    "item_spot_check",
    "item_star",
    "peer_item_show",
    "peer_pool_claim",
    "peer_pool_release",
    "peer_pool_renew",
    "peer_pool_show",
    "spot_check_draw",
    "spot_check_list",
    "spot_check_sheet",
    "team_board",
    "team_statistics",
}
# These answer with bytes of pictures, need a release, or have the answer of an operation that is tried (bulk_undo,
# item_confirm).
NOT_TRACK = {
    "item_confirm",
    "item_double",
    "team_places",
    "bulk_undo",
    "media_show",
    "release_file",
    "release_archive",
    "release_show",
    "release_gates",
    "release_changes",
    "erratum_list",
    "erratum_report",
    "erratum_confirm",
    "erratum_reject",
    "erratum_withdraw",
    "pool_renew",
    "pool_release",
    "guideline_show",
    "guideline_picture",
    "guideline_acknowledge",
}


class Sent:
    """Everything that people were sent, with the operation that answered."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self.people = dict(people)
        self.browsers = {name: signed_in(who) for name, who in self.people.items()}
        self.texts: list[tuple[str, str, int, str]] = []

    def __call__(self, who: str, method: str, address: str, body: dict | None = None) -> Any:
        answer = send(self.browsers[who], method, address, body)
        text = answer.getvalue().decode() if answer.streaming else answer.content.decode()
        view = answer.resolver_match.func.view_class
        operation = view.operations[method] if issubclass(view, OperationView) else ""
        self.texts.append((who, operation, answer.status_code, text))
        return json.loads(text) if text.startswith(("{", "[")) else text

    def leaks(self) -> list[str]:
        """Who was sent a name that is not theirs."""
        found = []
        for who, operation, _, text in self.texts:
            if who == "admin":
                continue
            plain = json.dumps(json.loads(text), ensure_ascii=False) if text.startswith(("{", "[")) else text
            others = [p for name, p in self.people.items() if name != who]
            found += [f"{who} by {operation}: {p.name}" for p in others if p.name in plain or p.username in plain]
        return sorted(set(found))

    def answered(self) -> set[str]:
        """Operations that somebody bound by blindness got an answer from."""
        return {operation for who, operation, status, _ in self.texts if who != "admin" and status < 300}


def hidden(people: Mapping[str, Person]) -> dict[str, Person]:
    """The people under names and user names that stand nowhere else."""
    for n, who in enumerate(people.values(), 1):
        Person.objects.filter(pk=who.pk).update(name=f"隐{n}某某", username=f"hidden-login-{n}")
    return {name: Person.objects.get(pk=who.pk) for name, who in people.items()}


def blind_world(pictures: int, **track: Any) -> Any:
    content = captions_protocol(size=2)
    content["tracks"]["package"] |= {"blind": True, **track}
    content["kinds"]["captions"]["skip_reasons"] = [
        {"code": "unclear", "name": {"zh-Hans": "看不清", "zh-Hant": "看不清", "en": "unclear"}}
    ]
    here = world(content)
    accepted_pictures(here.benchmark, here.contributor, here.curator, pictures)
    for name, who in hidden({name: getattr(here, name) for name in (*PEOPLE, "admin")}).items():
        setattr(here, name, who)
    send(signed_in(here.admin), "POST", "benchmarks/cvlue/packages/build", {"kind": "captions", "client_key": key()})
    return here


def sent_to(here: Any) -> Sent:
    return Sent({name: getattr(here, name) for name in (*PEOPLE, "admin")})


def move(sent: Sent, who: str, package: int, command: str, **body: Any) -> Any:
    revision = Package.objects.get(pk=package).revision
    return sent(who, "POST", f"packages/{package}/{command}", {"revision": revision, "client_key": key()} | body)


def write_and_submit(sent: Sent, who: str, package: int, *, skip: bool = False) -> list[dict[str, Any]]:
    for n, item in enumerate(sent(who, "GET", f"packages/{package}/next")["items"]):
        base = {"base_no": item["revision_no"]}
        content = five_captions(item["number"] + 10 * item["revision_no"])
        sent(who, "PUT", f"items/{item['id']}/draft", base | {"seq": 1, "content": five_captions(98)})
        sent(who, "DELETE", f"items/{item['id']}/draft")
        sent(who, "PUT", f"items/{item['id']}/draft", base | {"seq": 1, "content": content})
        if skip and n == 0:
            sent(who, "POST", f"items/{item['id']}/skip", base | {"reasons": ["unclear"], "client_key": key()})
        else:
            sent(who, "POST", f"items/{item['id']}/submit", base | {"content": content, "client_key": key()})
    items = sent(who, "GET", f"packages/{package}/sheet")["items"]
    ticks = [{"id": i["id"], "revision_no": i["revision_no"]} for i in items if i["state"] != "skipped"]
    move(sent, who, package, "self-check", items=ticks)
    assert move(sent, who, package, "hand-over")["state"] in ("handed_over", "reviewing")
    return items


def review(sent: Sent, who: str, item: dict[str, Any], outcome: str = "accept", **body: Any) -> Any:
    given = {"revision_no": item["revision_no"], "outcome": outcome, "client_key": key()} | body
    return sent(who, "POST", f"items/{item['id']}/review", given)


def look_everywhere(sent: Sent, slug: str = "cvlue", queries: Sequence[str] = ()) -> None:
    """Everybody reads everything that can be read.

    ``queries``: what also stands behind the address of a benchmark's page, such as ``?kind=captions``.
    """
    rows = {
        "package": list(Package.objects.values_list("pk", flat=True)),
        "item": list(Item.objects.values_list("pk", flat=True)),
        "image": list(Image.objects.values_list("pk", flat=True)[:2]),
    }
    reads = [address for name, method, address in operations(ROOM) if method == "GET" and name not in NOT_TRACK]
    addresses = []
    for address in reads:
        at = (
            address.removeprefix("/api/v1/")
            .replace("_slug>", ">")
            .replace("<slug:benchmark>", slug)
            .replace("<slug:kind>", "captions")
        )
        at = at.replace("<slug:purpose>", "review?kind=captions")
        at = at.replace("_id>", ">")
        kinds = [kind for kind in rows if f"<int:{kind}>" in at]
        addresses += [at.replace(f"<int:{kinds[0]}>", str(pk)) for pk in rows[kinds[0]]] if kinds else [at]
    addresses += [
        f"{at}{query}" for at in addresses if at.startswith("benchmarks/") and "?" not in at for query in queries
    ]
    addresses += [f"benchmarks/{slug}/audit?page_size=100", f"benchmarks/{slug}/audit.csv", "notices"]
    author = next(iter(sent.people.values())).pk
    addresses += [f"benchmarks/{slug}/packages?assignee={author}", f"benchmarks/{slug}/items?author={author}"]
    addresses += [f"benchmarks/{slug}/find?q={query}" for query in ("img-", "cap-1", *sent.people)]
    for who in sent.people:
        for address in addresses:
            if "<" not in address:
                sent(who, "GET", address)


def test_no_one_is_sent_a_colleagues_name():
    here = blind_world(6)
    sent = sent_to(here)
    # One package comes back, is mended, inspected and passed.
    first = sent("annotator", "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"})["id"]
    items = write_and_submit(sent, "annotator", first)
    move(sent, "senior", first, "take-review")
    review(sent, "senior", items[0])
    review(sent, "senior", items[1], "return", reasons=["wrong_fact"], comment="请看左边")
    assert move(sent, "senior", first, "complete-review")["state"] == "returned"
    sent("annotator", "GET", "benchmarks/cvlue/waiting")
    move(sent, "annotator", first, "resume")
    items = write_and_submit(sent, "annotator", first)
    move(sent, "senior2", first, "take-review")
    review(sent, "senior2", items[1])
    assert move(sent, "senior2", first, "complete-review")["state"] == "inspecting"
    drawn = sent("curator", "GET", f"packages/{first}/inspection")["items"]
    for item in drawn:
        body = {"revision_no": item["revision_no"], "outcome": "right", "client_key": key()}
        sent("curator", "POST", f"items/{item['id']}/inspect", body)
        sent("curator2", "POST", f"items/{item['id']}/inspect", body | {"client_key": key()})
    assert move(sent, "curator", first, "complete-inspection")["package"]["state"] == "passed"
    # A second is corrected and waits for its inspection, with one item skipped.
    second = sent("annotator2", "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"})["id"]
    items = write_and_submit(sent, "annotator2", second, skip=True)
    move(sent, "senior", second, "take-review")
    for item in sent("senior", "GET", f"packages/{second}/sheet")["items"]:
        if item["state"] == "skipped":
            sent("senior", "POST", f"items/{item['id']}/decide-skip", {"agree": True, "client_key": key()})
        else:
            review(sent, "senior", item, "correct", content=five_captions(99))
    move(sent, "senior", second, "complete-review")
    # And people talk.
    there = items[1]["id"]
    for who in ("senior", "annotator2", "curator"):
        whom = [p["id"] for p in sent(who, "GET", f"items/{there}/people") if p["part"] in ("annotator", "reviewer")]
        said = sent(who, "POST", f"items/{there}/comments", {"text": "请看", "mentions": whom, "client_key": key()})
        assert said["mine"] is True
    image_id = Item.objects.get(pk=there).image_id
    named = sent("annotator2", "POST", f"images/{image_id}/concepts", {"local": "朱雀", "client_key": key()})
    assert [concept["mine"] for concept in named["concepts"]] == [True]
    sent("senior", "GET", f"images/{image_id}/concepts")
    sent("annotator2", "POST", f"concepts/{named['concepts'][0]['id']}/retire", {"client_key": key()})
    body = {"action": "exclude", "params": {"reason": "模糊"}, "filters": {}}
    preview = sent("curator", "POST", "benchmarks/cvlue/bulk", body)
    assert preview["counts"]["pending"] == 2
    sent("curator", "GET", f"bulk/{preview['id']}")
    sent("curator", "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})
    look_everywhere(sent)
    assert sent.leaks() == []
    # Nothing was left out, and those who administer see what the others do not.
    known = {name for name, _, _ in operations(ROOM)}
    lacking = known - sent.answered() - OF_ADMINS - NOT_TRACK
    assert lacking == {"pool_claim", "pool_show"} | OF_TEAMS | OF_MODELS | OF_PANELS | OF_TWO, lacking
    seen = " ".join(text for who, _, _, text in sent.texts if who == "admin")
    seen = seen.encode().decode("unicode_escape", "ignore") if "\\u" in seen else seen
    assert all(getattr(here, name).name in seen for name in ("annotator", "annotator2", "senior", "curator"))
    own = [text for who, operation, _, text in sent.texts if (who, operation) == ("annotator", "package_show")]
    assert any(here.annotator.name in text for text in own)


def write_item(sent: Sent, who: str, image: int, n: int) -> dict[str, Any]:
    """Create, draft and submit an item of a team; return it as its author sees it."""
    body = {"kind": "captions", "image": image, "client_key": key()}
    item = sent(who, "POST", "benchmarks/cvqa/team-items", body)
    submit_item(sent, who, item, n)
    return sent(who, "GET", f"items/{item['id']}/peer")


def submit_item(sent: Sent, who: str, item: dict[str, Any], n: int) -> None:
    base = {"base_no": Item.objects.get(pk=item["id"]).revision_no, "track": "peer", "content": five_captions(n)}
    sent(who, "PUT", f"items/{item['id']}/draft", base | {"seq": 1})
    done = sent(who, "POST", f"items/{item['id']}/submit", base | {"client_key": key()})
    assert done["state"] == "made"


def judge_item(sent: Sent, who: str, item: dict[str, Any], command: str, **body: Any) -> Any:
    given = {"revision_no": Item.objects.get(pk=item["id"]).revision_no, "client_key": key()} | body
    return sent(who, "POST", f"items/{item['id']}/{command}", given)


def test_no_one_in_a_team_is_sent_a_colleagues_name():
    here = peer_world(blind=True, percent=100, pictures=2)
    members = {name: member(here, name) for name in ("ann", "ben", "cay", "dan")}
    sent = Sent(hidden(members | {name: getattr(here, name) for name in ("curator", "curator2", "admin")}))
    first, second = Image.objects.filter(team__name="thai").order_by("pk").values_list("pk", flat=True)
    pool = "benchmarks/cvqa/peer-pool"
    # One item is starred out of the pool, another returned, rewritten, edited by a colleague and starred.
    starred, edited, discarded = (write_item(sent, "ann", first, n) for n in (1, 2, 3))
    [held] = sent("ben", "POST", f"{pool}/claim", {"kind": "captions"})["items"]
    assert held["id"] == starred["id"]
    sent("ben", "POST", f"{pool}/renew", {"seats": [held["seat"]]})
    assert judge_item(sent, "ben", starred, "star")["state"] == "accepted"
    [held] = sent("cay", "POST", f"{pool}/claim", {"kind": "captions"})["items"]
    sent("cay", "POST", f"{pool}/release", {"seats": [held["seat"]]})
    judge_item(sent, "cay", edited, "send-back", reasons=["wrong_fact"], comment="请看左边")
    submit_item(sent, "ann", edited, 4)
    submit_item(sent, "ben", edited, 5)
    assert judge_item(sent, "ann", edited, "star")["state"] == "accepted"
    assert judge_item(sent, "ann", discarded, "discard")["state"] == "excluded"
    # A third waits, with somebody's draft and somebody's seat; a fourth is written in another team.
    waiting = write_item(sent, "ben", second, 6)
    draft = {"base_no": 1, "seq": 1, "content": five_captions(7), "track": "peer"}
    sent("cay", "PUT", f"items/{waiting['id']}/draft", draft)
    sent("cay", "DELETE", f"items/{waiting['id']}/draft")
    sent("cay", "PUT", f"items/{waiting['id']}/draft", draft | {"seq": 2})
    write_item(sent, "dan", picture_of("urdu").pk, 8)
    # A curator draws what was accepted; one item is right, another comes back.
    drawn = "benchmarks/cvqa/spot-checks"
    sent("curator", "POST", drawn, {"kind": "captions", "client_key": key()})
    sheet = sent("curator", "GET", f"{drawn}/sheet?kind=captions")["items"]
    assert {item["id"] for item in sheet} == {starred["id"], edited["id"]}
    judge_item(sent, "curator", starred, "spot-check", outcome="wrong", reasons=["wrong_fact"])
    sent("cay", "POST", f"{pool}/claim", {"kind": "captions"})
    for who in ("cay", "curator2"):
        whom = [p["id"] for p in sent(who, "GET", f"items/{starred['id']}/people") if p["part"] == "annotator"]
        said = sent(
            who, "POST", f"items/{starred['id']}/comments", {"text": "请看", "mentions": whom, "client_key": key()}
        )
        assert said["mine"] is True
    team = here.benchmark.teams.get(name="thai").pk
    look_everywhere(sent, "cvqa", ["?kind=captions", f"?kind=captions&team={team}"])
    judge_item(sent, "curator2", edited, "spot-check", outcome="right")
    judge_item(sent, "curator", edited, "exclude", reason="答案不对")
    for who in ("ann", "ben", "curator2"):
        assert sent(who, "GET", f"items/{edited['id']}")["exclusion"]["reason"] == "答案不对"
        sent(who, "GET", "notices")
    assert sent.leaks() == []
    assert sent.answered() >= OF_TEAMS | {"draft_save", "draft_delete", "item_submit", "credit_list", "comment_list"}
    seen = " ".join(text for who, _, _, text in sent.texts if who == "admin")
    seen = seen.encode().decode("unicode_escape", "ignore") if "\\u" in seen else seen
    assert all(sent.people[name].name in seen for name in ("ann", "ben", "cay", "curator"))


def test_nor_out_of_a_pool():
    here = blind_world(2, review_pool={"people": 2, "held": 5}, inspection_pool={"people": 1, "held": 5})
    sent = sent_to(here)
    package = sent("annotator", "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"})["id"]
    write_and_submit(sent, "annotator", package)
    for who, outcome in (("senior", "accept"), ("senior2", "return")):
        held = sent(who, "POST", f"{POOL}/claim", {"kind": "captions", "count": 5})["items"]
        assert len(held) == 2
        sent(who, "POST", f"{POOL}/renew", {"seats": [i["seat"] for i in held]})
        for item in held:
            review(sent, who, item, outcome, **({"reasons": ["wrong_fact"]} if outcome == "return" else {}))
    look_everywhere(sent)
    assert Package.objects.get().state == "returned"
    assert sent.leaks() == []
    assert {"pool_claim", "pool_show", "pool_renew", "item_review", "notice_list"} <= sent.answered()


def test_a_protocol_that_is_not_blind_names_people():
    here = blind_world(2, blind=False)
    sent = sent_to(here)
    package = sent("annotator", "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"})["id"]
    write_and_submit(sent, "annotator", package)
    assert sent("senior", "GET", f"packages/{package}")["assignee"]["name"] == here.annotator.name
    assert sent.leaks() != []
