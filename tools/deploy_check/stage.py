"""The installation that is tried: its folder, its ports, its secrets, and the files of ``docs/deploy`` filled in."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import sys
from pathlib import Path

from tools.deploy_check.processes import ROOT, Host, Processes
from tools.deploy_check.programs import free_port

FILES = ROOT / "docs" / "deploy"
SITE = "lantern.example.org"


WEB_UNITS = ("lantern-web.service", "lantern-uploads.service", "lantern-live.service")
# The ports that these units listen on.
WEB_PORTS = ("web", "uploads", "live")
PARTS = ("postgres", "pgbouncer", "redis", "rabbitmq", *WEB_PORTS, "http", "https", "epmd")
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV")
SECRETS = ("postgres", "app", "owner", "redis", "rabbitmq", "metrics", "people")


class Stage(Processes):
    """An installation: all of it on this machine's loopback unless ``hosts`` says where its parts are."""

    def __init__(self, folder: Path, *, hosts: dict[str, Host] | None = None) -> None:
        super().__init__(folder)
        self.hosts = hosts or {}
        self.ports = {name: free_port() for name in PARTS}
        self.secrets = {name: secrets.token_urlsafe(24) for name in SECRETS}
        self.secrets["django"] = secrets.token_urlsafe(48)
        self.environment: dict[str, str] = {}
        # What is added to both addresses of the database.
        self.database_options = ""

    @property
    def base(self) -> dict[str, str]:
        """What a process keeps of our own environment."""
        return {name: value for name, value in os.environ.items() if name in KEPT}

    def host(self, part: str) -> Host:
        """Where a part runs."""
        return self.hosts.get(part, Host())

    def at(self, part: str) -> str:
        """Address and port of a part."""
        return f"{self.host(part).address}:{self.ports[part]}"

    def manage(self, *words: str, **more: str) -> str:
        """One of the application's commands, as the owner of the database."""
        owner = self.filled("owner.env")
        return self.run([sys.executable, "manage.py", *words], self.environment | owner | more)

    def fill(self, text: str, *, paths: bool = True) -> str:
        """Put these addresses, these secrets and, with ``paths``, this folder where the example has its own."""
        ours, here = self.secrets, {name: self.at(name) for name in self.ports}
        more = self.database_options
        swaps = {
            "app:CHANGE-ME@127.0.0.1:5432/lantern": f"app:{ours['app']}@{here['postgres']}/lantern{more}",
            "lantern:CHANGE-ME@127.0.0.1:5432/lantern": f"lantern:{ours['owner']}@{here['postgres']}/lantern{more}",
            ":CHANGE-ME@127.0.0.1:6379": f":{ours['redis']}@{here['redis']}",
            "lantern:CHANGE-ME@127.0.0.1:5672": f"lantern:{ours['rabbitmq']}@{here['rabbitmq']}",
            "METRICS_TOKEN=CHANGE-ME": f"METRICS_TOKEN={ours['metrics']}",
            "SECRET_KEY=CHANGE-ME": f"SECRET_KEY={ours['django']}",
        }
        folders = {
            "/var/lib/lantern/models": f"{self.folder}/data/models:{ROOT}/fixtures/models",
            "/var/lib/lantern": f"{self.folder}/data",
            "/var/lib/nginx/lantern": f"{self.folder}/nginx-cache",
            "/run/lantern": f"{self.folder}/run",
            "/var/log/lantern": f"{self.folder}/logs",
            "/var/backups/lantern": f"{self.folder}/backups",
            "/etc/lantern": f"{self.folder}",
            "/etc/ssl/lantern": f"{self.folder}/tls",
            "/srv/lantern": str(ROOT),
        }
        listeners = {
            "--host 127.0.0.1 --port 8000": f"--host {self.host('web').address} --port {self.ports['web']}",
            "--host 127.0.0.1 --port 8001": f"--host {self.host('web').address} --port {self.ports['uploads']}",
            "--host 127.0.0.1 --port 8002": f"--host {self.host('web').address} --port {self.ports['live']}",
            "server 127.0.0.1:8000": f"server {here['web']}",
            "server 127.0.0.1:8001": f"server {here['uploads']}",
            "server 127.0.0.1:8002": f"server {here['live']}",
            "listen 80;": f"listen {here['http']};",
            "listen 443 ssl": f"listen {here['https']} ssl",
        }
        for example, value in (swaps | (folders if paths else {}) | listeners).items():
            text = text.replace(example, value)
        return text

    def filled(self, name: str) -> dict[str, str]:
        """A file of variables, filled in."""
        lines = self.fill((FILES / name).read_text()).splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def unit_command(self, name: str, *, on: Host | None = None) -> tuple[list[str], dict[str, str]]:
        """What a unit starts on a host, and the variables that it sets itself."""
        text = self.fill((FILES / name).read_text())
        [command] = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
        extra = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.+)$", text, re.MULTILINE))
        if on:
            command = command.replace(f"--host {self.host('web').address} ", f"--host {on.address} ")
        return shlex.split(re.sub("%(.)", lambda match: "%" if match[1] == "%" else "check", command)), extra

    def start_unit(self, name: str, *, on: Host | None = None, **more: str) -> None:
        """Start what a unit starts, ``on`` a host; its name among the processes is then ``UNIT on HOST``."""
        words, extra = self.unit_command(name, on=on)
        self.start(f"{name} on {on.name}" if on else name, words, self.environment | extra | more, on=on)
