"""What the machine has: programs, free ports, its group."""

from __future__ import annotations

import grp
import os
import shutil
import socket
from pathlib import Path

from tools.deploy_check.processes import Host

DEBIAN = {
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "rabbitmq-server": "rabbitmq-server",
    "nginx": "nginx",
    "pgbouncer": "pgbouncer",
    "ip": "iproute2",
    "unshare": "util-linux",
    "openssl": "openssl",
    "logrotate": "logrotate",
    "systemd-analyze": "systemd",
}


def program(name: str) -> str | None:
    """Where one of the machine's programs is; the versions that packages put aside count too."""
    places = [*sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)]
    # Debian's own start script of RabbitMQ insists on becoming the user rabbitmq.
    places += [Path("/usr/lib/rabbitmq/bin") / name, Path("/usr/sbin") / name]
    place = next((str(place) for place in places if place.exists()), None)
    return place or shutil.which(name)


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int, host: Host | None = None) -> bool:
    """Whether a server accepts connections on the port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(((host or Host()).address, port)) == 0


def own_group() -> str:
    """The group that the application's files have here; nginx' workers are put into it, as the page says."""
    return grp.getgrgid(os.getegid()).gr_name
