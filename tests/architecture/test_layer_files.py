"""A room holds only the layer files; anything else has to be argued for here."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("curation", "annotation", "evaluation")
TOP = {"__init__.py", "apps.py", "urls.py", "models.py", "tasks.py", "admin.py", "migrations", "management"}
LAYERS = {"tasks", "admin", "services", "queries", "access", "states", "shapes", "models", "rules", "errors"}
# Rooms without layers: pure Python that others call, or what every room stands on.
FREE_ROOMS = {
    "curation.lib",
    "curation.wire",
    "curation.detectors",
    "curation.charts",
    "curation.core",
    "annotation.kinds",
    "evaluation.metrics",
    "evaluation.profiles",
    "evaluation.backends",
}
# Beside the layer files: a folder for a family of like things, one module each; the interface and the list of tracks.
FAMILIES = {
    "annotation.releases": {"exporters"},
    "annotation.items": {"tracks"},
    "annotation.tracks": {"registry"},
    "evaluation.publication": {"templates"},
}
# Names that say nothing about what is inside, so that everything ends up there.
SAY_NOTHING = {
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "misc",
    "manager",
    "managers",
    "engine",
    "stuff",
    "base_utils",
}
LONGEST_FILE = 400
GENERATED = {Path("frontend/src/api/schema.d.ts"), Path("frontend/src/api/operations.ts")}
# Longer files, each with its reason.
LONG_FILES = {
    "fixtures/taxonomies/cvlue.yaml": "a list of data: one category after another",
}


def entries(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name != "__pycache__":
            yield path


def rooms() -> Iterator[tuple[str, Path]]:
    for app in APPS:
        for path in entries(ROOT / app):
            if path.is_dir() and path.name not in TOP:
                yield f"{app}.{path.name}", path


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT)


def sources() -> Iterator[Path]:
    """Every file that somebody writes and reads and that is no test: Python, TypeScript, styles and fixtures."""
    for path in modules(*APPS, "config", "fixtures", "tools"):
        if "migrations" not in path.parts:
            yield path
    written = [ROOT / "frontend" / name for name in ("vite.config.ts", "eslint.config.js")]
    for folder in ("src", "build", "eslint"):
        for suffix in ("*.ts*", "*.js", "*.css"):
            written += sorted((ROOT / "frontend" / folder).rglob(suffix))
    written += sorted((ROOT / "fixtures").rglob("*.yaml"))
    for path in written:
        name = path.relative_to(ROOT)
        if name not in GENERATED and ".test." not in path.name and "testing" not in name.parts:
            yield name


@pytest.mark.parametrize("app", APPS)
def test_beside_its_rooms_an_app_holds_only_index_files(app: str) -> None:
    unknown = [path.name for path in entries(ROOT / app) if path.is_file() and path.name not in TOP]
    assert unknown == []


@pytest.mark.parametrize(("room", "folder"), [pytest.param(room, folder, id=room) for room, folder in rooms()])
def test_a_room_holds_only_layer_files(room: str, folder: Path) -> None:
    if room in FREE_ROOMS:
        return
    unknown = []
    for path in entries(folder):
        name = path.stem if path.is_file() else path.name
        known = name in LAYERS | {"__init__", "api"} | FAMILIES.get(room, set())
        if not known or (path.is_file() and path.suffix != ".py"):
            unknown.append(path.name)
    assert unknown == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    found = [
        str(path)
        for path in modules(*APPS, "config", "tools", "fixtures", "tests")
        if {path.stem.removeprefix("test_"), *path.parts[:-1]} & SAY_NOTHING
    ]
    assert found == []


def test_views_never_touch_the_tables_themselves() -> None:
    found = []
    for path in modules(*APPS):
        if "api" not in path.parts or path.parts[1] == "core":
            continue
        found += [
            f"{path}:{node.lineno}"
            for node in ast.walk(ast.parse((ROOT / path).read_text()))
            if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager", "raw"}
        ]
    assert found == []


def test_migrations_import_nothing_of_the_apps() -> None:
    """What a migration does must not change when the code does."""
    found = []
    for path in modules(*APPS):
        if "migrations" not in path.parts:
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found += [f"{path}:{node.lineno} {name}" for name in names if name.split(".")[0] in APPS]
    assert found == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {str(path): len((ROOT / path).read_text().splitlines()) for path in sources()}
    assert len(lengths) > 700
    found = {name: length for name, length in lengths.items() if length > LONGEST_FILE and name not in LONG_FILES}
    assert found == {}
    assert {name for name in LONG_FILES if lengths[name] <= LONGEST_FILE} == set()


def test_models_do_not_hide_work_in_save_or_in_signals() -> None:
    found = []
    for path in modules(*APPS):
        if path.name != "models.py":
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "save":
                found.append(f"{path}:{node.lineno} save")
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("django.db.models.signals"):
                found.append(f"{path}:{node.lineno} signals")
    assert found == []
