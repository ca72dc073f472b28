"""A benchmark's file answered by a model on a server: every call is paid once, and a benchmark pays."""

import json
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from config.model_servers import read
from curation.calls.models import Budget, Call
from curation.core import jobs
from curation.prompts.rules import Message
from curation.wire import gate, transport
from evaluation.answering.services import patience
from evaluation.asking import services
from evaluation.backends.asks import Ask, Decoding
from tests.curation.calls.room import budget, new_benchmark, offer
from tests.evaluation.answering import benchmarks
from tests.model_server import Refused, StandIn

pytestmark = pytest.mark.django_db(transaction=True)
#: Calls that check whether the model reads pictures.
PROBES = 2
RECORD = """
slug: large
name: Large
description: {zh-Hans: 甲, zh-Hant: 甲, en: a}
backend: chat
locator: big
parameters: {model: m}
capabilities: [generate]
"""


@pytest.fixture
def server(settings, monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    gate._gates.clear()
    with StandIn(model="m", says=lambda _: "是") as running:
        settings.MODEL_SERVERS = read([f"big={running.address}"], {})
        settings.MODEL_SERVER_SECONDS = 3.0
        yield running


@pytest.fixture
def answer(server, tmp_path):
    offer()
    gold = benchmarks.cvlue_vqa(tmp_path)
    pictures = benchmarks.cvlue_pictures(tmp_path / "pictures")
    record = tmp_path / "large.yaml"
    record.write_text(RECORD, encoding="utf-8")

    def run(out="out.jsonl", **options):
        file = tmp_path / out
        call_command("answer", str(record), "vqa", gold=gold, pictures=pictures, out=file, **options)
        return [json.loads(line) for line in file.read_text().splitlines()]

    return run


def test_each_question_is_a_call_that_the_benchmark_pays_once(server, answer):
    paying = new_benchmark()
    budget(paying, "1000")
    rows = answer(benchmark="calls")
    assert (len(rows), len(server.asked)) == (3, PROBES + 3)
    assert all("是" in json.dumps(row, ensure_ascii=False) for row in rows)
    purposes = Call.objects.order_by("pk").values_list("benchmark", "purpose", "state")
    assert list(purposes) == [(paying.pk, "probe", "answered")] * PROBES + [(paying.pk, "answer", "answered")] * 3
    assert Budget.objects.get().spent == (PROBES + 3) * Decimal("0.005")
    for body in server.bodies:
        assert "竹子".encode() not in body  # a right answer
    # Another file, and no journal: every reply is there.
    assert answer(out="again.jsonl", benchmark="calls") == rows
    assert (len(server.asked), Budget.objects.get().spent) == (PROBES + 3, (PROBES + 3) * Decimal("0.005"))


@pytest.mark.parametrize(
    ("options", "code"), [({}, "benchmark_needed"), ({"benchmark": "nowhere"}, "benchmark_unknown")]
)
def test_without_a_benchmark_nothing_is_sent(server, answer, capsys, options, code):
    with pytest.raises(SystemExit) as stopped:
        answer(**options)
    assert stopped.value.code == 2
    assert code in capsys.readouterr().err
    assert server.asked == []


def test_a_filter_that_refuses_the_first_chunk_ends_no_run(server, answer):
    def says(body):
        if "问题" in json.dumps(body, ensure_ascii=False):
            raise Refused(400, "content management policy")
        return "A"

    server.says = says
    budget(new_benchmark(), "1000")
    rows = answer(benchmark="calls")
    assert rows == [{"id": key, "error": "call_failed"} for key in ("66376", "66377", "66378")]
    states = list(Call.objects.filter(purpose="answer").values_list("state", flat=True))
    assert (states.count("answered"), set(states)) == (1, {"answered", "failed"})  # the harmless question
    assert Budget.objects.get().spent == (PROBES + 1) * Decimal("0.005")


def test_without_money_it_stops_with_the_reason_and_goes_on_later(server, answer, capsys, tmp_path):
    budget(new_benchmark(), "0.001")
    with pytest.raises(SystemExit) as stopped:
        answer(benchmark="calls")
    assert stopped.value.code == 2
    assert "no_budget" in capsys.readouterr().err
    assert (server.asked, (tmp_path / "out.jsonl").exists()) == ([], False)
    Budget.objects.update(ceiling=1000)
    assert len(answer(benchmark="calls")) == 3


def test_without_its_database_it_stops_with_the_reason_and_goes_on_later(server, answer, capsys, monkeypatch):
    budget(new_benchmark(), "1000")

    def away(*_):
        raise OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patch:
        patch.setattr(services, "pay", away)
        with pytest.raises(SystemExit) as stopped:
            answer(benchmark="calls")
    assert stopped.value.code == 1
    assert capsys.readouterr().err == (
        "database_unavailable: the site's database does not respond; the same command goes on later\n"
    )
    assert (server.asked, Call.objects.count()) == ([], 0)
    assert len(answer(benchmark="calls")) == 3


def costs(tmp_path, out="out.jsonl"):
    lines = (tmp_path / f"{out}.journal").read_text().splitlines()
    return [tuple(chunk["cost"]) for chunk in map(json.loads, lines[1:]) if "cost" in chunk]


def test_the_cost_has_calls_in_doubt_and_no_reply_that_was_kept(server, answer, tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "PAUSES", (0, 0))
    budget(new_benchmark(), "1000")
    server.faults = [None, None, "cut"]
    answer(benchmark="calls")
    call = Call.objects.get(state="unknown")
    spent = Budget.objects.get().spent
    assert spent == call.cost + (PROBES + 3) * Decimal("0.005")
    assert sum(Decimal(amount) for amount, _ in costs(tmp_path)) == spent
    answer(out="again.jsonl", benchmark="calls")
    assert costs(tmp_path, "again.jsonl") == []


def test_equal_questions_at_once_are_one_call_and_cost_it_once(server, settings):
    offer()
    paying, settled = new_benchmark(), []
    budget(paying, "1000")
    asked = Ask((Message("user", ("?",)),))
    generator = services.open_generator("big", "m", benchmark_id=paying.pk, purpose="test", on_settled=settled.append)
    # Both look for a kept reply before either may send.
    gate.gate_of("big", settings.MODEL_SERVER_REQUESTS_AT_ONCE).limited(0.5, time.monotonic())
    first, second = generator.generate([asked, asked], Decoding())
    assert first == second
    assert [call.cost for call in settled] == [Budget.objects.get().spent] == [Decimal("0.005")]


def test_a_call_has_the_price_of_when_it_is_sent(server, answer, settings):
    budget(new_benchmark(), "1000")

    def says(_):
        if Call.objects.count() == PROBES + 1:
            offer(million_out=500)
        connection.close()
        return "是"

    server.says = says
    settings.MODEL_SERVER_REQUESTS_AT_ONCE = 1
    answer(benchmark="calls")
    paid = list(Call.objects.order_by("pk").values_list("cost", flat=True))
    assert paid == [Decimal("0.005")] * (PROBES + 1) + [Decimal("0.0025")] * 2


def test_a_model_that_is_withdrawn_meanwhile_is_not_called_again(server, answer, capsys, settings):
    budget(new_benchmark(), "1000")

    def says(_):
        if Call.objects.count() == PROBES + 1:
            offer(withdrawn=True)
        connection.close()
        return "是"

    server.says = says
    settings.MODEL_SERVER_REQUESTS_AT_ONCE = 1
    with pytest.raises(SystemExit) as stopped:
        answer(benchmark="calls")
    assert (stopped.value.code, len(server.asked)) == (2, PROBES + 1)
    assert "model_not_offered: " in capsys.readouterr().err


# --- Whether it reads pictures ----------------------------------------------------------------------------------------


def drops_pictures(server, monkeypatch):
    """A server that drops pictures without an error."""
    completed = server.completed

    def without(body):
        answer = completed(body)
        return answer | {"usage": answer["usage"] | {"prompt_tokens": 10}}

    monkeypatch.setattr(server, "completed", without)


def test_a_model_whose_server_drops_pictures_is_refused_after_two_calls(server, answer, capsys, monkeypatch, tmp_path):
    drops_pictures(server, monkeypatch)
    budget(new_benchmark(), "1000")
    for _ in range(2):
        with pytest.raises(SystemExit) as stopped:
            answer(benchmark="calls")
        assert stopped.value.code == 2
        assert (
            capsys.readouterr().err.strip() == "model_reads_no_pictures: m reads texts only; ask it without pictures."
        )
    # Both replies are kept: the second time nothing is sent.
    assert (len(server.asked), Budget.objects.get().spent) == (PROBES, PROBES * Decimal("0.005"))
    assert not (tmp_path / "out.jsonl").exists()
    assert len(answer(benchmark="calls", picture=False)) == 3
    assert Counter(Call.objects.values_list("purpose", flat=True)) == {"probe": PROBES, "answer": 3}


def test_a_model_is_probed_again_on_another_day(server, answer, monkeypatch):
    budget(new_benchmark(), "1000")
    today = datetime(2026, 3, 1, 23, tzinfo=UTC)
    monkeypatch.setattr(jobs, "database_now", lambda: today)
    with monkeypatch.context() as patch:
        drops_pictures(server, patch)
        with pytest.raises(SystemExit):
            answer(benchmark="calls")
    with pytest.raises(SystemExit):  # repaired on the same day
        answer(benchmark="calls")
    assert len(server.asked) == PROBES
    today += timedelta(hours=1)
    assert len(answer(benchmark="calls")) == 3
    assert Call.objects.filter(purpose="probe", state="answered").count() == 2 * PROBES


@pytest.mark.parametrize("colour", ["Red.", "这是红色", "紅色"])
def test_a_server_that_counts_no_tokens_of_pictures_but_sees_the_colour_is_taken(server, answer, monkeypatch, colour):
    drops_pictures(server, monkeypatch)
    server.says = lambda body: colour if "colour" in json.dumps(body) else "是"
    budget(new_benchmark(), "1000")
    assert len(answer(benchmark="calls")) == 3


@pytest.mark.parametrize(("says", "reads"), [("Grey.", False), ("Red.", True)])
def test_where_no_tokens_are_counted_the_colour_decides(server, answer, capsys, says, reads):
    budget(new_benchmark(), "1000")
    choice = {"message": {"content": says}, "finish_reason": "stop"}
    server.says = lambda _: {"choices": [choice]}
    if reads:
        assert len(answer(benchmark="calls")) == 3
        return
    with pytest.raises(SystemExit):
        answer(benchmark="calls")
    assert "model_reads_no_pictures" in capsys.readouterr().err
    assert len(server.asked) == PROBES


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_server_that_refuses_pictures_is_named_by_its_reason(server, answer, capsys, status):
    budget(new_benchmark(), "1000")
    server.faults = [None, status]
    with pytest.raises(SystemExit):
        answer(benchmark="calls")
    assert "model_reads_no_pictures" in capsys.readouterr().err
    assert (len(server.asked), Budget.objects.get().spent) == (PROBES, Decimal("0.005"))


def test_a_model_that_does_not_reply_at_all_has_the_servers_reason(server, answer, capsys):
    budget(new_benchmark(), "1000")
    server.faults = [400]
    with pytest.raises(SystemExit):
        answer(benchmark="calls")
    assert "call_failed: The model server big refuses the request (400): busy" in capsys.readouterr().err
    assert (len(server.asked), Budget.objects.get().spent) == (1, 0)


@pytest.mark.parametrize(
    ("form", "more"), [("grid1000", [{}, {}, {}]), ("xyxy", [{"resized": [40, 20]}, *[{"resized": [32, 24]}] * 2])]
)
def test_boxes_have_the_form_of_the_record_and_the_size_that_was_sent(server, tmp_path, form, more):
    offer()
    budget(new_benchmark(), "1000")
    server.says = lambda _: "(0,0),(20,20)"
    record, out = tmp_path / "large.yaml", tmp_path / "out.jsonl"
    record.write_text(RECORD.replace("{model: m}", f"{{model: m, box_form: {form}}}"), encoding="utf-8")
    gold, pictures = benchmarks.cvlue_grounding(tmp_path), benchmarks.cvlue_pictures(tmp_path / "pictures")
    call_command("answer", str(record), "grounding", gold=gold, pictures=pictures, out=out, benchmark="calls")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows == [
        {"id": name, "response": "(0,0),(20,20)", "box_form": form, **own}
        for name, own in zip(("1", "2", "3"), more, strict=True)
    ]
