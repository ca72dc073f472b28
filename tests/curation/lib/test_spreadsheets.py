"""No cell becomes a formula, no other cell is touched, and every text comes back."""

import pytest

from curation.lib.spreadsheets import as_text, from_text

FORMULAS = ["=1+1", "+1", "-1", "@x", "\tx", "\r=x", "\n=x", "  =x", " \t=x", "＝x", "＋x", "－x", "＠x", "-", "="]
# With an apostrophe of their own.
QUOTED = ["'=1", "''@", "'-' is minus", "' =x", " '=x", "'''-1", "'="]
OTHERS = ["img-0001", "1-1", "a=b", "", " ", "'", "''", "' '", "'a", "a'=", "don't", "'花灯'", "花灯", "𠮷", "🏮"]


@pytest.mark.parametrize("cell", [*FORMULAS, *QUOTED])
def test_what_begins_like_a_formula_gets_an_apostrophe(cell):
    assert as_text(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", [*OTHERS, -5, -0.5, 0, None])
def test_other_cells_stay_as_they_are(cell):
    assert as_text(cell) is cell


@pytest.mark.parametrize("text", [*FORMULAS, *QUOTED, *OTHERS])
def test_every_text_comes_back_from_its_cell(text):
    assert from_text(as_text(text)) == text
