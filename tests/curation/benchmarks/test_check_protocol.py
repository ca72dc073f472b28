"""``manage.py check_protocol``."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

CVLUE = Path(__file__).parents[3] / "fixtures" / "protocols" / "cvlue.yaml"


def test_a_valid_file():
    out = io.StringIO()
    call_command("check_protocol", str(CVLUE), stdout=out)
    kinds = "captions, vqa, boxes, grounding, dialogue"
    assert out.getvalue().startswith(f"cvlue.yaml: cvlue is valid; kinds: {kinds}; not built yet: people")


def test_a_faulty_file_ends_with_one_and_every_fault(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(CVLUE.read_text("utf-8").replace("size: 100", "size: 0").replace("slots: 5", "slots: 50"), "utf-8")
    err = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("check_protocol", str(path), stderr=err)
    assert ended.value.code == 1
    lines = path.read_text("utf-8").splitlines()
    slots, size = (next(i for i, line in enumerate(lines, 1) if key in line) for key in ("slots: 50", "size: 0"))
    assert err.getvalue().splitlines() == [
        f"mine.yaml:{slots}: kinds.captions.slots: expected at most 10, got 50",
        f"mine.yaml:{size}: tracks.package.size: expected at least 1, got 0",
    ]


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(CommandError, match=r"none\.yaml cannot be read \(No such file or directory\)"):
        call_command("check_protocol", str(tmp_path / "none.yaml"))
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match=r"binary\.yaml is not UTF-8"):
        call_command("check_protocol", str(tmp_path / "binary.yaml"))


def test_a_warning_is_printed_and_does_not_fail(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(CVLUE.read_text("utf-8").replace("    size: 100\n", "    size: 20\n"), "utf-8")
    out = io.StringIO()
    call_command("check_protocol", str(path), stdout=out)
    line = path.read_text("utf-8").splitlines().index("    size: 20") + 1
    (printed,) = out.getvalue().splitlines()[1:]
    assert printed.startswith(
        f"mine.yaml: warning: line {line}: tracks.package.size: of 20 items 5 are drawn and 0 may"
    )
    assert printed.endswith("work that is 90% right passes in 55% of cases")
