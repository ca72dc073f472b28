"""Every suite answered by real models of random weights, interrupted and not, and scored."""

import io
import json

import pytest
import torch
import yaml
from django.core.management import call_command
from transformers import AutoTokenizer, Qwen2_5_VLForConditionalGeneration

from evaluation.answering.rules.journal import Journal
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.suites.rules import SUITES
from tests.evaluation.answering import benchmarks
from tests.evaluation.backends.tiny_models import write_llava, write_qwen2_5_vl

ABOUT = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}


@pytest.fixture(scope="module", params=[write_qwen2_5_vl, write_llava], ids=["qwen2-5-vl", "llava"])
def system(request, tmp_path_factory):
    """The record of a vision-language model on this disk."""
    folder = tmp_path_factory.mktemp("tiny")
    request.param(folder / "model")
    content = {"slug": "tiny", "name": "Tiny", "description": ABOUT, "backend": "language_model"}
    content |= {"locator": str(folder / "model"), "capabilities": ["generate", "likelihood"]}
    (folder / "tiny.yaml").write_text(yaml.safe_dump(content))
    return folder / "tiny.yaml"


def files(suite, folder):
    """A suite's gold file, and the options that it needs."""
    if suite == "dialogue":
        benchmarks.cvlue_pictures(folder / "pictures")
        gold, texts = benchmarks.cvlue_dialogue(folder)
        return gold, {"dialogues": texts}
    return benchmarks.of_suite(suite, folder), {}


class Interrupted(Exception):
    """As if the process were killed after a chunk was written."""


@pytest.mark.parametrize(
    ("suite", "means", "expected"),
    [
        ("vqa", None, 3),
        ("grounding", None, 3),
        ("dialogue", None, 3),
        ("cvqa", None, 2),
        ("cvqa", "text", 2),
        ("tcc", None, 3),
        ("cmmu", None, 4),
        ("cmmu", "likelihood", 4),
        ("vistai", None, 3),
        ("vistai-dialogue", None, 1),
    ],
)
def test_a_benchmark_of_small_files(tmp_path, monkeypatch, system, suite, means, expected):
    gold, options = files(suite, tmp_path)
    options |= {"means": means, "max_tokens": 6, "batch": 1, "gold": gold, "pictures": tmp_path / "pictures"}
    whole, other = tmp_path / "whole.jsonl", tmp_path / "other.jsonl"
    call_command("answer", str(system), suite, out=whole, **options)
    profile = SUITES[suite].profiles[1 if (suite, means) == ("cvqa", "text") else 0]
    report = score(PROFILES[profile], gold, whole)
    assert report["n_expected"] == expected
    assert report["n_unknown_ids"] == report["n_failed"] == 0
    assert report["n_missing"] == (suite == "vistai-dialogue")  # a judge's replies are missing

    plain = Journal.append

    def append(journal, records, **facts):
        plain(journal, records, **facts)
        raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", append)
        with pytest.raises(Interrupted):
            call_command("answer", str(system), suite, out=other, **options)
    call_command("answer", str(system), suite, out=other, **options)
    assert other.read_bytes() == whole.read_bytes()


def test_corners_are_pixels_of_the_picture_that_the_processor_resized(tmp_path, monkeypatch):
    """840 × 420 is more than the processor's 64 × 28 × 28 pixels: the model reads 308 × 140."""
    write_qwen2_5_vl(tmp_path / "model")
    content = {"slug": "tiny", "name": "Tiny", "description": ABOUT, "backend": "language_model"}
    content |= {"locator": str(tmp_path / "model"), "capabilities": ["generate"], "parameters": {"box_form": "xyxy"}}
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(content))
    benchmarks.picture(tmp_path / "pictures" / "a.png", size=(840, 420))
    question = {"ref_id": 1, "image": "a.png", "text": "左半", "width": 840, "height": 420, "bbox": [0, 0, 420, 420]}
    gold, out = benchmarks.array(tmp_path / "gold.json", [question]), tmp_path / "out.jsonl"
    reply = '```json\n[{"bbox_2d": [0, 0, 154, 140], "label": "左半"}]\n```'
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    row = torch.tensor([tokenizer(f"{reply}<|im_end|>")["input_ids"]])
    model = Qwen2_5_VLForConditionalGeneration
    monkeypatch.setattr(model, "generate", lambda self, input_ids, **_: torch.cat([input_ids, row], 1))
    pictures = tmp_path / "pictures"
    call_command("answer", str(tmp_path / "tiny.yaml"), "grounding", gold=gold, pictures=pictures, out=out)
    assert json.loads(out.read_text()) == {"id": "1", "response": reply, "box_form": "xyxy", "resized": [308, 140]}
    stream = io.StringIO()
    call_command("score", "cvlue-vg/paper", gold=gold, predictions=[str(out)], stdout=stream)
    report = json.loads(stream.getvalue())
    assert {name: metric["value"] for name, metric in report["metrics"].items()} == {
        "IoU": pytest.approx(1, abs=1e-9),
        "IoU>0.5": 1,
    }


def test_ranked_letters_are_those_of_the_largest_sum(tmp_path, system):
    gold, _ = files("cmmu", tmp_path)
    out = tmp_path / "out.jsonl"
    folder = tmp_path / "pictures"
    call_command("answer", str(system), "cmmu", gold=gold, pictures=folder, out=out, means="likelihood", max_tokens=4)
    _, *chunks = [json.loads(line) for line in (tmp_path / "out.jsonl.journal").read_text().splitlines()]
    records = {record["key"]: record for chunk in chunks for record in chunk["answers"]}
    for row in map(json.loads, out.read_text().splitlines()):
        if sums := records[row["id"]].get("sums"):
            assert len(sums) == 4
            assert row["response"] == "ABCD"[sums.index(max(sums))]
    assert sum("sums" in record for record in records.values()) == 4
