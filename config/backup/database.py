"""The database of a backup: PostgreSQL's own programs, and a checksum of every table."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import conninfo, pq, sql

from config.backup.errors import BackupError
from config.launch import postgres
from config.launch.errors import LaunchError

# With these settings equal rows have equal text in every session.
PLAIN_TEXT = (
    "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';"
    "set local extra_float_digits = 1; set local bytea_output = 'hex'"
)


def server_major() -> int:
    """Return the server's major version."""
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        [(number,)] = cursor.fetchall()
    return int(number) // 10_000


def program(name: str) -> str:
    """Return the path of a ``pg_dump`` or ``pg_restore`` of the server's version, else of the next newer one.

    Older programs refuse the server, and older servers may not understand what newer programs write.

    Raises:
        BackupError: There is no such program.
    """
    major = server_major()
    places = [f"/usr/lib/postgresql/{major}/bin/{name}", shutil.which(name)]
    with contextlib.suppress(LaunchError):  # neither embedded nor on the path
        places.append(postgres.binary(name))
    by_version: dict[int, str] = {}
    for place in places:
        if place and Path(place).exists():
            output = subprocess.run([place, "--version"], capture_output=True, text=True, check=False).stdout
            if version := re.search(r"(\d+)\.", output):
                by_version.setdefault(int(version[1]), place)
    fitting = sorted(version for version in by_version if version >= major)
    if not fitting:
        raise BackupError(f"{name} of PostgreSQL {major} is not here: install the package postgresql-client-{major}.")
    return by_version[fitting[0]]


def _address() -> tuple[str, dict[str, str]]:
    """Return the connection string and environment for the programs; the password is only in the environment."""
    params: dict[str, Any] = connection.get_connection_params()
    keywords = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    words = {name: value for name, value in params.items() if name in keywords and value not in (None, "")}
    password = words.pop("password", None)
    words.pop("client_encoding", None)
    return conninfo.make_conninfo(**words), os.environ | ({"PGPASSWORD": str(password)} if password else {})


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise BackupError(f"{Path(command[0]).name} failed:\n{done.stderr.strip()[-3000:]}")


def dump(target: Path, snapshot: str) -> None:
    """Dump the database at a snapshot that this process holds open."""
    address, environment = _address()
    _run(
        [
            *(program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", "--no-comments"),
            *(f"--snapshot={snapshot}", f"--file={target}", f"--dbname={address}"),
        ],
        environment,
    )


def restore(source: Path) -> None:
    """Restore into the empty database in one transaction."""
    address, environment = _address()
    _run(
        [
            *(program("pg_restore"), "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"),
            *(f"--dbname={address}", str(source)),
        ],
        environment,
    )


# A backup of an early version may lack a table.
_ENDS_ACCESS = {
    "curation_personsession": "delete from curation_personsession",
    "curation_apitoken": "update curation_apitoken set revoked_at = now() where revoked_at is null",
    "curation_invitation": (
        "update curation_invitation set revoked_at = now() where used_at is null and revoked_at is null"
    ),
}


def end_access() -> None:
    """End all sessions, revoke all API tokens and open links, in one transaction."""
    tables = connection.introspection.table_names()
    with transaction.atomic(), connection.cursor() as cursor:
        for table, statement in _ENDS_ACCESS.items():
            if table in tables:
                cursor.execute(statement)


def is_empty() -> bool:
    """Return whether the database has no tables yet."""
    return not connection.introspection.table_names()


def table_sums() -> dict[str, dict[str, str | int]]:
    """Return rows and checksum of every table in the current transaction.

    The checksum is the sum of a 64-bit hash of each row's text, so row order does not matter and memory stays small.
    """
    sums: dict[str, dict[str, str | int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(PLAIN_TEXT)
        cursor.execute("select tablename from pg_tables where schemaname = 'public' order by tablename")
        for (name,) in cursor.fetchall():
            cursor.execute(
                sql.SQL(
                    "select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text from {} t"
                ).format(sql.Identifier("public", name))
            )
            [(rows, checksum)] = cursor.fetchall()
            sums[name] = {"rows": rows, "checksum": checksum}
    return sums


def applied_migrations() -> list[str]:
    """Return ``app.name`` of every applied migration."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def known_migrations() -> set[str]:
    """Return ``app.name`` of every migration of this version."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).graph.nodes}
