"""The two subsets of CVLUE, held against what an inspector counted."""

import pytest

from curation.benchmarks import rules as protocol
from curation.benchmarks.queries import preset
from curation.images.rules import Objects, subset_faults

LIMITS = protocol.Images.model_validate(preset("cvlue").content["images"])


@pytest.mark.parametrize(
    ("code", "objects", "category", "faults"),
    [
        ("A", Objects(3, 2, 2), "lantern", []),
        ("A", Objects(3, 2, 1), "lantern", ["main"]),
        ("A", Objects(2, 2, 2), "lantern", ["all"]),
        ("A", Objects(3, 2, None), "lantern", ["main"]),
        ("A", Objects(3, 2, 2), "", ["category"]),
        ("A", None, "lantern", ["all", "main"]),
        ("B", Objects(3, 3, categories=3), "", []),
        ("B", Objects(9, 5, categories=5), "", []),
        ("B", Objects(9, 5, categories=3), "", []),
        ("B", Objects(9, 5, categories=2), "", ["categories"]),
        ("B", Objects(3, 3, categories=1), "", ["categories"]),
        ("B", Objects(3, 3), "", ["categories"]),
        ("B", Objects(9, 2, categories=2), "", ["listed", "categories"]),
        ("B", Objects(9, 6, categories=5), "", ["listed"]),
        ("B", None, "", ["listed", "categories"]),
    ],
)
def test_counts_against_the_rule(code, objects, category, faults):
    assert [f["count"] for f in subset_faults(LIMITS, code, objects, category=category)] == faults
