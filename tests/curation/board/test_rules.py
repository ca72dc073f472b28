"""When two names mean the same, and how far proposers agree."""

import pytest

from curation.board.rules import agreement, key_of
from curation.board.states import TABLE, actions_in
from curation.core.transitions import tabulate


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"zh-Hans": "龙舟"}, {"zh-Hans": "龍舟"}),
        ({"zh-Hans": "ＤＪ 台"}, {"zh-Hans": "dj  台"}),
        ({"zh-Hans": "花灯", "en": "lantern"}, {"zh-Hans": "花灯", "en": "lamp"}),
        ({"en": "Erhu"}, {"en": "erhu "}),
    ],
)
def test_spellings_of_one_name_are_one_category(one, other):
    assert key_of(one, "zh-Hans") == key_of(other, "zh-Hans") != ""


def test_the_language_of_content_counts_first():
    name = {"zh-Hans": "花灯", "en": "lantern"}
    assert (key_of(name, "en"), key_of(name, "zh-Hant"), key_of({}, "en")) == ("lantern", "花灯", "")


def test_agreement_is_the_mean_of_all_pairs():
    # |{1,2} ∩ {2,3}| / |∪| = 1/3, {1,2} and {4}: 0, {2,3} and {4}: 0
    assert agreement([{1, 2}, {2, 3}, {4}, set()]) == (3, 4, 1, pytest.approx(1 / 9))
    assert agreement([{1}]) == (1, 1, 0, None)
    assert agreement([{1, 2}, {1, 2}]).jaccard == 1


def test_what_a_curator_can_do_follows_the_table():
    def can(state, *, is_frozen, is_listed=False):
        return actions_in(state, is_frozen=is_frozen, is_listed=is_listed)

    assert can("proposed", is_frozen=False) == ["keep", "remove", "merge", "replace", "rename", "regroup"]
    assert can("removed", is_frozen=False) == can("merged", is_frozen=False) == ["reopen"]
    assert can("kept", is_frozen=True, is_listed=True) == ["regroup"]
    assert can("kept", is_frozen=True) == ["remove", "rename", "regroup"]
    assert [can(state, is_frozen=True) for state in ("proposed", "removed", "merged")] == [[], [], []]
    assert len(tabulate(TABLE)) == 10
