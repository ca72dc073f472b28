"""Every profile over small files worked by hand; what holds of all of them; what is refused, and how."""

from __future__ import annotations

import csv
import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from evaluation.profiles.forms import FORMS, family
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.profiles.rows import WrongInput, rows

DATA = Path(__file__).parents[2] / "data" / "metrics"
CASES: list[dict[str, Any]] = json.loads((DATA / "profiles.json").read_text())
COUNTS = (
    "n_expected",
    "n_scored",
    "n_missing",
    "n_unparsable",
    "n_refused",
    "n_failed",
    "n_unknown_ids",
    "n_duplicate",
)


def lines(file: Path, given: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in given), encoding="utf-8")
    return file


def report(folder: Path, case: dict[str, Any], **more: Any) -> dict[str, Any]:
    gold, said = lines(folder / "gold.jsonl", case["gold"]), lines(folder / "said.jsonl", case["predictions"])
    return score(PROFILES[case["profile"]], gold, said, **more)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['profile']}: {c['comment'][:40]}")
def test_a_small_file(tmp_path: Path, case: dict[str, Any]) -> None:
    found = report(tmp_path, case)
    assert {name: found[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0) | case["counts"]
    assert {n: m["value"] for n, m in found["metrics"].items() if m["value"] is not None} == pytest.approx(
        {n: v for n, v in case["metrics"].items() if v is not None}
    )
    for tag, members in case.get("breakdowns", {}).items():
        for member, metrics in members.items():
            got = found["breakdowns"][tag][member]["metrics"]
            assert {name: got[name]["value"] for name in metrics} == pytest.approx(metrics)
    assert {need: told["n"] for need, told in found.get("missing_replies", {}).items()} == case.get(
        "missing_replies", {}
    )


def test_files_of_cmmu_name_a_question_with_several_right_options_as_it_is(tmp_path: Path) -> None:
    def question(name: str, kind: str, answer: Any) -> dict[str, Any]:
        return {"id": name, "type": kind, "options": ["1", "2", "3", "4"], "sub_questions": ["?"], "answer": answer}

    gold = [question(f"physics_{n}", "multiple-response", "AC") for n in range(127)]
    gold += [question("history_1", "multiple-choice", "B"), question("biology_1", "fill-in-the-blank", ["叶"])]
    named = [f"physics_{n}" for n in range(127)]
    shifts = [("history_1-0", "B"), ("history_1-1", "C"), ("history_1-2", "D"), ("history_1-3", "A")]
    said = [{"question_id": name, "type": "multiple-response", "prompt": "…", "answer": "AC"} for name in named]
    said += [{"question_id": name, "answer": letter} for name, letter in [*shifts, ("biology_1-0", "叶")]]
    for profile in ("cmmu/official", "cmmu/paper", "cmmu/fbq-rules"):
        found = report(tmp_path, {"profile": profile, "gold": gold, "predictions": said})
        assert (found["n_expected"], found["n_missing"], found["n_unknown_ids"]) == (129, 0, 0)
        assert (found["metrics"]["MRQ"]["value"], found["metrics"]["MRQ"]["n"]) == (1.0, 127)
        assert "few_known_ids" not in found


@pytest.mark.parametrize(
    ("ids", "few"),
    [
        ("abcdef", None),
        ("ab", None),  # for a part of the gold
        ("abcdefuvwxyz", None),  # for more than the gold
        ("abcxyz", None),  # half
        ("abuxyz", {"known": 2, "in_file": 6, "expected": 6, "unknown": list("uxy"), "missing": list("cde")}),
        ("vwxyz", {"known": 0, "in_file": 5, "expected": 6, "unknown": list("vwx"), "missing": list("abc")}),
        ("axy", {"known": 1, "in_file": 3, "expected": 6, "unknown": list("xy"), "missing": list("bcd")}),
        ("", {"known": 0, "in_file": 0, "expected": 6, "unknown": [], "missing": list("abc")}),
    ],
)
def test_a_report_begins_with_how_few_ids_are_known(tmp_path: Path, ids: str, few: dict[str, Any] | None) -> None:
    gold = [{"id": name, "gold": "A", "options": ["1", "2"]} for name in "abcdef"]
    said = [{"id": name, "response": "A"} for name in ids]
    found = report(tmp_path, {"profile": "tcc-mcq/paper", "gold": gold, "predictions": said})
    assert found.get("few_known_ids") == few
    assert next(iter(found)) == ("profile" if few is None else "few_known_ids")


def test_the_command_says_how_few_ids_are_known_before_it_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = lines(tmp_path / "gold.jsonl", [{"id": n, "gold": "A", "options": ["1", "2"]} for n in range(1_000)])
    long = "x" * 100
    said = lines(tmp_path / "said.jsonl", [{"id": name, "response": "A"} for name in ("m", "n", long, "o", 7)])
    none = lines(tmp_path / "none.jsonl", [{"id": "m", "response": "A"}])
    empty = lines(tmp_path / "empty.jsonl", [])
    files = [f"{file.stem}={file}" for file in (said, none, empty)]
    call_command("score", "tcc-mcq/paper", "--gold", gold, "--predictions", *files)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        (
            f"few ids match: {said} has 5, {gold} has 1,000, both have 1; only in {said}: 'm', 'n', '{'x' * 60}'; "
            f"only in {gold}: '0', '1', '2'"
        ),
        (
            f"no id matches: {none} has 1, {gold} has 1,000, both have 0; only in {none}: 'm'; "
            f"only in {gold}: '0', '1', '2'"
        ),
        f"no id matches: {empty} has 0, {gold} has 1,000, both have 0; only in {gold}: '0', '1', '2'",
    ]
    assert [report["few_known_ids"]["known"] for report in json.loads(printed.out).values()] == [1, 0, 0]


def test_gold_of_another_benchmark_is_refused_with_both_forms(tmp_path: Path) -> None:
    assert {family(name) for name in PROFILES} == set(FORMS)
    row = {"id": "1", "type": "multiple-choice", "question_info": "?", "options": ["1", "2"], "answer": "A"}
    gold, said = lines(tmp_path / "gold.jsonl", [row]), lines(tmp_path / "said.jsonl", [])
    with pytest.raises(WrongInput) as wrong:
        score(PROFILES["cvlue-itr/paper"], gold, said)
    assert str(wrong.value) == (
        "gold.jsonl, line 1, field gold: expected a list. "
        "cvlue-itr reads rows {image, caption}; this row is one of cmmu"
    )
    # The letter is in a field that CVQA's files do not have.
    tcc = {"id": "1", "Image": "1.jpg", "Category": "Diet", "Question": "?", "A": "1", "B": "2", "Answer": "A"}
    with pytest.raises(WrongInput, match=r"not scored\. cvqa-mcq reads rows \{.*\}; this row is one of tcc-mcq$"):
        score(PROFILES["cvqa-mcq/paper"], lines(gold, [tcc]), said)
    with pytest.raises(WrongInput, match=r"not scored$"):
        score(PROFILES["tcc-mcq/paper"], lines(gold, [tcc | {"Answer": ""}]), said)
    with pytest.raises(WrongInput, match=r"a letter, letters, or a list of texts$"):
        score(PROFILES["cmmu/paper"], lines(gold, [row | {"answer": 7}]), said)


def test_every_profile_has_a_case() -> None:
    assert {case["profile"] for case in CASES} == set(PROFILES)
    assert len(PROFILES) == 22


# The published code takes the first so many rows of an id, where there are more.
@pytest.mark.parametrize("case", [c for c in CASES if not c["counts"].get("n_duplicate")], ids=lambda c: c["profile"])
def test_the_order_of_rows_does_not_matter(tmp_path: Path, case: dict[str, Any]) -> None:
    before = report(tmp_path, case)["metrics"]
    mixed = case | {name: random.Random(7).sample(case[name], len(case[name])) for name in ("gold", "predictions")}
    after = report(tmp_path, mixed)["metrics"]
    assert {n: m["value"] for n, m in after.items()} == pytest.approx({n: m["value"] for n, m in before.items()})


@pytest.mark.parametrize("case", [c for c in CASES if "/paper" in c["profile"]], ids=lambda c: c["profile"])
def test_a_missing_answer_never_raises_a_score_of_the_paper(tmp_path: Path, case: dict[str, Any]) -> None:
    whole = report(tmp_path, case)["metrics"]
    for left_out in range(len(case["predictions"])):
        fewer = case | {"predictions": [row for i, row in enumerate(case["predictions"]) if i != left_out]}
        found = report(tmp_path, fewer)["metrics"]
        for name in whole.keys() & {"accuracy", "R@1", "R@5", "R@10", "IoU", "IoU>0.5", "MCQ", "MRQ", "FBQ"}:
            assert (found.get(name) or {"value": None})["value"] in (None, 0.0) or (
                found[name]["value"] <= whole[name]["value"]
            ), (name, left_out)


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["profile"].startswith("cmmu/")], ids=lambda c: c["comment"][:30]
)
def test_circular_is_never_above_plain(tmp_path: Path, case: dict[str, Any]) -> None:
    found = report(tmp_path, case)["metrics"]
    if "MCQ" in found:
        assert found["MCQ"]["value"] <= found["MCQ plain"]["value"]


def test_items_say_what_was_read(tmp_path: Path) -> None:
    case = next(c for c in CASES if c["profile"] == "tcc-mcq/robust")
    found = report(tmp_path, case, items=True)["items"]
    assert found == [
        {"id": "1", "status": "scored", "extracted": "B", "rule": "announced", "correct": 1.0},
        {"id": "2", "status": "scored", "extracted": "C", "rule": "announced", "correct": 1.0},
        {"id": "3", "status": "failed", "extracted": None, "rule": "", "correct": 0.0},
        {"id": "4", "status": "missing", "extracted": None, "rule": "", "correct": 0.0},
    ]


def test_the_level_of_guessing_is_beside_each_metric(tmp_path: Path) -> None:
    shifts = 4**-4  # right in all of them
    a_set = 1 / (2**4 - 1)
    paper = next(c for c in CASES if c["profile"] == "cmmu/paper")
    found = report(tmp_path, paper)["metrics"]
    assert {name: metric.get("chance") for name, metric in found.items()} == {
        "accuracy": pytest.approx((2 * shifts + a_set + 2 * 0) / 5),
        "MCQ": pytest.approx(shifts),
        "MCQ plain": 1 / 4,
        "MRQ": pytest.approx(a_set),
        "MRQ de-duplicated": pytest.approx(a_set),
        "FBQ": 0,
        "bias rate": None,
        "bias rate, all answers": None,
    }
    letters = [("music", "AB"), ("music", "AB"), ("physics", "ABCDE")]
    gold = [{"id": n, "subject": s, "gold": "A", "options": list(o)} for n, (s, o) in enumerate(letters)]
    said = [{"id": 0, "response": "A"}]
    for profile, chance in [
        ("tcc-mcq/paper", (1 / 2 + 1 / 2 + 1 / 5) / 3),
        ("tcc-mcq/official", 1 / 2),  # the one that was answered
        ("vistai-mcq/paper", (1 / 2 + 1 / 5) / 2),  # the mean of the subjects
    ]:
        found = report(tmp_path, {"profile": profile, "gold": gold, "predictions": said})
        assert found["metrics"]["accuracy"]["chance"] == pytest.approx(chance)
    assert found["breakdowns"]["subject"]["physics"]["metrics"]["accuracy"]["chance"] == 1 / 5
    some = [{"id": 0, "gold": "A", "options": ["1", "2"]}, {"id": 1, "gold": "A"}]
    found = report(tmp_path, {"profile": "tcc-mcq/paper", "gold": some, "predictions": said})
    assert "chance" not in found["metrics"]["accuracy"]


def test_the_same_pictures_give_the_same_interval_and_questions_of_one_picture_stand_together(tmp_path: Path) -> None:
    gold = [{"id": i, "gold": "A", "image": i // 10} for i in range(100)]
    said = [{"id": i, "response": "A" if i // 10 % 2 else "B"} for i in range(100)]
    case = {"profile": "tcc-mcq/paper", "gold": gold, "predictions": said}
    one, other = report(tmp_path, case), report(tmp_path, case)
    assert one == other
    together = one["metrics"]["accuracy"]
    alone = report(tmp_path, case | {"gold": [{"id": i, "gold": "A"} for i in range(100)]})["metrics"]["accuracy"]
    assert together["value"] == alone["value"] == 0.5
    assert together["high"] - together["low"] > 2 * (alone["high"] - alone["low"])


def test_an_interval_of_what_never_varied_claims_no_certainty(tmp_path: Path) -> None:
    case = {
        "profile": "tcc-mcq/paper",
        "gold": [{"id": i, "gold": "A"} for i in range(10)],
        "predictions": [{"id": i, "response": "A"} for i in range(10)],
    }
    found = report(tmp_path, case)["metrics"]["accuracy"]
    assert (found["value"], found["high"]) == (1.0, 1.0)
    assert found["low"] == pytest.approx(0.7224672, abs=1e-6)  # Wilson, ten of ten


@pytest.mark.parametrize(
    ("name", "text", "line", "field"),
    [
        ("said.jsonl", '{"id": 1, "response": "A"}\n{"id": 2}\n', 2, "response"),
        ("said.jsonl", '{"id": 1, "response": "A"}\nno json\n', 2, ""),
        ("said.jsonl", '{"id": 1, "response": "A"}\n{"id": 1, "response": "B"}\n', 2, "id"),
        ("said.jsonl", '{"response": "A"}\n', 1, "id"),
        ("said.json", '[{"id": 1, "response": "A"}, 5]', 2, ""),
        ("said.json", '[{"id": 1, "response": "A"},\n{"id": 2 "response": "B"}]', 2, ""),
        ("said.json", '[{"id": 1, "response": "A"},\n', 2, ""),
        ("said.json", '{"data": [{"id": 1, "response": "A"},\n{"id": 2]}', 2, ""),
        ("said.csv", "id,response\n1,A\n2\n", 3, ""),
        ("said.txt", "hello", 1, ""),
        ("nowhere.jsonl", None, 0, ""),
    ],
)
def test_wrong_input_is_told_by_file_line_and_field(
    tmp_path: Path, name: str, text: str | None, line: int, field: str
) -> None:
    gold = lines(tmp_path / "gold.jsonl", [{"id": 1, "gold": "A"}, {"id": 2, "gold": "B"}])
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(WrongInput) as wrong:
        score(PROFILES["tcc-mcq/robust"], gold, tmp_path / name)
    # The whole path of a file that is not there.
    file = str(tmp_path / name) if text is None else name
    assert (wrong.value.file, wrong.value.line, wrong.value.field) == (file, line, field)


@pytest.mark.parametrize(
    "text", ['[{"id": "1", "response": "A"},\n{"id": "é"}]', '{"id": "1"}\n{"id": "é"}', "id,a\né,1"]
)
def test_another_encoding_is_told_by_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "said").write_bytes(text.encode("latin-1"))
    with pytest.raises(WrongInput) as wrong:
        list(rows(tmp_path / "said"))
    assert (wrong.value.line, wrong.value.expected) == (2, "UTF-8")


@pytest.mark.parametrize(("begins", "ends"), [("[", "]"), ('{"model": "m", "data": [', "]}")])
def test_arrays_are_read_without_holding_them(tmp_path: Path, begins: str, ends: str) -> None:
    row = json.dumps({"id": "1", "response": "x" * 1_000})
    (tmp_path / "said.json").write_text(begins + ",\n".join([row] * 20_000) + ends)
    tracemalloc.start()
    try:
        assert sum(1 for _ in rows(tmp_path / "said.json")) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000  # of a file of 20 MB
    finally:
        tracemalloc.stop()


def test_files_are_read_by_what_they_hold(tmp_path: Path) -> None:
    given = [{"id": "1", "response": "答案：𠮷"}, {"id": "2", "response": "B"}]
    (tmp_path / "array.json").write_text("\ufeff" + json.dumps(given), encoding="utf-8")
    (tmp_path / "data.json").write_text(json.dumps({"data": given}))
    lines(tmp_path / "lines.jsonl", given)
    with (tmp_path / "table.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["id", "response"])
        table.writeheader()
        table.writerows(given)
    for name in ("array.json", "data.json", "lines.jsonl", "table.csv"):
        assert [row.fields for row in rows(tmp_path / name)] == given
    (tmp_path / "ranked.json").write_text(json.dumps({"a": ["x"], "b": []}))
    assert [row.fields for row in rows(tmp_path / "ranked.json")] == [
        {"id": "a", "response": ["x"]},
        {"id": "b", "response": []},
    ]


def test_the_command_writes_one_report_and_nothing_when_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = lines(tmp_path / "gold.jsonl", [{"id": 1, "gold": "A"}])
    said = lines(tmp_path / "said.jsonl", [{"id": 1, "response": "答案：A"}])
    out = tmp_path / "report.json"
    call_command("score", "tcc-mcq/robust", gold=gold, predictions=[f"mine={said}"], out=out)
    assert json.loads(out.read_text())["mine"]["metrics"]["accuracy"]["value"] == 1.0
    out.unlink()
    said.write_text('{"id": 1}\n')
    with pytest.raises(SystemExit) as stopped:
        call_command("score", "tcc-mcq/robust", gold=gold, predictions=[str(said)], out=out)
    assert stopped.value.code == 2
    assert "said.jsonl, line 1, field response: expected text, or error" in capsys.readouterr().err
    assert not out.exists()
    said.write_text('{"id": 1, "response": "A"}\n')
    nothing = lines(tmp_path / "nothing.jsonl", [])
    refused = {
        "each file of predictions needs a NAME= of its own": {"predictions": [f"a={said}", f"a={gold}"], "out": out},
        "nothing.jsonl: expected at least one right answer": {"gold": nothing, "out": out},
        "cannot be written": {"out": tmp_path / "nowhere" / "report.json"},
    }
    for why, asked in refused.items():
        with pytest.raises(SystemExit) as stopped:
            call_command("score", "tcc-mcq/robust", **({"gold": gold, "predictions": [str(said)]} | asked))
        assert (stopped.value.code, why in capsys.readouterr().err, out.exists()) == (2, True, False)
    with pytest.raises(SystemExit) as stopped:
        call_command("score", "tcc-mcq/rubust", gold=gold, predictions=[str(said)])
    assert stopped.value.code == 2
    assert "tcc-mcq/robust" in capsys.readouterr().err
