"""What a person read in a response counts instead of what a profile's rules read, in every profile of such answers."""

import pytest

from evaluation.profiles.base import OVERRIDE
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import read_answers, report_on_answers
from evaluation.profiles.rows import Row
from evaluation.suites.rules import SUITES

CHOICE = {"question": "?", "answer": "B", "Answer": "B", "Label": "B", "A": "茶", "B": "酒", "C": "水", "D": "油"}
FBQ = {"id": "f", "type": "FBQ", "question": "?", "answer": ["酒"]}
GOLD = {
    "cvqa": [{"ID": "1", **CHOICE}],
    "tcc": [{"id": "1", **CHOICE}],
    "vistai": [{"qid": "1", "subject": "s", **CHOICE}],
    "cmmu": [{"id": "1", "type": "MCQ", "options": ["茶", "酒"], "answer": "B"}, FBQ],
    "vqa": [{"question_id": "1", "answer": "是", "question": "?", "image": "x"}],
}
KEYS = {"vistai": ["s/1"], "cmmu": ["1-0", "1-1", "f-0"]}
# Read by person: right, then wrong, then nothing.
ANSWERS = {"vqa": ("是", "否", None)}
LETTERS = {"cmmu": {"1-0": "B", "1-1": "A"}}
PROFILES_OF = [
    (suite, name)
    for suite in GOLD
    for name in SUITES[suite].profiles
    if name != "cvqa-mcq/paper"  # reads numbers, which nobody reads for it
]


def scored(suite, name, overrides):
    """The report, and the units with their members."""
    profile = PROFILES[name]
    keys = KEYS.get(suite, ["1"])
    text = {"response": "我看不出来", "judge_reply": "{'correct': 1}"}
    answers = read_answers(profile, [Row("p", n, {"id": key, **text}) for n, key in enumerate(keys, 1)])
    gold, units = [Row("g", n, fields) for n, fields in enumerate(GOLD[suite], 1)], []
    as_read = report_on_answers(profile, gold, answers)
    if overrides:
        answers = answers.with_overrides(overrides)
        report = report_on_answers(profile, gold, answers, each=units.extend)
        assert report["n_unknown_ids"] == as_read["n_unknown_ids"]
        return report, units
    return as_read, units


@pytest.mark.parametrize(("suite", "name"), PROFILES_OF)
def test_an_override_counts_instead_of_what_rules_read(suite, name):
    key = KEYS.get(suite, ["1"])[0]
    right, wrong, nothing = ANSWERS.get(suite, ("B", "C", None))
    first = LETTERS.get(suite, {key: right})
    as_read, _ = scored(suite, name, {})
    accuracy = "MCQ" if suite == "cmmu" else "accuracy"
    assert (as_read["metrics"][accuracy]["value"], "n_overrides" in as_read) == (0, False)
    report, units = scored(suite, name, first)
    assert (report["metrics"][accuracy]["value"], report["n_overrides"]) == (1, len(first))
    each = units[0].members or units[:1]
    assert {(one.id, one.extracted, one.rule, one.status) for one in each} == {
        (of, answer, OVERRIDE, "scored") for of, answer in first.items()
    }
    report, _ = scored(suite, name, {**first, key: wrong})
    assert (report["metrics"][accuracy]["value"], report["n_unparsable"]) == (0, 0)
    report, units = scored(suite, name, dict.fromkeys(first, nothing))
    assert (report["metrics"][accuracy]["value"], report["n_unparsable"]) == (0, 1)
    assert (units[0].members or units)[0].rule == OVERRIDE


def test_a_file_of_predictions_cannot_override():
    for suite, name in PROFILES_OF:
        row = Row("p", 1, {"id": KEYS.get(suite, ["1"])[0], "response": "x", OVERRIDE: "B"})
        assert OVERRIDE not in PROFILES[name].keep(row)


def test_each_shift_has_a_result_of_its_own():
    profile = PROFILES["cmmu/paper"]
    rows = [Row("p", 1, {"id": "1-0", "response": "B"}), Row("p", 2, {"id": "1-1", "error": "x", "response": None})]
    three = [{"id": "1", "type": "MCQ", "options": ["茶", "酒", "水"], "answer": "B"}]
    units = []
    report_on_answers(profile, [Row("g", 1, three[0])], read_answers(profile, rows), each=units.extend)
    assert [(one.id, one.status, one.values["accuracy"], one.extracted) for one in units[0].members] == [
        ("1-0", "scored", 1, "B"),
        ("1-1", "failed", 0, None),
        ("1-2", "missing", 0, None),
    ]
