"""Machines within this machine: hosts by network namespaces, all inside one enclosure that goes with its process.

The enclosure has a network, a process table and a /run of its own: nothing in it can reach out or be reached, and when
its first process ends, for whatever reason, the kernel ends every other and takes the networks down.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tools.deploy_check.processes import Host

# setpriv ends the enclosure when the process that started it ends, also by a kill.
ENCLOSED = (
    *("setpriv", "--pdeathsig", "KILL", "--"),
    *("unshare", "--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "--"),
)
INSIDE = "LANTERN_DEPLOY_CHECK_INSIDE"
PREPARE = "mount -t tmpfs none /run && ip link set lo up && "
PROBE = (
    "ip link add lan type bridge && ip netns add probe && ip link add probe type veth peer name eth0 netns probe && "
    "ip netns exec probe unshare --uts true"
)
NETWORK = "10.77.0"
PATIENCE = 30


def refused() -> str:
    """Why this machine lets us make no hosts; empty where it does."""
    try:
        tried = subprocess.run(
            [*ENCLOSED, "sh", "-c", PREPARE + PROBE], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except FileNotFoundError as error:
        return f"{error.filename} is not here"
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE} s"
    errors = tried.stderr.strip().splitlines()
    return "" if tried.returncode == 0 else errors[-1] if errors else f"ended with {tried.returncode}"


def enclosed(words: list[str]) -> int:
    """Run a command in an enclosure; its exit code, or 130 after Ctrl-C or a request to end."""
    signal.signal(signal.SIGTERM, _raise_terminated)
    process = subprocess.Popen(
        [*ENCLOSED, "sh", "-c", PREPARE + 'exec "$0" "$@"', *words], env=os.environ | {INSIDE: "1"}
    )
    try:
        return process.wait()
    except KeyboardInterrupt as interrupt:
        # On Ctrl-C the terminal has sent the signal to the command too. The command ends its own processes; if it does
        # not, the kernel will.
        if isinstance(interrupt, _Terminated):
            for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                os.kill(int(pid), signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            process.kill()
            process.wait()
        return 130


class _Terminated(KeyboardInterrupt):
    pass


def _raise_terminated(*_: object) -> None:
    raise _Terminated


def is_enclosed() -> bool:
    """Whether this process runs in an enclosure."""
    return os.environ.get(INSIDE) == "1" and os.getpid() == 1


class Network:
    """One switch and the hosts on it, inside the enclosure; ``client`` is the enclosure itself."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self.client = Host("client", f"{NETWORK}.1")
        self._ip("link", "add", "lan", "type", "bridge")
        self._ip("addr", "add", f"{self.client.address}/24", "dev", "lan")
        self._ip("link", "set", "lan", "up")

    def host(self, name: str) -> Host:
        """A new host with a name, an address and a loopback of its own."""
        self._names.append(name)
        host = Host(
            name,
            f"{NETWORK}.{10 + len(self._names)}",
            (
                *("ip", "netns", "exec", name, "unshare", "--uts", "--"),
                *("sh", "-c", 'hostname "$0" && exec "$@"', name),
            ),
        )
        self._ip("netns", "add", name)
        self._ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        self._ip("link", "set", name, "master", "lan", "up")
        self._ip("-n", name, "addr", "add", f"{host.address}/24", "dev", "eth0")
        self._ip("-n", name, "link", "set", "eth0", "up")
        self._ip("-n", name, "link", "set", "lo", "up")
        return host

    def power_off(self, host: Host) -> None:
        """As when the current fails: first nothing more comes from the host, no goodbye either; then nothing runs."""
        self._ip("link", "set", host.name, "down")
        for pid in self._ip("netns", "pids", host.name).split():
            os.kill(int(pid), signal.SIGKILL)

    def remove(self) -> None:
        """Take everything down again, for the next network; the end of the enclosure would do it too."""
        for name in self._names:
            self._ip("netns", "del", name)
        self._ip("link", "del", "lan")

    def _ip(self, *words: str) -> str:
        return subprocess.run(["ip", *words], capture_output=True, text=True, check=True).stdout


def main_command() -> list[str]:
    """This very command, to be run inside."""
    return [sys.executable, "-m", "tools.deploy_check", *sys.argv[1:]]
