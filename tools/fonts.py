"""Fonts for the browser tests: every script in which teams write questions; fetch into ``.venv/`` what is missing here.

The application ships no font: a person's system has those of the languages that the person reads.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from tools.packages import npm_pack, one_at_a_time
from tools.setup import VENV, StepError, say, uv_install

FONTS = VENV / "fonts"
# One variable font for Chinese, simplified and traditional, Japanese and Korean; Latin and Cyrillic as well.
CJK_PACKAGE = "manimgx-fonts-cjk==2026.9.26.post1"
CJK_SHA256 = "05d5584c73877f37427cf0ca8067f5bacea2b596c7be79e8aedd634bb9f2b666"
CJK_FOLDER = "manimgx_fonts_cjk"
CJK_LANGUAGES = ("zh-cn", "zh-tw", "ja", "ko")
# Files that have these characters, for machines without the program that lists fonts by language.
CJK_FILES = ("*CJK*", "wqy*", "SourceHan*", "NotoSans[ST]C*", "DroidSansFallback*")


@dataclass(frozen=True, slots=True)
class Face:
    """The regular face of a script, in a package of its own.

    Attributes:
        language: a language whose letters the face has.
        script: the script by its name in Unicode.
        version: the version of the package.
        sha512: the package's checksum, in base64.
    """

    language: str
    script: str
    version: str
    sha512: str

    @property
    def package(self) -> str:
        """Name and version."""
        return f"@expo-google-fonts/noto-sans-{self.script.lower()}@{self.version}"

    @property
    def file(self) -> str:
        """The name of the file in the package and in ``.venv/``."""
        return f"NotoSans{self.script}_400Regular.ttf"


# Urdu needs more letters than Arabic has.
FACES = (
    Face(
        "am",
        "Ethiopic",
        "0.4.2",
        "puS0u1/7b0kZ6fqOYaSlCdai8zHuD9CQY2qlyJEtYzUC5Nd1fH3QENmQc0a1Gcqe0q9s3n7440eNJSLK2mGouw==",
    ),
    Face(
        "ur",
        "Arabic",
        "0.4.3",
        "YvtxyuegxPegu2g5urXJ+gQxRp8i798nQswTmEjwXOWR/fqy0Gvey6h5IoNRBrc43SxRxPezqCiR9ivpfPAXSg==",
    ),
    Face(
        "bn",
        "Bengali",
        "0.4.4",
        "Ya58tLTEdP4P5EF3ZXTM829/g57mbfW8OrD16MMZr2sC3nIKItl/3J9tZlk1nrtqfFGzIgxb+zt/hLjAaTAQgQ==",
    ),
    Face(
        "hi",
        "Devanagari",
        "0.4.1",
        "26boYPNKGP1r4R5MxsMAY/zCQOwiXLOJzX8sh1a2oEWyQurQsyniaCv4992c+9jjwshEEt2NNVv5GcnyzaL7QQ==",
    ),
    Face(
        "si",
        "Sinhala",
        "0.4.2",
        "pczEE8p3aAvnMuVSppyW8d9dqlg9wxr8R3BfEUB9qPQHAWlR9TsSlaGbF/G/j8k4fSU21swf+v5p4BeTuFeMtA==",
    ),
    Face(
        "ta",
        "Tamil",
        "0.4.3",
        "1TBkwJ8gJPnt1UIC+um987hYb/QmRDATGKbtwDW6dajISxr8b7+EVjwMESMJaQxfNS8VWE4IBT2jYmpBGw4D+w==",
    ),
    Face(
        "te",
        "Telugu",
        "0.4.2",
        "t5wZI1/2u69ugVr2v9P4Qqt9BHHwDQ/26+1p9MLrwf1lNSW64Mw16AIRzGWIOcRMd0drYWeZzZO1DqoFts3KiA==",
    ),
)
LANGUAGES = (*CJK_LANGUAGES, *(face.language for face in FACES))
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def missing_languages() -> set[str]:
    """Return the languages that a page here shows as boxes, of those that the tests use."""
    if sys.platform != "linux":
        return set()
    if shutil.which("fc-list"):
        return {language for language in LANGUAGES if not _has_font(language)}
    folders = [path for name in FOLDERS if (path := Path(name).expanduser()).is_dir()]

    def has(*patterns: str) -> bool:
        return any(next(folder.rglob(pattern), None) for folder in folders for pattern in patterns)

    cjk = set() if has(*CJK_FILES) else set(CJK_LANGUAGES)
    return cjk | {face.language for face in FACES if not has(f"NotoSans{face.script}[-_]*")}


def _has_font(language: str) -> bool:
    listed = subprocess.run(["fc-list", f":lang={language}", "file"], capture_output=True, check=False)
    return bool(listed.stdout.strip())


def fetch() -> None:
    """Put fonts into ``.venv/`` for the languages that have none here; where none can be had, say so and go on."""
    missing = missing_languages()
    if not missing:
        return
    with one_at_a_time():
        try:
            if missing & set(CJK_LANGUAGES) and not (FONTS / CJK_FOLDER).exists():
                _fetch_cjk()
            if faces := [one for one in FACES if one.language in missing and not (FONTS / one.file).exists()]:
                _fetch_faces(faces)
        except (StepError, OSError, tarfile.TarError) as failure:
            say(f"pages show boxes for {', '.join(sorted(missing))}, because no fonts could be fetched: {failure}")
        if FONTS.exists():
            _write_configuration()


def _fetch_cjk() -> None:
    say(f"fetching a font for Chinese, Japanese and Korean ({CJK_PACKAGE}, 20 MB), because this machine lacks one")
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text(f"{CJK_PACKAGE} --hash=sha256:{CJK_SHA256}\n")
        uv_install("--target", folder, "--no-deps", "--require-hashes", "-r", str(pins))
        FONTS.mkdir(exist_ok=True)
        (Path(folder) / CJK_FOLDER).rename(FONTS / CJK_FOLDER)


def _fetch_faces(faces: list[Face]) -> None:
    names = ", ".join(face.script for face in faces)
    say(f"fetching a font for each of {names} (2 MB each), because this machine lacks them")
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        work = Path(folder)
        archives = npm_pack(work, {face.package: face.sha512 for face in faces})
        FONTS.mkdir(exist_ok=True)
        for archive, face in zip(archives, faces, strict=True):
            member = f"package/400Regular/{face.file}"
            with tarfile.open(archive) as package:
                package.extract(member, work)
            (work / member).rename(FONTS / face.file)


def _write_configuration() -> None:
    """Let fontconfig find the fetched fonts beside the machine's own."""
    (FONTS / "fonts.conf").write_text(
        '<?xml version="1.0"?>\n<fontconfig>\n'
        '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n'
        f"<dir>{escape(str(FONTS))}</dir>\n<cachedir>{escape(str(FONTS / 'cache'))}</cachedir>\n</fontconfig>\n"
    )


def environment() -> dict[str, str]:
    """Return the variable that names the fetched fonts to a browser; nothing where the machine's own are enough."""
    configuration = FONTS / "fonts.conf"
    return {"FONTCONFIG_FILE": str(configuration)} if configuration.exists() and missing_languages() else {}
