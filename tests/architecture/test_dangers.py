"""What the code never does, looked for in the code itself, so that a new file cannot begin to."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNS = ("config", "curation", "annotation", "evaluation")
NETWORK = {
    "urllib.request",
    "http.client",
    "requests",
    "httpx",
    "httpx2",
    "httpcore2",
    "aiohttp",
    "socket",
    "urllib3",
    "ftplib",
    "openai",
    "boto3",
    "botocore",
}
# The model hub when an owner asks for a system; model servers and the bucket that the operator set up; pictures at
# public addresses where an administrator switched that on; the launcher's look at its own servers; a machine's own
# name.
MAY_CONNECT = {
    "evaluation/backends/hub.py",
    "curation/wire/bounds.py",
    "curation/wire/public_web.py",
    "curation/wire/transport.py",
    "curation/core/stores/bucket.py",
    "config/launch/launcher.py",
    "config/launch/valkey.py",
    "curation/core/jobs.py",
}
NEVER_IMPORTED = {"pickle", "cPickle", "dill", "marshal", "shelve", "joblib", "cloudpickle", "jinja2"}
MAIL = {"smtplib", "django.core.mail", "email.mime"}
NEVER_CALLED = {"eval", "exec", "__import__"}
# On a module: full loaders of YAML, pickled weights, templates made of text.
NEVER_CALLED_ON = {"yaml.load", "yaml.unsafe_load", "yaml.full_load", "torch.load", "numpy.load", "os.system"}
SINKS = re.compile(
    r"dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|"
    r"\beval\(|new Function\(|srcdoc",
    re.IGNORECASE,
)


def sources() -> Iterator[tuple[str, ast.Module]]:
    for app in RUNS:
        for path in sorted((ROOT / app).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def called(tree: ast.Module) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def among(names: set[str], wanted: set[str]) -> set[str]:
    return {n for n in names if any(n == w or n.startswith(f"{w}.") for w in wanted)}


def test_the_server_connects_in_few_places() -> None:
    """Model servers are in the environment alone: requests and rows name them, and only settings know addresses."""
    trees = list(sources())
    assert [path for path, tree in trees if "ModelServer" in called(tree)] == ["curation/wire/servers.py"]
    assert {path for path, tree in trees if among(imported(tree), NETWORK)} == MAY_CONNECT


def test_addresses_that_people_type_are_fetched_in_one_place() -> None:
    """That place checks every IP address that it connects to, and web processes never call it."""
    users = [path for path, tree in sources() if "curation.wire.public_web.fetch" in imported(tree)]
    assert users == ["curation/url_lists/services.py"]
    callers = [path for path, tree in sources() if called(tree) & {"services.fetch_list", "fetch_list"}]
    assert callers == []
    assert "jobs.run_claimed(job, services.fetch_list)" in (ROOT / "curation/url_lists/tasks.py").read_text()


def test_the_buckets_address_comes_from_the_settings_alone() -> None:
    """The class that connects is made in one place, of a setting that comes from the environment."""
    makers = [path for path, tree in sources() if called(tree) & {"Bucket", "bucket.Bucket"}]
    assert makers == ["curation/core/stores/__init__.py"]
    naming = {path for path, tree in sources() if "OBJECT_STORE" in ast.unparse(tree)}
    assert naming == {
        "config/checks.py",
        "config/management/commands/move_to_bucket.py",  # in a sentence
        "config/settings.py",
        "curation/core/stores/__init__.py",
    }


def test_nothing_is_unpickled_evaluated_or_made_a_template() -> None:
    found = [
        (path, name)
        for path, tree in sources()
        for name in among(imported(tree), NEVER_IMPORTED) | (called(tree) & (NEVER_CALLED | NEVER_CALLED_ON))
    ]
    assert found == []


def test_mail_is_sent_in_one_place() -> None:
    assert [path for path, tree in sources() if among(imported(tree), MAIL)] == ["curation/mail/services/sending.py"]


def front_end() -> list[Path]:
    found = [p for p in (ROOT / "frontend" / "src").rglob("*.ts*") if ".test." not in p.name]
    assert len(found) > 200
    return found


def test_the_front_end_makes_no_markup_of_texts() -> None:
    """React escapes whatever it shows; this is how one would get around it."""
    assert [str(p.relative_to(ROOT)) for p in front_end() if SINKS.search(p.read_text())] == []


@pytest.mark.parametrize("name", ["index.html", "desk.html"])
def test_the_pages_hold_no_script_of_their_own(name: str) -> None:
    """What ``script-src 'self'`` would refuse to run, in the source and, where there is one, in the build."""
    for folder in ("frontend", "frontend/dist"):
        path = ROOT / folder / name
        if not path.exists():
            assert folder.endswith("dist")
            continue
        page = path.read_text()
        assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page) == []
        assert re.findall(r"\son\w+\s*=", page) == []
        assert "javascript:" not in page


def test_nothing_but_ones_own_unfinished_upload_or_draft_can_be_deleted() -> None:
    """Work is withdrawn, closed or taken back, each with its way back or its line in the log; rows stay."""
    document = json.loads((ROOT / "frontend" / "src" / "api" / "openapi.json").read_text())
    deleting = {m["delete"]["operationId"] for m in document["paths"].values() if "delete" in m}
    assert deleting == {"upload_drop", "draft_delete"}
