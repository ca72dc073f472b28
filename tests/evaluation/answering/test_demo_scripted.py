"""The scripted system that ships answers every suite that asks for texts, and its files are scored to exact figures.

Its replies depend on the prompts and on the bytes of the pictures, so that a changed prompt shows here as well.
"""

import io
import json

import pytest
from django.core.management import call_command
from PIL import Image

from evaluation.suites.rules import SUITES
from tests.evaluation.answering import benchmarks

HALF, MIDDLE = "<box>(0,0),(500,500)</box>", "<box>(200,200),(800,800)</box>"


@pytest.fixture
def files(tmp_path):
    """A suite's gold file and options; the bytes of the pictures are the same with every version of every encoder."""

    def made(suite):
        options = {"pictures": tmp_path / "pictures"}
        if suite == "dialogue":
            benchmarks.cvlue_pictures(tmp_path / "pictures")
            gold, options["dialogues"] = benchmarks.cvlue_dialogue(tmp_path)
        else:
            gold = benchmarks.of_suite(suite, tmp_path)
        for number, path in enumerate(sorted((tmp_path / "pictures").rglob("*.*"))):
            with Image.open(path) as opened:
                size = opened.size
            Image.new("RGB", size, (number, 0, 0)).save(path, "PPM")
        return options | {"gold": gold, "out": tmp_path / "out.jsonl"}

    return made


def scored(profile, options):
    """What ``manage.py score`` prints of a file: its counts other than 0, and its figures."""
    stream = io.StringIO()
    call_command("score", profile, gold=options["gold"], predictions=[str(options["out"])], stdout=stream)
    report = json.loads(stream.getvalue())
    names = ("n_expected", "n_scored", "n_missing", "n_unparsable", "n_failed", "n_unknown_ids")
    counts = {name: report[name] for name in names if report[name]}
    return counts, {name: metric["value"] for name, metric in report["metrics"].items()}


ALL_2, ALL_3, ALL_4 = ({"n_expected": number, "n_scored": number} for number in (2, 3, 4))
BLANKS = ["示例；示例"] * 2
# The right letters of CMMU's four rotations are B, C, D, A. The bias rates are those of letters drawn from four twice,
# once and never.
CMMU = {"accuracy": 0, "MCQ": 0, "MCQ plain": 1 / 4, "MRQ": 0, "MRQ de-duplicated": 0, "FBQ": 0}
BIAS = {"bias rate": 312.5, "bias rate, all answers": 312.5}
CASES = [
    ("vqa", "short", "text", ["两个", "灯笼", "两个"], "cvlue-vqa/official", ALL_3, {"accuracy": 0}),
    # 24 × 12 in the middle of 40 × 20 and 20 × 20 at its left; the middle of 32 × 24 and all; 16 × 12 and 8 × 24.
    (
        "grounding",
        "box",
        "text",
        [MIDDLE, MIDDLE, HALF],
        "cvlue-vg/paper",
        ALL_3,
        {"IoU": (144 / (288 + 400 - 144) + 0.36 + 96 / (192 + 192 - 96)) / 3, "IoU>0.5": 0},
    ),
    # The right ones are 3, 4 and 1.
    (
        "dialogue",
        "candidates",
        "likelihood",
        [["3", "2", "1", "4"], ["1", "5", "4", "2"], ["1", "5", "3", "2"]],
        "cvlue-vd/full",
        ALL_3,
        {"R@1": 2 / 3, "R@5": 1, "R@10": 1, "MRR": (1 + 1 / 3 + 1) / 3, "mean rank": 5 / 3},
    ),
    ("cvqa", "located", "likelihood", ["D", "A"], "cvqa-mcq/paper", ALL_2, {"accuracy": 0}),
    ("cvqa", "located", "text", ["D", "A"], "cvqa-mcq/generated", ALL_2, {"accuracy": 0}),
    ("cvqa", "open", "likelihood", ["D", "A"], "cvqa-mcq/paper", ALL_2, {"accuracy": 0}),
    # The right ones are B, C, A.
    ("tcc", "direct", "text", ["答案：B", "答案：B", "答案：D"], "tcc-mcq/paper", ALL_3, {"accuracy": 1 / 3}),
    ("tcc", "direct", "likelihood", ["B", "B", "D"], "tcc-mcq/paper", ALL_3, {"accuracy": 1 / 3}),
    ("tcc", "cot", "text", ["答案：A", "答案：B", "答案：B"], "tcc-mcq/paper", ALL_3, {"accuracy": 0}),
    (
        "cmmu",
        "circular",
        "text",
        ["答案：B", "答案：A", "答案：C", "答案：C", "答案：B", *BLANKS],
        "cmmu/fbq-rules",
        ALL_4,
        CMMU | BIAS,
    ),
    ("cmmu", "circular", "likelihood", ["B", "A", "C", "C", "答案：B", *BLANKS], "cmmu/fbq-rules", ALL_4, CMMU | BIAS),
    (
        "cmmu",
        "cot",
        "text",
        ["答案：D", "答案：A", "答案：B", "答案：B"],
        "cmmu/fbq-rules",
        {"n_expected": 4, "n_scored": 1, "n_missing": 3},
        {"accuracy": 0, "MCQ": 0, "MCQ plain": 0} | BIAS,
    ),
    # The right ones are A, B, C; the mean of music, the first and the last, and physics.
    (
        "vistai",
        "cot",
        "text",
        ["答案：B", "答案：C", "答案：C"],
        "vistai-mcq/robust",
        ALL_3,
        {"accuracy": (1 / 2 + 0) / 2},
    ),
    ("vistai", "direct", "likelihood", ["D", "B", "D"], "vistai-mcq/robust", ALL_3, {"accuracy": (0 + 1) / 2}),
    # A judge's replies are missing.
    (
        "vistai-dialogue",
        "free",
        "text",
        ["灯笼"],
        "vistai-dialogue/robust",
        {"n_expected": 1, "n_missing": 1},
        {},
    ),
]


@pytest.mark.parametrize(("suite", "setting", "means", "responses", "profile", "counts", "values"), CASES)
def test_a_suite(files, suite, setting, means, responses, profile, counts, values):
    options = files(suite)
    call_command("answer", "demo-scripted", suite, setting=setting, means=means, **options)
    rows = [json.loads(line) for line in options["out"].read_text().splitlines()]
    assert [row.get("response", row.get("answer")) for row in rows] == responses
    assert scored(profile, options) == (counts, pytest.approx(values))


def test_every_suite_is_answered_but_the_one_that_needs_vectors(files, tmp_path, capsys):
    assert {case[0] for case in CASES} == SUITES.keys() - {"retrieval"}
    gold = benchmarks.cvlue_retrieval(tmp_path)
    with pytest.raises(SystemExit):
        call_command("answer", "demo-scripted", "retrieval", gold=gold, pictures=tmp_path, out=tmp_path / "out.jsonl")
    assert "system_not_for_suite: retrieval needs embed" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "prompt"), [("zh-Hans", 1), ("zh-Hant", 2), ("en", 1), ("en", 2)])
def test_every_prompt_for_boxes_gets_one_that_is_read(files, language, prompt):
    options = files("grounding")
    call_command("answer", "demo-scripted", "grounding", language=language, prompt=prompt, **options)
    rows = [json.loads(line) for line in options["out"].read_text().splitlines()]
    assert {row["response"] for row in rows} <= {HALF, MIDDLE}
    assert scored("cvlue-vg/paper", options)[0] == ALL_3
