"""Where Unix sockets are put: beside the data if their path is short enough, else in a private temporary folder."""

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from config.launch.errors import LaunchError

# A socket's address holds 108 bytes on Linux and 104 on macOS, closing zero included; PostgreSQL adds ".s.PGSQL.5432".
LONGEST_FOLDER = 80


def socket_folder(near: Path) -> Path:
    """Return the folder for the sockets that belong to ``near``; it is made by ``make_socket_folder``.

    The answer depends only on the path and the user, so that every process finds the same socket without asking.
    """
    if len(os.fsencode(str(near))) <= LONGEST_FOLDER:
        return near
    digest = hashlib.sha256(os.fsencode(str(near))).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"lantern-{os.getuid()}-{digest}"


def make_socket_folder(near: Path) -> Path:
    """Make the folder of ``socket_folder`` readable by this user alone.

    A folder in a shared temporary directory may belong to another user. This refuses such a folder, because its
    owner could answer in the server's place.
    """
    folder = socket_folder(near)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or (facts.st_uid != os.getuid() and os.geteuid() != 0):
        raise LaunchError(f"{folder} belongs to another user: set LANTERN_DATA to a folder with a shorter path.")
    folder.chmod(0o700)
    return folder
