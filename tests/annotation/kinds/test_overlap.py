"""Measures of how alike two texts are, counted by hand."""

import pytest

from annotation.kinds.overlap import MEASURES, Overlap, overlap


@pytest.mark.parametrize(
    ("one", "other", "measure", "expected"),
    [
        # bigrams of one: 红灯 灯笼 笼挂; of the other: 红灯 灯笼 笼亮; 2 of 4
        ("红灯笼挂", "红灯笼亮", "bigram_jaccard", (2, 4)),
        ("红灯笼挂", "红灯笼亮着", "shared_over_shorter", (3, 4)),
        ("红灯笼挂", "红灯笼亮着", "shared_over_longer", (3, 5)),
        ("红，灯 笼", "红灯笼。", "bigram_jaccard", (2, 2)),
        ("ＡＢＣ", "abc", "bigram_jaccard", (2, 2)),
        ("", "红灯笼", "bigram_jaccard", (0, 2)),
    ],
    ids=["bigrams", "shorter", "longer", "punctuation does not count", "width and case are folded", "empty"],
)
def test_overlap_as_counted_by_hand(one, other, measure, expected):
    assert overlap(one, other, measure) == expected


def test_three_of_ten():
    assert overlap("甲乙丙丁一二三四", "甲乙丙丁五六七", "bigram_jaccard") == (3, 10)


def test_every_measure_of_the_settings_exists():
    assert set(Overlap.model_fields["measure"].annotation.__args__) == set(MEASURES)
