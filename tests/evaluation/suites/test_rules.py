"""What suites ask."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.kinds.texts import text_groups
from evaluation.profiles.gold_files import gold_rows
from evaluation.suites.rules import SUITES, Context, Entry, settings_digest
from tests.evaluation.answering import benchmarks
from tests.kinds import tree_of


def test_the_digest_does_not_depend_on_the_order_of_keys():
    settings = {"suite": "retrieval", "means": "similarity"}
    assert settings_digest(settings) == settings_digest(dict(reversed(settings.items())))
    assert settings_digest(settings) != settings_digest({**settings, "suite": "other"})


def test_the_page_that_starts_runs_knows_the_kind_of_each_suite():
    source = (Path(__file__).parents[3] / "frontend/src/features/runs/suites.ts").read_text("utf-8")
    kinds = dict(re.findall(r'(\w+): "(\w+)"', source.partition("=")[2]))
    assert kinds == {suite.name: suite.kind for suite in SUITES.values() if suite.is_retrieval}


def test_every_suite_uses_texts_of_its_kind():
    for suite in SUITES.values():
        assert not suite.is_retrieval or suite.texts in text_groups(tree_of(suite.kind))


@pytest.mark.parametrize(
    ("name", "withheld"),
    [
        ("vqa", {"answer"}),
        ("grounding", {"bbox"}),
        ("cvqa", {"Label"}),
        ("tcc", {"Answer", "Explanation", "Explanation_en"}),
        ("cmmu", {"answer", "solution_info"}),
        ("vistai", {"answer"}),
        ("vistai-dialogue", {"ground_truth"}),
    ],
)
def test_what_makes_entries_gets_no_right_answer(tmp_path, name, withheld):
    read: list[set[str]] = []

    def entries(row, questions, context):
        read.append(set(row.fields))
        return (Entry(question.id, row.line, "", {}) for question in questions)

    rows = list(gold_rows(benchmarks.of_suite(name, tmp_path)))
    suite = replace(SUITES[name], entries=entries)
    assert all(list(suite.read(row, Context())) for row in rows)
    assert read == [set(row.fields) - withheld for row in rows]
    assert all(withheld & set(row.fields) for row in rows)
