"""The database's part: PostgreSQL's own programs, and a checksum of every table."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import conninfo, pq, sql

from config.backup.errors import BackupError
from config.launch import postgres
from config.launch.errors import LaunchError

# However a session is set up, equal rows are written as equal text.
PLAIN_TEXT = (
    "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';"
    "set local extra_float_digits = 1; set local bytea_output = 'hex'"
)


def server_major() -> int:
    """The server's version, as a whole number."""
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        [(number,)] = cursor.fetchall()
    return int(number) // 10_000


def program(name: str) -> str:
    """The path of ``pg_dump`` or ``pg_restore`` that fits the server: of its own version, else the next newer one.

    An older one refuses the server, and what a newer one writes an older server may not understand.

    Raises:
        BackupError: There is none.
    """
    major = server_major()
    places = [f"/usr/lib/postgresql/{major}/bin/{name}", shutil.which(name)]
    with contextlib.suppress(LaunchError):  # neither embedded nor on the path
        places.append(postgres.binary(name))
    found: dict[int, str] = {}
    for place in places:
        if place and Path(place).exists():
            said = subprocess.run([place, "--version"], capture_output=True, text=True, check=False).stdout
            if version := re.search(r"(\d+)\.", said):
                found.setdefault(int(version[1]), place)
    fitting = sorted(version for version in found if version >= major)
    if not fitting:
        raise BackupError(f"{name} of PostgreSQL {major} is not here: install the package postgresql-client-{major}.")
    return found[fitting[0]]


def _address() -> tuple[str, dict[str, str]]:
    """How the programs reach the database; the password goes by the environment, which no list of processes shows."""
    given: dict[str, Any] = connection.get_connection_params()
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    words = {name: value for name, value in given.items() if name in known and value not in (None, "")}
    password = words.pop("password", None)
    words.pop("client_encoding", None)
    return conninfo.make_conninfo(**words), os.environ | ({"PGPASSWORD": str(password)} if password else {})


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise BackupError(f"{Path(command[0]).name} failed:\n{done.stderr.strip()[-3000:]}")


def dump(target: Path, snapshot: str) -> None:
    """Write the database as it was at a snapshot that this process holds open."""
    address, environment = _address()
    _run(
        [
            *(program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", "--no-comments"),
            *(f"--snapshot={snapshot}", f"--file={target}", f"--dbname={address}"),
        ],
        environment,
    )


def restore(source: Path) -> None:
    """Fill the empty database: all of it or nothing."""
    address, environment = _address()
    _run(
        [
            *(program("pg_restore"), "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"),
            *(f"--dbname={address}", str(source)),
        ],
        environment,
    )


def is_empty() -> bool:
    """Whether the database holds no table of ours yet."""
    return not connection.introspection.table_names()


def table_sums() -> dict[str, dict[str, str | int]]:
    """Rows and checksum of every table, as the current transaction sees it.

    The checksum adds up a 64-bit hash of each row's text, so the order of rows plays no part and no memory is needed.
    """
    told: dict[str, dict[str, str | int]] = {}
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
            told[name] = {"rows": rows, "checksum": checksum}
    return told


def applied_migrations() -> list[str]:
    """``app.name`` of every migration the database has seen."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def known_migrations() -> set[str]:
    """``app.name`` of every migration that this version has."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).graph.nodes}
