"""A benchmark's own versions of prompts, what is refused, and renderings with its items."""

import threading
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.utils import IntegrityError
from django.test.utils import CaptureQueriesContext

from curation.core.models import AuditEvent
from curation.prompts.models import Prompt
from curation.prompts.queries import Key, shipped
from curation.prompts.rules import kinds_for
from curation.prompts.services import stored_prompt
from tests.annotation.talks import dialogue_world
from tests.annotation.teams import made, member, peer_world, star
from tests.people import World, key, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.sentences import five_captions
from tests.shared import shared

HERE = "benchmarks/cvlue"
CVLUE = {"name": "cvlue-vqa", "language": "zh-Hans"}
TEXT = "variables:\n- question\nturns:\n- role: user\n  text: '用一个词回答：{{question}}'\norder:\n- picture\n- text\n"


@shared
def here() -> World:
    return world(captions_protocol())


def add(here: World, text: str = TEXT, base_no: int = 1, **more: Any) -> Any:
    body = {**CVLUE, "base_no": base_no, "text": text, "client_key": key()} | more
    return send(signed_in(here.admin), "POST", f"{HERE}/prompts", body)


def preview(here: World, **body: Any) -> Any:
    return send(signed_in(here.senior), "POST", f"{HERE}/prompt-previews", {**CVLUE, "no": 1} | body)


def test_every_shipped_prompt_is_listed_in_one_statement(here: World) -> None:
    browser = signed_in(here.senior)
    send(browser, "GET", f"{HERE}/prompts")
    with CaptureQueriesContext(connection) as statements:
        rows = send(browser, "GET", f"{HERE}/prompts").json()
    assert {(row["name"], row["language"], row["no"]) for row in rows} == set(shipped())
    assert {row["is_own"] for row in rows} == {False}
    assert len(statements) == 3  # session, benchmark, own versions
    first = send(browser, "GET", f"{HERE}/prompts/cvlue-vqa/zh-Hans/1").json()
    assert (first["reading"], first["variables"], first["by"], first["created_at"]) == (
        "paper",
        ["question"],
        None,
        None,
    )
    assert first["source"] == {
        "zh-Hans": "CVLUE 附录 A.7.1。论文未说明图片的位置，这里放在最前。",
        "zh-Hant": "CVLUE 附錄 A.7.1。論文未說明圖片的位置，這裡放在最前。",
        "en": "CVLUE, appendix A.7.1. The paper does not say where the picture is; here it is first.",
    }
    assert "用尽量简洁的数字或中文短语回答以下问题: {{question}}" in first["text"]
    assert Prompt.objects.count() == 0


@pytest.mark.parametrize("path", ["cvlue-vqa/zh-Hans/9", "cvlue-vqa/zh-Hant/1", "no-such/en/1", "cvlue-vqa/fr/1"])
def test_other_versions_do_not_exist(here: World, path: str) -> None:
    assert told(send(signed_in(here.senior), "GET", f"{HERE}/prompts/{path}")) == (404, "not_found")


def test_an_own_version_is_a_copy_with_a_number_of_its_own(here: World) -> None:
    answer = add(here)
    assert answer.status_code == 201
    new = answer.json()
    assert (new["no"], new["base_no"], new["reading"], new["is_own"]) == (101, 1, "ours", True)
    assert new["source"] is None
    assert new["by"] == {"id": here.admin.pk, "name": here.admin.name}
    later = add(here, new["text"].replace("一个词", "两个词"), base_no=101).json()
    assert (later["no"], later["base_no"]) == (102, 101)
    event = AuditEvent.objects.filter(action="prompt_add").order_by("id").first()
    assert event is not None
    assert (event.label, event.target_id, event.data["no"]) == ("cvlue-vqa 101", Prompt.objects.get(no=101).pk, 101)
    listed = send(signed_in(here.senior), "GET", f"{HERE}/prompts").json()
    assert [row["no"] for row in listed if row["name"] == "cvlue-vqa" and row["language"] == "zh-Hans"] == [1, 101, 102]


def test_a_repeat_adds_nothing(here: World) -> None:
    same = key()
    first, again = add(here, client_key=same), add(here, client_key=same)
    assert (first.json(), again.json()["no"], Prompt.objects.count()) == (again.json(), 101, 1)
    assert told(add(here, TEXT.replace("一", "二"), client_key=same)) == (422, "client_key_reused")


def test_an_unchanged_copy_is_refused(here: World) -> None:
    text = send(signed_in(here.senior), "GET", f"{HERE}/prompts/cvlue-vqa/zh-Hans/1").json()["text"]
    assert told(add(here, text)) == (409, "prompt_unchanged")
    assert Prompt.objects.count() == 0


def test_a_fault_names_its_line_and_adds_nothing(here: World) -> None:
    answer = add(here, TEXT.replace("{{question}}", "{{qestion}}"))
    assert told(answer) == (422, "prompt_variable")
    faults = [(f["line"], f["code"], f["params"]) for f in answer.json()["params"]["faults"]]
    assert faults == [
        (2, "prompt_variable_unused", {"name": "question"}),
        (5, "prompt_variable_unknown", {"name": "qestion"}),
    ]
    assert told(add(here, "turns: [")) == (422, "file_invalid")
    assert told(add(here, base_no=7)) == (404, "not_found")
    assert Prompt.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_versions_at_once_get_two_numbers() -> None:
    here, answers = world(captions_protocol()), []

    def send_one(word: str) -> None:
        answers.append(add(here, TEXT.replace("一", word)).json()["no"])
        connections.close_all()

    threads = [threading.Thread(target=send_one, args=(word,)) for word in "二三四"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [101, 102, 103]


def test_the_table_refuses_what_is_neither_shipped_nor_own(here: World) -> None:
    add(here)
    own = Prompt.objects.get()
    values = {name: getattr(own, name) for name in ("name", "language", "body", "sha256", "base_no")}
    for wrong in (
        {"benchmark": None, "no": 1, "reading": "ours"},
        {"benchmark": own.benchmark, "author": own.author, "client_key": key(), "no": 7, "reading": "ours"},
        {"benchmark": own.benchmark, "author": own.author, "client_key": key(), "no": 102, "reading": "paper"},
        {"benchmark": own.benchmark, "author": own.author, "client_key": key(), "no": 101, "reading": "ours"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Prompt.objects.create(**values | wrong)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Prompt.objects.update(source="x")


def test_a_shipped_version_is_stored_once_when_it_is_used(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    used = Key("cvlue-vqa", "en", 1)
    first = stored_prompt(here.benchmark, used)
    assert (stored_prompt(here.benchmark, used).pk, first.sha256) == (first.pk, shipped()[used].sha256)
    assert (first.benchmark, first.author, first.reading) == (None, None, "paper")
    assert first.source.startswith("CVLUE, appendix A.7.1. ")
    add(here)
    own = stored_prompt(here.benchmark, Key("cvlue-vqa", "zh-Hans", 101))
    assert own.benchmark == here.benchmark
    changed = shipped()[Key("cvlue-vqa", "zh-Hans", 1)]
    monkeypatch.setattr("curation.prompts.queries.shipped", lambda: {used: changed})
    with pytest.raises(ValueError, match=r"cvlue-vqa 1 .en. changed"):
        stored_prompt(here.benchmark, used)


def test_without_an_item_variables_stay_as_they_are(here: World) -> None:
    answer = preview(here).json()
    parts = answer["messages"][0]["parts"]
    assert parts == [{"text": None}, {"text": "用尽量简洁的数字或中文短语回答以下问题: {{question}}"}]
    assert (answer["missing"], answer["item"]) == (["question"], None)
    judge = preview(here, name="cmmu-judge", language="en", no=2).json()
    assert [message["role"] for message in judge["messages"]] == ["system", "user"]
    changed = preview(here, text=TEXT).json()
    assert changed["messages"][0]["parts"][1] == {"text": "用一个词回答：{{question}}"}
    assert told(preview(here, text="variables: [quest]")) == (422, "file_invalid")
    assert told(preview(here, text=TEXT.replace("{{q", "{{Q"))) == (422, "prompt_variable")
    assert Prompt.objects.count() == 0


@pytest.mark.parametrize(
    ("variables", "kinds"),
    [
        (["question"], ["vqa", "multiple_choice", "dialogue"]),
        (["question", "options"], ["multiple_choice"]),
        (["caption", "history", "question"], ["dialogue"]),
        (["question", "response", "answer"], ["vqa", "multiple_choice", "dialogue"]),
        (["country", "category"], []),
        (["text", "language"], []),
        ([], []),
    ],
)
def test_a_prompt_is_for_the_kinds_with_values_for_the_most_of_it(variables: list[str], kinds: list[str]) -> None:
    assert kinds_for(variables) == kinds


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("cvlue-dialogue", ["dialogue"]), ("cvlue-vqa", ["dialogue"]), ("tcc-direct", []), ("translate", [])],
)
@pytest.mark.django_db
def test_a_version_names_the_benchmarks_kinds_that_it_is_for(name: str, kinds: list[str]) -> None:
    here = dialogue_world()
    answer = send(signed_in(here.senior), "GET", f"{HERE}/prompts/{name}/en/1").json()
    assert answer["kinds"] == kinds


@pytest.mark.django_db
def test_an_accepted_item_gives_its_values() -> None:
    here = peer_world()
    item = made(member(here, "ann"))
    asked = {"name": "cvlue-dialogue", "language": "en", "no": 1, "item": item.pk}

    def shown(**more: Any) -> Any:
        return send(signed_in(here.senior), "POST", "benchmarks/cvqa/prompt-previews", asked | more)

    assert told(shown()) == (409, "prompt_item_not_accepted")
    star(member(here, "ben"), item)
    captions = five_captions(item.number)["captions"]
    first, second = shown().json(), shown(part=1).json()
    assert first["item"] == {"label": item.label, "parts": 5, "sides": ["local"]}
    assert first["missing"] == ["history", "question"]
    texts = [answer["messages"][0]["parts"][1]["text"] for answer in (first, second)]
    assert [text.startswith(f"Context: {captions[i]} History: {{{{history}}}}") for i, text in enumerate(texts)] == [
        True,
        True,
    ]
    assert told(shown(part=5)) == (404, "not_found")
    assert told(shown(item=item.pk + 1)) == (404, "not_found")
    elsewhere = world(captions_protocol(), prefix="else-")
    answer = send(signed_in(elsewhere.senior), "POST", f"{HERE}/prompt-previews", asked)
    assert told(answer) == (404, "not_found")
