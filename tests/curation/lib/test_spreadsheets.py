"""No cell becomes a formula, and no other cell is touched."""

import pytest

from curation.lib.spreadsheets import as_text


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@x", "\tx", "\r=x", "\n=x", "  =x", " \t=x", "＝x", "＋x", "－x", "＠x", "-", "="]
)
def test_what_begins_like_a_formula_gets_an_apostrophe(cell):
    assert as_text(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["img-0001", "1-1", "a=b", "", " ", "'=1", "花灯", -5, -0.5, 0, None])
def test_other_cells_stay_as_they_are(cell):
    assert as_text(cell) is cell
