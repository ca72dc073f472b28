"""Suites that rank, answered by models on vLLM and SGLang: the ranks are those of the same model in this process."""

import json

import pytest
import yaml
from django.core.management import call_command

from config.model_servers import read
from curation.wire import gate, transport
from evaluation.answering.services import answering, patience
from evaluation.backends.vision_language import LanguageModel
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from tests.evaluation.answering import benchmarks
from tests.evaluation.backends.likelihood_server import Model
from tests.evaluation.backends.tiny_models import write_qwen2_5_vl
from tests.model_server import MODEL, StandIn

ABOUT = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}
BOTH = pytest.mark.parametrize("server", ["vllm", "sglang"], indirect=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny vision-language model on this disk."""
    return write_qwen2_5_vl(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return LanguageModel.load(folder)


@pytest.fixture
def server(request, model, settings, monkeypatch):
    """The model behind a server of a kind."""
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    monkeypatch.setattr(patience, "PAUSES", ())
    gate._gates.clear()
    behind = Model(model)
    with StandIn(speaks=getattr(request, "param", "vllm"), says=behind.chat, generates=behind.generate) as running:
        settings.MODEL_SERVERS = read([f"big={running.address}"], {})
        settings.MODEL_SERVER_RETRIES = 1
        yield running


@pytest.fixture
def answer(tmp_path, folder):
    """Answers a suite with a record, and returns the rows."""

    def run(suite, out="out.jsonl", *, can=("likelihood",), backend="chat", parameters=None, **options):
        on_server = {"locator": "big", "parameters": {"model": MODEL, "tokenizer": str(folder)} | (parameters or {})}
        record = {"slug": "tiny", "name": "Tiny", "description": ABOUT, "backend": backend, "capabilities": list(can)}
        record |= on_server if backend == "chat" else {"locator": str(folder)}
        file = tmp_path / f"{backend}.yaml"
        file.write_text(yaml.safe_dump(record))
        options = {"pictures": tmp_path / "pictures", "out": tmp_path / out} | options
        call_command("answer", str(file), suite, **options)
        return [json.loads(line) for line in (tmp_path / out).read_text().splitlines()]

    return run


@pytest.fixture
def dialogue(tmp_path):
    """CVLUE's dialogues: two pictures, three questions with four candidates each."""
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    return {"gold": gold, "dialogues": texts}


@pytest.fixture
def refused(answer, dialogue, server, capsys, tmp_path):
    """The message with which a request is refused, and the exit status; there are no predictions."""

    def run(*args, **options):
        with pytest.raises(SystemExit) as stopped:
            answer(*(args or ("dialogue",)), **dialogue | options)
        assert not (tmp_path / "out.jsonl").exists()
        return stopped.value.code, capsys.readouterr().err.strip()

    return run


def answers_of(file):
    """The header of a journal, and its answers by key."""
    header, *chunks = [json.loads(line) for line in file.read_text().splitlines()]
    return header, {record["key"]: record for chunk in chunks for record in chunk["answers"]}


@BOTH
def test_dialogues_have_the_ranks_of_the_same_model_in_this_process(tmp_path, server, answer, dialogue, model):
    rows = answer("dialogue", **dialogue)
    assert rows == answer("dialogue", "local.jsonl", backend="language_model", **dialogue)
    assert [sorted(row["response"]) for row in rows] == [
        ["1", "2", "3", "4"],
        ["1", "2", "4", "5"],
        ["1", "2", "3", "5"],
    ]
    header, answers = answers_of(tmp_path / "out.jsonl.journal")
    _, local = answers_of(tmp_path / "local.jsonl.journal")
    assert answers.keys() == local.keys()
    for key, here in local.items():
        there = answers[key]
        assert there["sums"] == pytest.approx(here["sums"], abs=1e-3)
        gaps = [abs(one - other) for i, one in enumerate(here["sums"]) for other in here["sums"][:i]]
        assert min(gaps) > 0.01  # so that equal ranks are no accident of rounding
        assert [there[name] for name in ("means", "lengths", "bytes")] == [
            here[name] for name in ("means", "lengths", "bytes")
        ]
    for profile in ("cvlue-vd/full", "cvlue-vd/official"):
        reports = [score(PROFILES[profile], dialogue["gold"], tmp_path / f"{name}.jsonl") for name in ("out", "local")]
        assert reports[0]["n_scored"] == 3
        assert reports[0]["metrics"] == reports[1]["metrics"]
    assert header["system"]["server"] == "big"
    # The route and what the server reports are in the journal.
    (described,) = [
        chunk["system"]["ranker"]
        for chunk in map(json.loads, (tmp_path / "out.jsonl.journal").read_text().splitlines())
        if "system" in chunk and "chunk" in chunk
    ]
    assert described["reported"]["speaks"] == server.speaks
    assert described["route"] == {"vllm": "vllm: prompt_logprobs", "sglang": "sglang: logprob_start_len"}[server.speaks]


@BOTH
def test_letters_are_those_of_the_same_model_in_this_process(tmp_path, server, answer):
    gold = benchmarks.cvqa(tmp_path)
    rows = answer("cvqa", gold=gold)
    local = answer("cvqa", "local.jsonl", backend="language_model", gold=gold)
    for here, there in zip(local, rows, strict=True):
        assert (there["id"], there["response"]) == (here["id"], here["response"])
        assert there["log_probabilities"] == pytest.approx(here["log_probabilities"], abs=1e-3)
        assert here["response"] == "ABCD"[here["log_probabilities"].index(max(here["log_probabilities"]))]
    reports = [score(PROFILES["cvqa-mcq/paper"], gold, tmp_path / f"{name}.jsonl") for name in ("out", "local")]
    assert reports[0]["metrics"] == reports[1]["metrics"]


def test_a_hosted_server_is_refused_without_any_request(tmp_path, settings, server, refused):
    settings.MODEL_SERVERS = read([], {}, [f"big={server.address}"])
    reason = "The model server big gives no log-probabilities of given replies: it is a hosted server"
    assert refused() == (2, f"no_logprobs: {reason}")
    # It is one of those that only reply: no_logprobs as well.
    status, message = refused(can=("generate",))
    assert (status, message.partition(":")[0]) == (2, "no_logprobs")
    assert (server.fetched, server.asked) == ([], [])
    assert not (tmp_path / "out.jsonl.journal").exists()


def test_a_server_of_another_kind_is_refused_and_not_asked_to_rank(server, refused):
    server.speaks = "lmdeploy"
    status, message = refused()
    assert (status, message.partition(":")[0]) == (2, "no_logprobs")
    assert "it calls itself lmdeploy, not vllm or sglang" in message
    assert server.asked == []


def test_a_server_that_returns_no_log_probabilities_is_refused(server, refused):
    server.says = lambda body: "A"
    status, message = refused()
    assert (status, message.partition(":")[0]) == (2, "no_logprobs")
    assert len(server.asked) == 1


@pytest.mark.parametrize("server", ["sglang"], indirect=True)
def test_sglang_needs_the_tokenizer_and_the_corrected_record_goes_on(server, answer, dialogue, refused):
    status, message = refused(parameters={"tokenizer": ""})
    assert (status, message.partition(":")[0]) == (2, "tokenizer_needed")
    status, message = refused(parameters={"tokenizer": "/nowhere"})
    assert (status, message.partition(":")[0]) == (2, "backend_files_unfit")
    assert server.asked == []
    assert len(answer("dialogue", **dialogue)) == 3


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"model": "other"}, "model_not_served"),
        ({"model": ""}, "system_file_invalid"),
        ({"x": 1}, "system_file_invalid"),
    ],
)
def test_records_that_do_not_fit(server, refused, parameters, code):
    status, message = refused(parameters=parameters)
    assert (status, message.partition(":")[0]) == (2, code)
    assert server.asked == []


def test_a_server_that_is_not_set_up(settings, server, refused):
    settings.MODEL_SERVERS = {}
    assert refused() == (2, "model_server_unknown: No model server big is configured on this site.")


def test_questions_without_options_need_one_that_replies_and_someone_who_pays(tmp_path, server, refused):
    gold = benchmarks.cmmu(tmp_path)
    status, message = refused("cmmu", gold=gold, dialogues=None, means="likelihood")
    assert (status, message.partition(":")[0]) == (2, "system_not_for_suite")
    status, message = refused("cmmu", gold=gold, dialogues=None, means="likelihood", can=("generate", "likelihood"))
    assert (status, message.partition(":")[0]) == (2, "benchmark_needed")
    assert (server.fetched, server.asked) == ([], [])


def test_a_server_given_another_model_stops_it_and_the_first_one_goes_on(
    tmp_path, monkeypatch, server, answer, dialogue, capsys
):
    whole = answer("dialogue", "whole.jsonl", batch=1, **dialogue)
    plain = answering.Journal.append

    def append(journal, records, **facts):
        plain(journal, records, **facts)
        server.version = "0.13.0"

    with monkeypatch.context() as patch:
        patch.setattr(answering.Journal, "append", append)
        with pytest.raises(SystemExit) as stopped:
            answer("dialogue", batch=1, **dialogue)
    assert stopped.value.code == 2
    assert "model_server_changed: " in capsys.readouterr().err
    asked = len(server.asked)
    with pytest.raises(SystemExit):
        answer("dialogue", batch=1, **dialogue)
    assert "setting_differs" in (message := capsys.readouterr().err)
    assert "ranker.reported.version was 0.12.0, is 0.13.0" in message
    server.version = "0.12.0"
    assert answer("dialogue", batch=1, **dialogue) == whole
    assert len(server.asked) > asked
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_how_requests_differ_is_part_of_the_system(settings, server, answer, dialogue, capsys):
    answer("dialogue", **dialogue)
    settings.MODEL_SERVERS = read(
        [f"big={server.address}"],
        {"MODEL_SERVER_LIMIT_NAME_BIG": "max_completion_tokens", "MODEL_SERVER_TEMPERATURE_BIG": "none"},
    )
    with pytest.raises(SystemExit):
        answer("dialogue", **dialogue)
    message = capsys.readouterr().err
    assert "system.requests.limit_name was max_tokens, is max_completion_tokens" in message
    assert "system.requests.sends_temperature was True, is False" in message


def test_a_server_that_cannot_be_reached_ends_it_and_it_goes_on(server, answer, dialogue, capsys):
    server.faults = [503] * 9
    with pytest.raises(SystemExit) as stopped:
        answer("dialogue", **dialogue)
    assert stopped.value.code == 1
    assert "model_server_unreachable" in capsys.readouterr().err
    server.faults.clear()
    assert len(answer("dialogue", **dialogue)) == 3
