"""The browser tests have a font for every script in which teams write: the machine's own, or one that is fetched."""

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from annotation.kinds.scripts import SCRIPTS, script_of
from tools import fonts, packages
from tools.setup import StepError


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout's ``.venv`` on a machine without any font; its path needs escaping in XML."""
    folder = tmp_path / "花灯 & more" / ".venv"
    folder.mkdir(parents=True)
    for module in (fonts, packages):
        monkeypatch.setattr(module, "VENV", folder)
    monkeypatch.setattr(fonts, "FONTS", folder / "fonts")
    monkeypatch.setattr(fonts, "missing_languages", lambda: set(fonts.LANGUAGES))
    return folder


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What was asked of the registries, which have a package for every font."""
    asked: list[tuple[str, ...]] = []

    def install(*words: str) -> None:
        asked.append((words[2], Path(words[-1]).read_text()))
        (Path(words[1]) / fonts.CJK_FOLDER).mkdir()

    def pack(*words: str, cwd: Path, env: dict[str, str]) -> None:
        asked.append(words)
        for face in fonts.FACES:
            name = f"expo-google-fonts-noto-sans-{face.script.lower()}-{face.version}.tgz"
            (cwd / name).write_bytes(archives[face.script])

    archives = {face.script: archive_of(face) for face in fonts.FACES}
    tried = [replace(face, sha512=checksum(archives[face.script])) for face in fonts.FACES]
    monkeypatch.setattr(fonts, "FACES", tuple(tried))
    monkeypatch.setattr(fonts, "uv_install", install)
    monkeypatch.setattr(packages, "run", pack)
    return asked


def archive_of(face: fonts.Face) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        archive.add(__file__, f"package/400Regular/{face.file}")
    return out.getvalue()


def checksum(data: bytes) -> str:
    return base64.b64encode(hashlib.sha512(data).digest()).decode()


def test_every_script_has_a_font() -> None:
    covered = {getattr(script_of(language), "name", None) for language in fonts.LANGUAGES}
    # Urdu's font has Arabic's letters, and the font for Chinese those of Latin and Cyrillic.
    assert covered | {"arabic", "cyrillic", "latin"} == set(SCRIPTS)


def test_fonts_are_fetched_once_and_named_to_the_browser(venv: Path, fetched: list[tuple[str, ...]]) -> None:
    assert fonts.environment() == {}
    fonts.fetch()
    fonts.fetch()
    pin = f"{fonts.CJK_PACKAGE} --hash=sha256:{fonts.CJK_SHA256}\n"
    packs = ("npm", "pack", *(face.package for face in fonts.FACES), "--silent")
    assert fetched == [("--no-deps", pin), packs]
    configuration = venv / "fonts" / "fonts.conf"
    assert fonts.environment() == {"FONTCONFIG_FILE": str(configuration)}
    assert f"<dir>{venv / 'fonts'}</dir>".replace("&", "&amp;") in configuration.read_text()
    files = {path.name for path in (venv / "fonts").iterdir()}
    assert files == {"fonts.conf", fonts.CJK_FOLDER, *(face.file for face in fonts.FACES)}


def test_only_what_is_missing_is_fetched(
    venv: Path, fetched: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "missing_languages", lambda: {"ta"})
    fonts.fetch()
    monkeypatch.setattr(fonts, "missing_languages", lambda: {"ta", "te"})
    fonts.fetch()
    assert [words[2] for words in fetched] == [
        "@expo-google-fonts/noto-sans-tamil@0.4.3",
        "@expo-google-fonts/noto-sans-telugu@0.4.2",
    ]
    monkeypatch.setattr(fonts, "missing_languages", set)
    fonts.fetch()
    assert fonts.environment() == {}
    assert len(fetched) == 2


def test_a_package_with_another_checksum_is_refused(
    venv: Path, fetched: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fonts, "missing_languages", lambda: {"ta"})
    monkeypatch.setattr(fonts, "FACES", tuple(replace(face, sha512="") for face in fonts.FACES))
    fonts.fetch()
    assert capsys.readouterr().out.endswith("noto-sans-tamil@0.4.3 is not the package that was tried.\n")
    assert not (venv / "fonts").exists()


def test_without_fonts_the_tests_go_on_and_say_so(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closed(*words: str) -> None:
        raise StepError("the index cannot be reached")

    monkeypatch.setattr(fonts, "uv_install", closed)
    fonts.fetch()
    assert capsys.readouterr().out.endswith(
        "pages show boxes for am, bn, hi, ja, ko, si, ta, te, ur, zh-cn, zh-tw, because no fonts could be fetched: the "
        "index cannot be reached\n"
    )
    assert fonts.environment() == {}


def test_the_machines_fonts_are_listed_by_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(words: list[str], **_: object) -> SimpleNamespace:
        return SimpleNamespace(stdout=b"" if words[1] in {":lang=am", ":lang=ur"} else b"font.ttf\n")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", listed)
    assert fonts.missing_languages() == {"am", "ur"}


def test_fonts_are_looked_for_where_no_program_lists_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    monkeypatch.setattr(fonts, "FOLDERS", (str(tmp_path / "none"), str(tmp_path)))
    assert fonts.missing_languages() == set(fonts.LANGUAGES)
    (tmp_path / "opentype").mkdir()
    for name in ("NotoSansCJK-Regular.ttc", "NotoSansTamil-Regular.ttf"):
        (tmp_path / "opentype" / name).touch()
    assert fonts.missing_languages() == {face.language for face in fonts.FACES} - {"ta"}
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("macOS comes with fonts"))
    assert fonts.missing_languages() == set()
