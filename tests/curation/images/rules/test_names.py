"""Names of files that somebody sends."""

import pytest

from curation.images.rules import InvalidFile, check_name
from curation.images.rules.names import has_archive_extension, has_picture_extension


@pytest.mark.parametrize("name", ["花灯 1.jpg", "IMG_2024.10.01.JPG", "no ending", "a.b.c.png", "photo.heic"])
def test_ordinary_names_stay(name):
    assert check_name(f" {name} ") == name


def test_names_are_kept_composed():
    assert check_name("Cafe\u0301.jpg") == "Café.jpg"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a\0.jpg", "filename_control_character"),
        ("a\n.jpg", "filename_control_character"),
        ("photo\u202egpj.exe", "filename_direction_control"),
        ("photo\u2067.jpg", "filename_direction_control"),
        ("photo\u200f.jpg", "filename_direction_control"),
        ("a\ud800.jpg", "filename_unreadable"),
        ("../a.jpg", "filename_path"),
        ("/etc/a.jpg", "filename_path"),
        ("..\\a.jpg", "filename_path"),
        ("..", "filename_path"),
        ("  ", "filename_path"),
        ("x" * 201, "filename_too_long"),
        ("photo.php.jpg", "filename_double_extension"),
        ("photo.jpg.exe", "filename_double_extension"),
        ("photo.SVG .jpg", "filename_double_extension"),
    ],
)
def test_names_that_deceive_are_refused(name, code):
    with pytest.raises(InvalidFile) as refused:
        check_name(name)
    assert refused.value.code == code


def test_endings():
    assert has_archive_extension("A.ZIP")
    assert not has_archive_extension("zip")
    assert has_picture_extension("a.HEIC")
    assert has_picture_extension("pasted")
    assert not has_picture_extension("a.txt")
