"""``manage.py check_protocol``."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

CVLUE = Path(__file__).parents[3] / "fixtures" / "protocols" / "cvlue.yaml"


def test_a_valid_file():
    out = io.StringIO()
    call_command("check_protocol", str(CVLUE), stdout=out)
    assert out.getvalue().startswith("cvlue.yaml: cvlue is valid; kinds: captions; not built yet: boxes, dialogue")


def test_a_faulty_file_ends_with_one_and_every_fault(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(CVLUE.read_text("utf-8").replace("size: 100", "size: 0").replace("slots: 5", "slots: 50"), "utf-8")
    with pytest.raises(CommandError) as refused:
        call_command("check_protocol", str(path))
    assert refused.value.returncode == 1
    assert [line.split(": ", 1)[1] for line in str(refused.value).splitlines()] == [
        "kinds.captions.slots: expected at most 10, got 50",
        "tracks.package.size: expected at least 1, got 0",
    ]


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("check_protocol", str(tmp_path / "none.yaml"))
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="decode"):
        call_command("check_protocol", str(tmp_path / "binary.yaml"))
