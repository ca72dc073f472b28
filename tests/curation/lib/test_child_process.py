"""A function in a child process ends at its limits, and its parent goes on."""

import math
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from curation.lib.child_process import ChildFailed, Limits, run_in_child

LIMITS = Limits(processor_seconds=1, seconds=10, memory=1_000_000_000)


def test_results_and_errors_come_back():
    assert run_in_child(math.gcd, LIMITS, 12, 18) == 6
    assert run_in_child(int, LIMITS, "11", base=2) == 3
    with pytest.raises(ValueError, match="math domain error"):
        run_in_child(math.sqrt, LIMITS, -1.0)


@pytest.mark.parametrize(
    ("function", "argument", "limits", "why"),
    [
        (sum, range(10**12), LIMITS, "exit code -9"),
        (time.sleep, 60, Limits(processor_seconds=1, seconds=0.2, memory=1_000_000_000), "not done after 0.2 seconds"),
        (bytearray, 2_000_000_000, LIMITS, "more than 1000000000 bytes of memory"),
        (os._exit, 3, LIMITS, "exit code 3"),
    ],
)
def test_a_limit_or_a_crash_ends_the_child_alone(function, argument, limits, why):
    began = time.monotonic()
    with pytest.raises(ChildFailed, match=why):
        run_in_child(function, limits, argument)
    assert time.monotonic() - began < 8
    assert multiprocessing.active_children() == []
    assert run_in_child(math.gcd, LIMITS, 12, 18) == 6


def test_others_go_before_a_child_that_nobody_waits_for():
    nicer = Limits(processor_seconds=1, seconds=10, memory=1_000_000_000, niceness=7)
    own = os.nice(0)
    assert run_in_child(os.nice, nicer, 0) == min(own + 7, 19)
    assert (run_in_child(os.nice, LIMITS, 0), os.nice(0)) == (own, own)


def test_a_child_writes_no_file(tmp_path):
    with pytest.raises(OSError, match="File too large"):
        run_in_child(Path.write_bytes, LIMITS, tmp_path / "a", b"text")
    assert (tmp_path / "a").read_bytes() == b""
