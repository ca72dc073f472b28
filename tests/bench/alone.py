"""What the measurements inside one process share: a database of their own, the machine, how figures are told."""

import json
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config.launch import postgres


def machine() -> dict[str, Any]:
    """What was measured on."""
    return {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}


def load() -> float:
    """What else the machine has to do: processes that want to run, over the last minute."""
    return round(os.getloadavg()[0], 2)


@contextmanager
def own_database(name: str) -> Iterator[Path]:
    """A folder with a PostgreSQL of its own, told to a Django that is not set up yet; gone afterwards."""
    root = Path(tempfile.mkdtemp(prefix=f"lantern-{name}-"))
    server = root / "postgres"
    try:
        postgres.ensure(server)
        postgres.ensure_database(server, "lantern")
        os.environ |= {
            "DATABASE_URL": postgres.url(server, "lantern"),
            "MEDIA_ROOT": str(root / "media"),
            "LANTERN_DATA": str(root),
            "CELERY_BROKER_URL": "memory://",
            "SECRET_KEY": "only-for-a-measurement-" + "x" * 30,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        yield root
    finally:
        postgres.stop(server)
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def own_server(name: str) -> Iterator[Callable[[str], str]]:
    """A PostgreSQL of its own, gone afterwards: makes a database by name and returns its address."""
    root = Path(tempfile.mkdtemp(prefix=f"lantern-{name}-"))
    server = root / "postgres"

    def database(name: str) -> str:
        postgres.ensure_database(server, name)
        return postgres.url(server, name)

    try:
        postgres.ensure(server)
        yield database
    finally:
        postgres.stop(server)
        shutil.rmtree(root, ignore_errors=True)


def tell(figures: dict[str, Any], out: Path | None) -> None:
    """Print the figures, and keep them where that is asked for."""
    told = json.dumps(figures, indent=1)
    print(told)
    if out:
        out.write_text(told + "\n")
