"""The papers' smaller measures, by hand-worked cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import correlation
from evaluation.metrics.bias import bias_rate
from evaluation.metrics.boxes import iou, iou_of_pixels
from evaluation.metrics.calibration import fit

DATA = Path(__file__).parents[2] / "data" / "metrics"
boxes = st.lists(st.integers(0, 50), min_size=4, max_size=4)


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text())
    return found


def share(value: Any) -> float:
    return value[0] / value[1] if isinstance(value, list) else value


@pytest.mark.parametrize("case", cases("boxes"), ids=lambda c: c["comment"])
def test_boxes(case: dict[str, Any]) -> None:
    assert iou(case["one"], case["other"]) == pytest.approx(share(case["iou"]))
    assert iou_of_pixels(case["one"], case["other"]) == pytest.approx(share(case["pixels"]))


@given(boxes, boxes)
def test_overlap_is_symmetric_and_a_share(one: list[int], other: list[int]) -> None:
    for overlap in (iou, iou_of_pixels):
        assert overlap(one, other) == overlap(other, one)
        assert 0 <= overlap(one, other) <= 1


@pytest.mark.parametrize("case", cases("bias"), ids=lambda c: c["comment"])
def test_bias_rate(case: dict[str, Any]) -> None:
    assert bias_rate(case["letters"], of=case["of"]) == case["rate"]


@pytest.mark.parametrize("case", cases("correlation"), ids=lambda c: c["comment"])
def test_correlation(case: dict[str, Any]) -> None:
    for name in ("pearson", "spearman", "kendall"):
        found = getattr(correlation, name)(case["one"], case["other"])
        assert found.n == len(case["one"])
        if case[name] is None:
            assert found[:4] == (None, None, None, None)
        else:
            assert found.value == pytest.approx(case[name])
            assert -1 <= found.low <= found.high <= 1


@pytest.mark.parametrize("case", cases("places"), ids=lambda c: c["comment"])
def test_average_places(case: dict[str, Any]) -> None:
    assert correlation.average_places(case["benchmarks"]) == case["average"]


@pytest.mark.parametrize("case", cases("calibration"), ids=lambda c: c["comment"])
def test_calibration(case: dict[str, Any]) -> None:
    found = fit(case["retired"], case["kept"])
    assert (found.intercept, found.slope) == (pytest.approx(case["intercept"], abs=1e-12), pytest.approx(case["slope"]))
    assert found.clipped == case["clipped"]
    assert found.apply([float(s) for s in case["applied"]]) == pytest.approx(list(case["applied"].values()))


def test_a_line_has_intervals_that_its_seed_repeats() -> None:
    exact = fit([1, 2, 3, 4], [2, 4, 6, 8])
    assert exact.intervals is not None
    assert [exact.intervals[name][:2] for name in ("slope", "error")] == [pytest.approx((2, 2)), pytest.approx((0, 0))]
    retired, kept = [1, 2, 4, 5, 7, 8, 9, 3], [2, 2, 5, 7, 6, 9, 9, 4]
    found = fit(retired, kept, seed=7)
    assert found.intervals is not None
    for name, value in (("slope", found.slope), ("intercept", found.intercept)):
        assert found.intervals[name].low < value < found.intervals[name].high
    assert (found, found.seed) == (fit(retired, kept, seed=7), 7)
    assert found.intervals != fit(retired, kept, seed=8).intervals
    assert fit([1, 2], [1, 3]).intervals is None


def test_a_line_needs_two_different_scores() -> None:
    with pytest.raises(ValueError, match="at least two answers"):
        fit([3, 3], [1, 2])
