"""One PostgreSQL for the tests: embedded under ``var/test`` unless ``DATABASE_URL`` names another.

The addresses are put into the environment before Django reads its settings; the server itself starts when the first
test asks for a database, so that pure tests run without one. Several test runs may share the server at once: each
holds a shared lock while it runs, and the last to leave stops the server. ``TEST_DB_SUFFIX`` keeps their databases
apart; pytest-xdist's workers get a suffix of their own. Each database is a copy of one that is migrated once.

Tests need no broker, because messages only wake workers: they go to memory. A test that watches a real worker asks for
the fixture ``broker``.
"""

import fcntl
import gc
import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

import django
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from config.launch import postgres, valkey
from tests import shared

ROOT = Path(__file__).resolve().parent.parent
SERVER = ROOT / "var" / "test" / "postgres"
# Nothing in the test databases has to survive the machine, and emptying a hundred tables waits for the disk each time.
UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
# Said in the environment, because pytest-xdist's workers inherit the address that their parent has put there.
os.environ.setdefault("LANTERN_TEST_SERVER", "given" if "DATABASE_URL" in os.environ else "embedded")
_embedded = os.environ["LANTERN_TEST_SERVER"] == "embedded"
_scratch = Path(tempfile.mkdtemp(prefix="lantern-tests-"))

if _embedded:
    suffix = os.environ.get("TEST_DB_SUFFIX", "")
    name = f"lantern_{suffix}" if suffix else "lantern"
    os.environ["DATABASE_URL"] = postgres.url(SERVER, name)
os.environ["LANTERN_DATA"] = str(_scratch)
os.environ["MEDIA_ROOT"] = str(_scratch / "media")
os.environ["CELERY_BROKER_URL"] = "memory://"
os.environ["CACHE_URL"] = ""
os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 40
# Scrypt is slow on purpose; tests that look at how passwords are kept name the real hasher.
os.environ["PASSWORD_HASHER"] = "django.contrib.auth.hashers.MD5PasswordHasher"
os.environ["LINK_TRIES_PER_MINUTE"] = "100000"  # a test that looks at the limit sets its own
os.environ["MEDIA_FLOOR_BYTES"] = "0"  # a test that looks at the floor sets its own
os.environ["URL_UPLOAD_CONTACT"] = "tests@example.org"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()


TAKE_LONG = frozenset(
    {"test_launcher.py", "test_walk.py", "test_worker.py", "test_postgres.py", "test_near_duplicates.py"}
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it needs, so that ``make test-pure`` can leave out what needs a server."""
    for item in items:
        folder = Path(str(item.path)).relative_to(ROOT / "tests").parts[0]
        if folder == "e2e":
            item.add_marker(pytest.mark.e2e)
        if folder in ("launch", "rehearsal"):
            item.add_marker(pytest.mark.system)
        wanted = set(getattr(item, "fixturenames", ()))
        if wanted & {"db", "transactional_db", "live_server"} or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)
    # Files that take longest begin first, so that two processes end at about the same time.
    items.sort(key=lambda item: item.path.name not in TAKE_LONG)


def pytest_collection_finish() -> None:
    """Leave out of garbage collections what imports made: walking those objects takes a fifteenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_unconfigure() -> None:
    """Remove the pictures and files that this run wrote."""
    shutil.rmtree(_scratch, ignore_errors=True)


def _shared_lock() -> TextIO:
    """Take the lock that says "somebody tests"; the system frees it even if the run is killed."""
    SERVER.mkdir(parents=True, exist_ok=True)
    handle = (SERVER / "users.lock").open("a")
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[None]:
    """Keep the embedded server up while this run needs it."""
    if not _embedded:
        yield
        return
    handle = _shared_lock()
    postgres.ensure(SERVER, *UNSAFE_BUT_FAST)
    yield
    try:
        # Granted only when nobody else holds the shared lock; those who come meanwhile wait, then start it again.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        postgres.stop(SERVER)
    except BlockingIOError:
        pass  # Others still test; the last of them stops the server.
    finally:
        handle.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    postgres_server: None, django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Start the server and name the template before pytest-django makes the test database."""
    test = connection.settings_dict["TEST"]
    with django_db_blocker.unblock():
        test["TEMPLATE"] = template_database()
    test["MIGRATE"] = False  # Nothing is left to migrate in a copy of the template; to find that out takes seconds.


def migrations_digest() -> str:
    """Return a digest of every migration's text and of the packages that carry them out."""
    digest = hashlib.sha256(f"{django.VERSION} {version('django-pgtrigger')}".encode())
    for config in apps.get_app_configs():
        for file in sorted(Path(config.path, "migrations").glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def template_database() -> str:
    """Return the database that test databases are copied from, with all migrations applied.

    Migrating takes ten seconds and copying less than one. The template stays on the server for later runs until a
    migration changes.
    """
    template = f"lantern_template_{migrations_digest()}"
    building, quoted = f"{template}_building", connection.ops.quote_name
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("select pg_advisory_lock(hashtext('lantern_template'))")
        cursor.execute("select datname from pg_database where datname like 'lantern_template_%'")
        existing = {name for (name,) in cursor.fetchall()}
        if template not in existing:
            for old in existing:
                cursor.execute(f"drop database {quoted(old)} with (force)")
            cursor.execute(f"create database {quoted(building)}")
            _migrate(building)
            cursor.execute(f"alter database {quoted(building)} rename to {quoted(template)}")
    return template


def _migrate(database: str) -> None:
    """Apply every migration to a database, by the connection that the tests use afterwards."""
    usual = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Empty the tables after a test that commits by deleting the few rows there are.

    Django truncates all tables at once, which gives a hundred tables and their indexes new files each time.
    """
    connection.ops.sql_flush = _sql_flush  # type: ignore[method-assign]
    yield
    with django_db_blocker.unblock():
        shared.close_all()


@pytest.fixture
def shared_rows(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Bring the rows of ``tests.shared`` to what the test asks for, before its own transaction begins."""
    marker = request.node.get_closest_marker("django_db")
    commits = marker is not None and marker.kwargs.get("transaction", False)
    with django_db_blocker.unblock():
        shared.prepare(
            request.node, commits=commits or bool({"transactional_db", "live_server"} & set(request.fixturenames))
        )


@pytest.fixture
def _django_db_helper(shared_rows: None, _django_db_helper: None) -> None:
    """Every test with a database comes by this fixture of pytest-django's."""


def _sql_flush(style: object, tables: list[str], **_: object) -> list[str]:
    quoted = [connection.ops.quote_name(table) for table in tables]
    with connection.cursor() as cursor:
        cursor.execute(" union all ".join(f"select '{table}' where exists (select from {table})" for table in quoted))
        filled = [table for (table,) in cursor.fetchall()]
    if not filled:
        return []
    # As a replica: neither foreign keys nor the triggers that keep rows from being deleted apply.
    return [
        "set session_replication_role = replica",
        *(f"delete from {table}" for table in filled),
        "set session_replication_role = default",
    ]


@pytest.fixture(scope="session", autouse=True)
def answers_have_their_declared_shape() -> Iterator[None]:
    """Hold every answer of every test against the type from which the API's description is made.

    mypy cannot see what the database returns in JSON columns or ``values()``; here each key and value is looked at.
    """
    from curation.core.api.views import OperationView  # noqa: PLC0415  (needs the settings above)
    from tests.shapes import adapter  # noqa: PLC0415

    finalize = OperationView.finalize_response

    def check(self, request, response, *args, **kwargs):
        method = getattr(self, (request.method or "").lower(), None)
        shape = getattr(method, "shape", None)
        if shape is not None and 200 <= response.status_code < 300:
            adapter(shape).validate_python(response.data)
        return finalize(self, request, response, *args, **kwargs)

    OperationView.finalize_response = check  # type: ignore[method-assign]
    yield
    OperationView.finalize_response = finalize  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def broker() -> Iterator[str]:
    """Run a Valkey for tests that send real messages; yields its address for Celery."""
    folder = Path(tempfile.mkdtemp(prefix="lantern-broker-"))
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(valkey.foreground_command(folder), stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 20
        while not valkey.is_up(folder):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail("Valkey did not start:\n" + (folder / "log").read_text())
            time.sleep(0.02)
        yield valkey.broker_url(folder)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def bucket(settings, tmp_path: Path) -> dict[str, str]:
    """A fresh bucket as the store of this test, beside a working folder of its own; its settings."""
    from tests import buckets  # noqa: PLC0415  (a second to import, for the few tests that ask)

    settings.MEDIA_ROOT = tmp_path / "working"
    settings.OBJECT_STORE = buckets.fresh()
    return settings.OBJECT_STORE


@pytest.fixture
def stop_storage(settings, monkeypatch: pytest.MonkeyPatch):
    """Calling it points the store at an address where nobody listens; calling the result brings it back."""

    def go():
        place = settings.OBJECT_STORE
        monkeypatch.setattr("curation.core.stores.bucket.TRIES", 1)
        settings.OBJECT_STORE = place | {"endpoint": "http://127.0.0.1:9"}  # the port of "discard"

        def back() -> None:
            settings.OBJECT_STORE = place

        return back

    return go
