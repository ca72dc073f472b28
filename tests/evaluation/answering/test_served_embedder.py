"""Retrieval answered by a model on a server that was added to the site: ranks as by the same encoder here."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from config.model_servers import read
from curation.core import jobs
from curation.wire import gate, transport
from evaluation.answering.services import answering, patience
from evaluation.backends.demo_encoder import DemoEncoder
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.systems import services
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord
from tests.evaluation.answering import benchmarks
from tests.model_server import StandIn, with_nan
from tests.people import Role, key, person

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
ABOUT = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}


@pytest.fixture(scope="module")
def encoder():
    return DemoEncoder.load(ROOT / "fixtures/models/demo-dual-encoder")


@pytest.fixture(params=["vllm"])
def server(request, encoder, settings, monkeypatch):
    """The demo's encoder behind a server, added to the site as ``served-encoder``."""
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    monkeypatch.setattr(patience, "PAUSES", ())
    gate._gates.clear()
    with StandIn(encoder, request.param) as running:
        settings.MODEL_SERVERS = read([f"big={running.address}"], {})
        settings.MODEL_SERVER_RETRIES = 1
        record = {"slug": "served-encoder", "name": "Big", "description": ABOUT, "backend": "served", "locator": "big"}
        head = person("head", None, Role.OWNER)
        job = services.request_serve(actor=head, record=SystemRecord.model_validate(record), client_key=key())
        jobs.run(job.pk, services.serve_system)
        running.asked.clear()
        running.fetched.clear()
        yield running


@pytest.fixture
def answer(tmp_path):
    """Answers retrieval, and returns the rows."""
    gold = benchmarks.cvlue_retrieval(tmp_path)
    pictures = benchmarks.cvlue_pictures(tmp_path / "pictures")

    def run(system="served-encoder", out="out.jsonl"):
        file = tmp_path / out
        call_command("answer", system, "retrieval", gold=gold, pictures=pictures, out=file)
        return [json.loads(line) for line in file.read_text().splitlines()]

    return run


@pytest.mark.parametrize("server", ["vllm", "sglang"], indirect=True)
def test_the_ranks_are_those_of_the_same_encoder_here(tmp_path, server, answer):
    rows = answer()
    assert rows == answer("demo-dual-encoder", "local.jsonl")
    assert [len(row["response"]) for row in rows] == [4, 2, 2, 4, 2, 2]
    header, first, *_ = [json.loads(line) for line in (tmp_path / "out.jsonl.journal").read_text().splitlines()]
    system = System.objects.get()
    assert {name: header["system"][name] for name in ("backend", "server", "files")} == {
        "backend": "served",
        "server": "big",
        "files": system.files_sha256,
    }
    assert first["system"]["embedder"]["device"] == "model server big"
    assert set(first["system"]["packages"]) == {"openai", "httpx2", "numpy", "pillow"}


def test_a_server_given_another_model_stops_it_and_the_first_one_goes_on(monkeypatch, server, answer, capsys):
    plain = answering.Journal.append

    def append(journal, records, **facts):
        plain(journal, records, **facts)
        server.version = "0.13.0"

    with monkeypatch.context() as patch:
        patch.setattr(answering.Journal, "append", append)
        with pytest.raises(SystemExit) as stopped:
            answer()
    assert stopped.value.code == 2
    message = "model_server_changed: The model server big no longer serves the same model: version 0.12.0 → 0.13.0"
    assert capsys.readouterr().err.strip().endswith(message)
    server.version = "0.12.0"
    server.asked.clear()
    rows = answer()
    assert len(server.asked) == 4  # the texts; the pictures are in the journal
    assert rows == answer("demo-dual-encoder", "local.jsonl")


def test_a_server_that_is_away_or_no_longer_set_up(settings, server, answer, capsys):
    server.faults = [503] * 9
    with pytest.raises(SystemExit) as stopped:
        answer()
    assert stopped.value.code == 1
    assert "model_server_unreachable" in capsys.readouterr().err
    server.faults.clear()
    settings.MODEL_SERVERS = {}
    with pytest.raises(SystemExit) as stopped:
        answer()
    assert stopped.value.code == 2
    assert "model_server_unknown" in capsys.readouterr().err


def test_a_vector_that_is_no_number_ranks_nothing(tmp_path, server, answer):
    server.bend = with_nan
    assert {(row.get("error"), "response" in row) for row in answer()} == {("vector_not_finite", False)}


def test_an_input_that_the_server_refuses_is_its_own_failure(tmp_path, server, answer):
    long = "red " * 40
    gold = tmp_path / "retrieval.json"
    gold.write_text(gold.read_text().replace("red and blue", long))
    rows = {row["id"]: row for row in answer()}
    assert {key: row["error"] for key, row in rows.items() if "error" in row} == {long: "input_too_long"}
    # It is in no list, and the others are all there.
    lists = [row["response"] for row in rows.values() if "response" in row]
    assert [len(row) for row in lists] == [3, 2, 2, 3, 2]
    assert long not in str(lists)
    report = score(PROFILES["cvlue-itr/paper"], gold, tmp_path / "out.jsonl")
    assert (report["n_failed"], report["n_scored"], report["n_expected"]) == (1, 5, 6)


def test_a_choice_that_the_server_refuses_is_its_own_failure(tmp_path, server):
    def answered(gold, out):
        options = {"gold": gold, "pictures": tmp_path / "pictures", "means": "similarity"}
        call_command("answer", "served-encoder", "cvqa", out=tmp_path / out, **options)
        return [json.loads(line) for line in (tmp_path / out).read_text().splitlines()]

    gold = benchmarks.cvqa(tmp_path)
    whole = answered(gold, "whole.jsonl")
    assert [row.get("error") for row in whole] == [None, None]
    gold.write_text(gold.read_text().replace("フリービー", "フリービー" * 30))
    cut = answered(gold, "cut.jsonl")
    assert [row.get("error") for row in cut] == ["input_too_long", None]
    assert cut[1] == whole[1]
