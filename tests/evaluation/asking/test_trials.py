"""Prompts that people try on a model: the price before, what is sent, what it cost, who may."""

from __future__ import annotations

import base64
import io
import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.db.models import F
from django.utils import timezone
from PIL import Image as Picture

from config.model_servers import read
from curation.calls.errors import NoBudget
from curation.calls.models import Budget, Call
from curation.calls.rules import next_pause
from curation.calls.services import ledger
from curation.core.models import AuditEvent, Job
from curation.images.models import Image, Rendition
from curation.people.models import RoleGrant
from curation.prompts.rules import Message
from curation.prompts.rules import Picture as Place
from curation.wire import gate, transport
from evaluation.asking import queries, services
from evaluation.asking.models import Trial
from evaluation.asking.tasks import answer_try
from evaluation.backends.asks import Ask, Decoding
from tests.curation.calls.room import budget, offer
from tests.evaluation.accepted import accept, accepted_item, benchmark, captions, made_item, revise
from tests.model_server import Refused, StandIn
from tests.people import key, send, signed_in, told

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "sesame-open-up-4711"
HERE = "benchmarks/cvlue"
WORDS = "Is this right? {{caption}}"
TEXT = f"variables:\n- caption\nturns:\n- role: user\n  text: '{WORDS}'\norder:\n- picture\n- text\n"
CHOICE = {"name": "cvlue-vqa", "language": "en", "no": 1, "server": "big", "model": "m", "text": TEXT}
TRACES = (b"image", b"data:", b"base64", b"sha256", b"/media/", b"rendition")


@pytest.fixture
def server(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    gate._gates.clear()
    transport.transport_to.cache_clear()
    settings.MEDIA_ROOT = tmp_path
    with StandIn(model="m", key=KEY, says=lambda _: "yes") as running:
        settings.MODEL_SERVERS = read([f"big={running.address}"], {"MODEL_SERVER_KEY_BIG": KEY})
        settings.MODEL_SERVER_SECONDS = 3.0
        yield running


@pytest.fixture
def team(server):
    here = benchmark()
    offer()
    return here


@pytest.fixture
def item(team):
    """An accepted item whose picture has the file that models are shown."""
    item = accepted_item(team, 7)
    clean = Rendition.objects.get(image=item.image)
    view = {"role": "view", "key": f"renditions/{item.image_id}/7-view.png"}
    (django_settings.MEDIA_ROOT / view["key"]).write_bytes((django_settings.MEDIA_ROOT / clean.key).read_bytes())
    facts = {name: getattr(clean, name) for name in ("sha256", "bytes", "width", "height")}
    Rendition.objects.create(image=item.image, **view, **facts)
    return item


def price(team, item, who=None, **more):
    return send(signed_in(who or team.admin), "POST", f"{HERE}/answer-prices", {**CHOICE, "item": item.pk, **more})


def attempt(team, item, who=None, **more):
    body = {**CHOICE, "item": item.pk, "client_key": key(), **more}
    return send(signed_in(who or team.admin), "POST", f"{HERE}/answers", body)


def work() -> None:
    """What a worker of the queue ``served`` does."""
    for job in Job.objects.filter(state="queued"):
        assert job.queue == "served"
        answer_try(job_id=job.pk)


def outcome(team, answer):
    assert answer.status_code == 202, answer.content
    work()
    return send(signed_in(team.admin), "GET", f"answers/{answer.json()['id']}").json()


def test_the_price_is_known_before_anything_is_sent(server, team, item):
    assert price(team, item).json() == {
        "estimate": "0.512",
        "currency": "USD",
        "left": None,
        "covered": False,
        "picture": True,
        "worker_alive": False,
    }
    budget(team.benchmark, "0.2")
    answer = price(team, item, max_tokens=100, picture=False).json()
    assert (answer["estimate"], answer["left"], answer["covered"], answer["picture"]) == ("0.1", "0.2", True, False)
    offer(million_in=10)
    dear = [Decimal(price(team, item, picture=sent).json()["estimate"]) for sent in (True, False)]
    assert dear[0] - dear[1] > Decimal("0.48")  # gpt-4o-mini bills 48,169 tokens for a picture of eight tiles
    offer(million_out=0)
    free = price(team, item).json()
    assert (free["estimate"], free["currency"], free["covered"]) == ("0", None, True)
    assert (server.asked, Call.objects.count()) == ([], 0)


def test_a_prompt_is_sent_with_its_picture_and_the_same_again_costs_nothing(server, team, item):
    budget(team.benchmark)
    answer = attempt(team, item)
    waiting = answer.json()
    assert (waiting["state"], waiting["reply"], server.asked) == ("queued", None, [])  # web processes send nothing
    done = outcome(team, answer)
    call = Call.objects.get()
    assert (done["state"], done["error_code"]) == ("done", None)
    assert done["reply"] | {"ms": 0} == {
        "call_id": call.pk,
        "state": "answered",
        "text": "yes",
        "finish": "stop",
        "served_model": "m",
        "tokens_in": 100,
        "tokens_out": 5,
        "cost": "0.005",
        "cost_is_estimate": False,
        "currency": "USD",
        "ms": 0,
        "paid_before": False,
    }
    (body,) = server.asked
    place, words = body["messages"][0]["content"]
    assert words["text"] == f"Is this right? {captions(7)[0]}"
    with Picture.open(io.BytesIO(base64.b64decode(place["image_url"]["url"].partition(",")[2]))) as sent:
        assert sent.convert("RGB").getpixel((0, 0)) == (7, 40, 90)
    assert (call.purpose, call.actor_id, call.prompt_id) == ("try", team.admin.pk, None)
    assert "sha256:" in json.dumps(call.request)
    assert "data:" not in json.dumps(call.request)
    again = outcome(team, attempt(team, item))
    assert (again["reply"]["call_id"], again["reply"]["paid_before"]) == (call.pk, True)
    assert (len(server.asked), Budget.objects.get().spent) == (1, Decimal("0.005"))
    event = AuditEvent.objects.filter(action="answer_try").first()
    assert event is not None
    assert (event.target_type, event.label) == ("trial", "cvlue-vqa 1")


@pytest.mark.parametrize("picture", [True, False])
def test_what_a_server_takes_is_estimated_kept_and_sent(server, team, item, settings, picture):
    said = {"MODEL_SERVER_LIMIT_NAME_BIG": "max_completion_tokens", "MODEL_SERVER_TEMPERATURE_BIG": "none"}
    settings.MODEL_SERVERS = read([f"big={server.address}"], {"MODEL_SERVER_KEY_BIG": KEY, **said})
    budget(team.benchmark, "10")
    offer(million_in=10)
    shown = price(team, item, picture=picture).json()["estimate"]
    assert outcome(team, attempt(team, item, picture=picture))["state"] == "done"
    (body,), call = server.asked, Call.objects.get()
    assert set(body) == set(call.request) == {"model", "messages", "max_completion_tokens"}
    assert Decimal(shown) == call.estimate


@pytest.mark.parametrize(
    ("words", "shown"),
    [("nul \0", "nul �"), ("\ud800", "�"), ("\x1b[2J\u202e", "�[2J�"), ("at {host}:{port}", "at big")],
)
def test_a_servers_words_never_stop_a_trial_from_ending(server, team, item, words, shown):
    def refuse(_):
        host, _, port = server.address.removeprefix("http://").partition(":")
        raise Refused(500, words.format(host=host, port=port))

    budget(team.benchmark)
    server.says = refuse
    answer = outcome(team, attempt(team, item))
    assert (answer["state"], answer["error_code"]) == ("failed", "call_failed")
    assert answer["error_params"] == {"server": "big", "status": 500, "reason": shown}
    assert len(server.asked) == 1


def test_without_its_picture_a_prompt_is_text_and_no_byte_more(server, team, item):
    budget(team.benchmark)
    done = outcome(team, attempt(team, item, picture=False))
    assert done["reply"]["text"] == "yes"
    assert isinstance(server.asked[0]["messages"][0]["content"], str)
    for trace in TRACES:
        assert trace not in server.bodies[0]


def test_a_shipped_version_is_named_by_its_call(server, team, item):
    budget(team.benchmark)
    more = {"name": "cvlue-dialogue", "no": 1, "text": TEXT}
    outcome(team, attempt(team, item, **more))
    assert Call.objects.get().prompt_id is None  # a changed text is no version yet
    own = {"name": "cvlue-vqa", "language": "en", "base_no": 1, "text": TEXT, "client_key": key()}
    added = send(signed_in(team.admin), "POST", f"{HERE}/prompts", own).json()
    body = {**CHOICE, "item": item.pk, "client_key": key(), "no": added["no"], "max_tokens": 7}
    del body["text"]
    outcome(team, send(signed_in(team.admin), "POST", f"{HERE}/answers", body))
    prompt = Call.objects.order_by("-pk")[0].prompt
    assert prompt is not None
    assert (prompt.name, prompt.no) == ("cvlue-vqa", added["no"])


def test_without_money_nothing_is_stored_or_sent(server, team, item):
    answer = attempt(team, item)
    assert told(answer) == (409, "no_budget")
    assert answer.json()["params"] == {"estimate": "0.512", "currency": "USD"}
    budget(team.benchmark, "0.5")
    assert told(attempt(team, item)) == (409, "no_budget")
    assert (Trial.objects.count(), Job.objects.count(), Call.objects.count(), server.asked) == (0, 0, 0, [])


def test_money_that_is_gone_when_it_is_sent_ends_with_its_reason(server, team, item):
    budget(team.benchmark)
    answer = attempt(team, item)
    Budget.objects.update(ceiling="0.1")
    done = outcome(team, answer)
    assert (done["state"], done["error_code"], done["reply"]) == ("failed", "no_budget", None)
    assert done["error_params"] == {"estimate": "0.512", "currency": "USD"}
    assert (Call.objects.count(), server.asked) == (0, [])


@pytest.mark.parametrize("picture", [True, False])
def test_after_a_kill_the_page_says_what_is_awaited_and_what_counts_as_paid(server, team, item, picture, monkeypatch):
    """A worker that was killed leaves a row in progress; the next one waits until it counts as lost."""
    budget(team.benchmark, "2")
    answer = attempt(team, item, picture=picture)
    assert (answer.json()["server"], answer.json()["model"]) == ("big", "m")
    work_until_killed(monkeypatch)
    lost = Call.objects.get()
    assert (lost.state, lost.tries) == ("sent", 1)
    until = timezone.now() + timedelta(seconds=2)
    Call.objects.update(held_until=until)
    Job.objects.update(state="queued", lease_until=None)
    seen, wait_for = [], ledger._wait_for

    def waiting(call_id):
        seen.append(shown(team, answer))
        wait_for(call_id)

    monkeypatch.setattr(ledger, "_wait_for", waiting)
    work()
    assert [(one["state"], datetime.fromisoformat(one["waits_until"]), one["unknown_calls"]) for one in seen] == [
        ("running", until, [])
    ]
    assert seen[0]["reply"] is None
    done = shown(team, answer)
    assert (done["state"], done["waits_until"], done["unknown_calls"]) == ("done", None, [lost.pk])
    assert (done["reply"]["text"], done["reply"]["paid_before"]) == ("yes", False)
    assert Budget.objects.get().spent == lost.estimate + Decimal("0.005")


def work_until_killed(monkeypatch) -> None:
    """Send what waits, and stop before a reply is written."""

    def stop(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as change:
        change.setattr(ledger._Holder, "settle_reply", stop)
        with pytest.raises(SystemExit):
            work()


def test_a_call_that_was_awaited_in_vain_is_no_reply(server, team, item, monkeypatch):
    budget(team.benchmark, "0.6")
    answer = attempt(team, item)
    work_until_killed(monkeypatch)
    Call.objects.update(held_until=timezone.now() + timedelta(seconds=0.5))
    Job.objects.update(state="queued", lease_until=None)
    work()
    failed = shown(team, answer)
    assert (failed["state"], failed["error_code"], failed["reply"]) == ("failed", "no_budget", None)
    assert failed["unknown_calls"] == [Call.objects.get().pk]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (500, "call_failed"),
        ("redirect", "call_redirected"),
        ("cut", "call_in_doubt"),
        ("words", "call_reply_unreadable"),
        ((429, {"Retry-After": "999"}), "call_limited"),
    ],
)
def test_each_failure_reaches_the_page_with_its_code(server, team, item, fault, code):
    budget(team.benchmark)
    server.faults = [fault]
    done = outcome(team, attempt(team, item))
    assert (done["state"], done["error_code"], done["reply"]) == ("failed", code, None)
    assert KEY not in json.dumps(done)
    assert server.address not in json.dumps(done)


def test_a_reply_without_a_usage_says_that_the_highest_cost_was_booked(server, team, item):
    budget(team.benchmark)
    choice = {"message": {"content": "yes"}, "finish_reason": "stop"}
    server.says = lambda _: {"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 0}}
    reply = outcome(team, attempt(team, item))["reply"]
    assert (reply["cost"], reply["cost_is_estimate"], reply["tokens_in"], reply["tokens_out"]) == (
        "0.512",
        True,
        10,
        None,
    )


def test_a_content_filter_leaves_a_reply_without_text(server, team, item):
    budget(team.benchmark)
    server.faults = ["filtered"]
    reply = outcome(team, attempt(team, item))["reply"]
    assert (reply["state"], reply["text"], reply["cost"]) == ("refused", None, "0")


def test_a_repeat_finds_the_same_trial(server, team, item):
    budget(team.benchmark)
    same = key()
    first, again = (attempt(team, item, client_key=same) for _ in range(2))
    assert first.json()["id"] == again.json()["id"]
    for other in ({"model": "n"}, {"text": f"{TEXT} "}, {"max_tokens": 9}, {"picture": False}, {"part": 1}):
        assert told(attempt(team, item, client_key=same, **other)) == (422, "client_key_reused")
    assert (Trial.objects.count(), Job.objects.count()) == (1, 1)


def test_what_cannot_be_sent_is_refused_with_its_reason(server, team, item):
    budget(team.benchmark)
    assert told(attempt(team, item, model="other")) == (409, "model_not_offered")
    assert told(attempt(team, item, text=TEXT.replace("caption", "question"))) == (422, "prompt_item_missing")
    assert told(attempt(team, item, text="turns: [")) == (422, "file_invalid")
    assert told(attempt(team, made_item(team, 8))) == (409, "prompt_item_not_accepted")
    assert told(attempt(team, accepted_item(team, 9))) == (409, "picture_not_sendable")  # no such file
    Image.objects.filter(pk=item.image_id).update(pii_clear_by=None)  # as covering does
    assert told(attempt(team, item)) == (409, "picture_not_sendable")
    Image.objects.filter(pk=item.image_id).update(pii_clear_by=team.curator)
    assert told(attempt(team, item, max_tokens=5000)) == (400, "invalid_input")
    assert told(attempt(team, item, who=team.senior)) == (403, "operation_not_allowed")
    assert told(price(team, item, who=team.senior)) == (403, "operation_not_allowed")
    assert told(attempt(team, item, who=team.stranger)) == (403, "operation_not_allowed")
    assert (Trial.objects.count(), server.asked) == (0, [])


def test_the_right_answer_is_never_sent(server, team, item, monkeypatch):
    budget(team.benchmark)
    read = queries.item_values

    def with_answer(*arguments, **chosen):
        values = read(*arguments, **chosen)
        return replace(values, values={**values.values, "answer": "B"})

    monkeypatch.setattr(queries, "item_values", with_answer)
    for ask in (price, attempt):
        assert told(ask(team, item, text=TEXT.replace("caption", "answer"))) == (422, "prompt_item_missing")
    assert (Trial.objects.count(), server.asked) == (0, [])


def test_a_prompt_that_repeats_its_values_beyond_what_is_sent_is_refused(server, team, item):
    text = TEXT.replace("{{caption}}", "{{caption}}" * 1_500)
    item = made_item(team, 8)
    revise(item, team.annotator, content={"captions": ["灯" * 300] * 5})
    accept(item)
    assert told(price(team, item, text=text, picture=False)) == (422, "prompt_too_long")
    preview = {"name": "cvlue-vqa", "language": "en", "no": 1, "text": text, "item": item.pk}
    answer = send(signed_in(team.admin), "POST", f"{HERE}/prompt-previews", preview)
    assert told(answer) == (422, "prompt_too_long")


def test_of_a_reply_that_another_benchmark_paid_for_only_the_reply_is_shown(server, team, item):
    budget(team.benchmark)
    attempt(team, item, picture=False)
    work()
    other = benchmark(slug="other", prefix="other-")
    budget(other.benchmark)
    body = {**CHOICE, "item": accepted_item(other, 7).pk, "client_key": key(), "picture": False}
    made = send(signed_in(other.admin), "POST", "benchmarks/other/answers", body).json()
    work()
    reply = signed_in(other.admin).get(f"/api/v1/answers/{made['id']}").json()["reply"]
    assert {name: reply[name] for name in ("text", "call_id", "cost", "currency", "ms", "paid_before")} == {
        "text": "yes",
        "call_id": None,
        "cost": None,
        "currency": None,
        "ms": None,
        "paid_before": True,
    }
    assert Call.objects.count() == len(server.asked) == 1


def test_a_picture_that_is_withdrawn_meanwhile_is_not_sent(server, team, item):
    budget(team.benchmark)
    answer = attempt(team, item)
    Image.objects.filter(pk=item.image_id).update(state="withdrawn")
    done = outcome(team, answer)
    assert (done["state"], done["error_code"]) == ("failed", "picture_not_sendable")
    assert server.asked == []


def test_a_person_waits_for_three_replies_at_a_time(server, team, item):
    budget(team.benchmark, "10")
    same = key()
    first = attempt(team, item, client_key=same)
    assert [attempt(team, item, max_tokens=n).status_code for n in (1, 2)] == [202, 202]
    stored = [list(model.objects.order_by("pk").values()) for model in (Trial, Job, AuditEvent)]
    refusal = attempt(team, item, max_tokens=3)
    assert told(refusal) == (409, "too_many_trials")
    assert refusal.json()["params"] == {"open": 3, "maximum": 3}
    other = benchmark(slug="other", prefix="other-")
    RoleGrant.objects.create(person=team.admin, benchmark=other.benchmark, role="admin")
    body = {**CHOICE, "item": accepted_item(other, 7).pk, "client_key": key(), "picture": False}
    assert told(send(signed_in(team.admin), "POST", "benchmarks/other/answers", body)) == (409, "too_many_trials")
    assert attempt(team, item, client_key=same).json()["id"] == first.json()["id"]
    kept = [list(model.objects.order_by("pk").values()) for model in (Trial, Job, AuditEvent)]
    assert [rows[:n] for rows, n in zip(kept, map(len, stored), strict=True)] == stored
    assert (Trial.objects.count(), AuditEvent.objects.filter(action="answer_try").count(), server.asked) == (3, 3, [])
    RoleGrant.objects.create(person=team.stranger, benchmark=team.benchmark, role="admin")
    assert attempt(team, item, who=team.stranger, max_tokens=3).status_code == 202
    work()
    assert attempt(team, item, max_tokens=3).status_code == 202


def test_requests_at_the_same_moment_do_not_pass_the_limit(team, item):
    budget(team.benchmark, "10")
    barrier = threading.Barrier(6)

    def one(number):
        try:
            barrier.wait()
            answer = attempt(team, item, max_tokens=number + 1)
            return answer.status_code, answer.json().get("code")
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = Counter(pool.map(one, range(6)))
    assert answers == {(202, None): 3, (409, "too_many_trials"): 3}
    assert Trial.objects.count() == Job.objects.count() == 3


# --- A server that limits requests ------------------------------------------------------------------------------------

LIMITED = (429, {"Retry-After": "30"})


def shown(team, answer):
    return signed_in(team.admin).get(f"/api/v1/answers/{answer.json()['id']}").json()


def pass_time(minutes: float) -> None:
    """Set back what the trials wait for; another worker, which knows no pause of this one, sends them next."""
    gate._gates.clear()
    transport.transport_to.cache_clear()
    earlier = timedelta(minutes=minutes)
    Trial.objects.update(limited_since=F("limited_since") - earlier, next_try_at=F("next_try_at") - earlier)


@pytest.mark.parametrize("picture", [True, False])
def test_a_limited_prompt_waits_and_says_so(server, team, item, picture):
    budget(team.benchmark)
    server.faults = [LIMITED, LIMITED]
    answer = attempt(team, item, picture=picture)
    assert answer.json()["limited_until"] is None
    began = time.monotonic()
    work()
    assert time.monotonic() - began < 20  # the worker does not wait for 30 seconds
    trial, job = Trial.objects.get(), Job.objects.get()
    assert trial.limited_since is not None
    assert trial.next_try_at == trial.limited_since + timedelta(seconds=30)
    until = trial.limited_since + timedelta(minutes=10)
    waiting = shown(team, answer)
    assert (waiting["state"], waiting["error_code"], waiting["reply"]) == ("queued", None, None)
    assert datetime.fromisoformat(waiting["limited_until"]) == until
    assert job.attempt == 1
    work()
    assert len(server.asked) == 1  # not yet
    pass_time(1)
    work()
    assert (len(server.asked), Job.objects.get().attempt, Job.objects.get().state) == (2, 1, "queued")
    # It waited for a minute, so it waits for another one.
    trial.refresh_from_db()
    assert timedelta(seconds=119) < trial.next_try_at - trial.limited_since < timedelta(seconds=130)
    pass_time(2)
    work()
    done = shown(team, answer)
    assert (done["state"], done["limited_until"], done["reply"]["text"]) == ("done", None, "yes")
    assert sorted(Call.objects.values_list("state", "code", "cost")) == [
        ("answered", "", Decimal("0.005")),
        ("failed", "call_limited", 0),
        ("failed", "call_limited", 0),
    ]
    assert (Budget.objects.get().spent, Budget.objects.get().reserved) == (Decimal("0.005"), 0)


def test_a_prompt_waits_without_a_worker_for_the_limit_of_another(server, team, item):
    """The worker that the server asked for a pause sends no other prompt in that time, and does not wait for it."""
    budget(team.benchmark, "10")
    server.faults = [LIMITED]
    first, other = attempt(team, item, picture=False), attempt(team, item, picture=False, max_tokens=7)
    work()
    assert [shown(team, answer)["state"] for answer in (first, other)] == ["queued", "queued"]
    assert shown(team, other)["limited_until"] is not None
    assert (len(server.asked), Call.objects.count(), set(Job.objects.values_list("attempt"))) == (1, 1, {(1,)})
    assert Budget.objects.get().reserved == 0
    pass_time(1)
    work()
    assert [shown(team, answer)["state"] for answer in (first, other)] == ["done", "done"]


def test_a_prompt_that_is_limited_for_ten_minutes_ends_and_nothing_was_paid(server, team, item):
    budget(team.benchmark)
    server.faults = [LIMITED] * 9
    answer = attempt(team, item, picture=False)
    for minutes in (0, 5, 4):
        pass_time(minutes)
        work()
        assert shown(team, answer)["state"] == "queued"
    pass_time(1)
    work()
    ended = shown(team, answer)
    assert (ended["state"], ended["error_code"], ended["limited_until"], ended["reply"]) == (
        "failed",
        "call_limited",
        None,
        None,
    )
    assert ended["error_params"]["server"] == "big"
    assert set(Call.objects.values_list("state", "cost")) == {("failed", 0)}
    assert (Budget.objects.get().spent, Budget.objects.get().reserved, server.billed) == (0, 0, [])
    assert attempt(team, item, picture=False).status_code == 202


@pytest.mark.parametrize(
    ("waited", "requested", "pause"),
    [
        (0, 0, 15),
        (20, 0, 20),
        (300, 0, 120),
        (0, 90, 90),
        (100, 40, 100),
        (0, 600, 600),
        (0, 601, None),
        (590, 0, 10),
        (590, 11, None),
        (600, 0, None),
        (900, 0, None),
    ],
)
def test_the_pauses_grow_and_end(waited, requested, pause):
    assert next_pause(waited, requested) == pause


# --- Several asks at once ---------------------------------------------------------------------------------------------


def opened(team, **more):
    return services.open_generator("big", "m", benchmark_id=team.benchmark.pk, purpose="test", **more)


def asks(count: int) -> list[Ask]:
    picture = Picture.new("RGB", (8, 8), "red")
    return [Ask((Message("user", (Place(), f"question {n}")),), picture) for n in range(count)]


def test_a_generator_pays_each_ask_once_however_often_it_is_asked(server, team):
    budget(team.benchmark)
    server.says = lambda body: body["messages"][0]["content"][1]["text"]
    texts = [f"question {n}" for n in range(20)]
    for _ in range(2):
        assert [one.text for one in opened(team).generate(asks(20), Decoding(max_tokens=10))] == texts
    assert (len(server.asked), Call.objects.filter(state="answered").count()) == (20, 20)
    assert Budget.objects.get().spent == Decimal("0.1")
    opened(team, take="2").generate(asks(1), Decoding(max_tokens=10))
    assert len(server.asked) == 21


def test_a_generator_without_money_left_keeps_what_it_has(server, team):
    budget(team.benchmark, "0.05")
    with pytest.raises(NoBudget):
        opened(team).generate(asks(40), Decoding(max_tokens=10))
    answered = Call.objects.filter(state="answered").count()
    assert 0 < answered == len(server.asked) <= 10
    assert not Call.objects.filter(state="sent").exists()
    Budget.objects.update(ceiling=1)
    opened(team).generate(asks(40), Decoding(max_tokens=10))
    assert len(server.asked) == 40
