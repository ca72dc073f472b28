"""Names of places and scripts: those of the interface."""

import json

import pytest

from annotation.kinds.scripts import script_of
from config.settings import ROOT
from evaluation.leaderboards.rules.places import NAMES
from evaluation.sets.queries import rows


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_they_are_the_words_of_the_interface(language):
    words = json.loads((ROOT / f"frontend/src/locales/{language}/benchmarks.json").read_text())
    for tag, groups in NAMES.items():
        assert {group: names[language] for group, names in groups.items()} == words[tag]


def test_questions_of_teams_have_the_script_of_their_language():
    record = {
        "language": "ar-EG",
        "language_name": "Arabic",
        "country": "Egypt",
        "continent": "africa",
        "axis_grade": "",
    }
    tags = {"language": "Arabic", "country": "Egypt", "continent": "africa", "script": "arabic"}
    assert rows._dimensions(record) == tags
    assert rows._dimensions(record | {"language": "am-ET"})["script"] == "amharic"
    assert script_of("xx") is None
    assert "script" not in rows._dimensions(record | {"language": "xx"})
    assert rows._dimensions({"language": "zh-Hans", "country": ""}) == {}  # one language for all
