"""The installation that is tried: its folder, its ports, its secrets, and the files of ``docs/deploy`` filled in."""

from __future__ import annotations

import re
import secrets
import shlex
import sys
from pathlib import Path

from tools.deploy_check.processes import ROOT, Processes
from tools.deploy_check.programs import free_port

FILES = ROOT / "docs" / "deploy"
SITE = "lantern.example.org"


class Stage(Processes):
    """The installation on this machine's loopback."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.ports = {name: free_port() for name in ("postgres", "redis", "rabbitmq", "web", "http", "https", "epmd")}
        self.secrets = {name: secrets.token_urlsafe(24) for name in ("app", "owner", "redis", "rabbitmq", "metrics")}
        self.environment: dict[str, str] = {}

    def manage(self, *words: str, **more: str) -> str:
        """One of the application's commands, as the owner of the database."""
        owner = self.filled("owner.env")
        return self.run([sys.executable, "manage.py", *words], self.environment | owner | more)

    def fill(self, text: str) -> str:
        """Put this folder, these ports and these secrets where the example has its own."""
        ours, here = self.secrets, {name: f"127.0.0.1:{port}" for name, port in self.ports.items()}
        swaps = {
            "lantern_app:CHANGE-ME@127.0.0.1:5432": f"lantern_app:{ours['app']}@{here['postgres']}",
            "lantern:CHANGE-ME@127.0.0.1:5432": f"lantern:{ours['owner']}@{here['postgres']}",
            ":CHANGE-ME@127.0.0.1:6379": f":{ours['redis']}@{here['redis']}",
            "lantern:CHANGE-ME@127.0.0.1:5672": f"lantern:{ours['rabbitmq']}@{here['rabbitmq']}",
            "METRICS_TOKEN=CHANGE-ME": f"METRICS_TOKEN={self.secrets['metrics']}",
            "SECRET_KEY=CHANGE-ME": f"SECRET_KEY={secrets.token_urlsafe(48)}",
            "/var/lib/lantern/models": f"{self.folder}/data/models,{ROOT}/fixtures/models",
            "/var/lib/lantern": f"{self.folder}/data",
            "/run/lantern": f"{self.folder}/run",
            "/var/log/lantern": f"{self.folder}/logs",
            "/var/backups/lantern": f"{self.folder}/backups",
            "/etc/lantern": f"{self.folder}",
            "/etc/ssl/lantern": f"{self.folder}/tls",
            "/srv/lantern": str(ROOT),
            "--port 8000": f"--port {self.ports['web']}",
            "server 127.0.0.1:8000": f"server 127.0.0.1:{self.ports['web']}",
            "listen 80;": f"listen 127.0.0.1:{self.ports['http']};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.ports['https']} ssl",
        }
        for example, value in swaps.items():
            text = text.replace(example, value)
        return text

    def filled(self, name: str) -> dict[str, str]:
        """A file of variables, filled in."""
        lines = self.fill((FILES / name).read_text()).splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def unit_command(self, name: str) -> tuple[list[str], dict[str, str]]:
        """What a unit starts, and the variables that it sets itself."""
        text = self.fill((FILES / name).read_text())
        [command] = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
        extra = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.+)$", text, re.MULTILINE))
        return shlex.split(re.sub("%(.)", lambda found: "%" if found[1] == "%" else "check", command)), extra

    def start_unit(self, name: str, **more: str) -> None:
        """Start what a unit starts."""
        words, extra = self.unit_command(name)
        self.start(name, words, self.environment | extra | more)
