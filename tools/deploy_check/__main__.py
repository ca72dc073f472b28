"""Everything, in order: ``python -m tools.deploy_check``."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tools.deploy_check import checks, machine, namespaces
from tools.deploy_check.bucket import check_bucket
from tools.deploy_check.downloads import check_downloads
from tools.deploy_check.live import check_live
from tools.deploy_check.programs import DEBIAN, listens, program
from tools.deploy_check.report import Failed, say, wait_until
from tools.deploy_check.servers import start_nginx, start_postgres, start_rabbitmq, start_redis
from tools.deploy_check.several import check_several
from tools.deploy_check.stage import FILES, WEB_PORTS, WEB_UNITS, Stage


def check_one_machine(stage: Stage, programs: dict[str, str | None]) -> None:
    """Everything on one machine that its programs allow."""
    checks.check_files(stage, programs)
    stage.environment = stage.base | stage.filled("lantern.env")
    checks.check_refusal(stage)
    server = programs["postgres"]
    if server is None or programs["redis-server"] is None:
        return
    start_postgres(stage, Path(server).parent)
    start_redis(stage, programs["redis-server"])
    stage.manage("setup_database")
    stage.manage("demo_data", LANTERN_DEMO="true")
    say("setup_database, data to look at")
    checks.check_accounts(stage)
    for unit in WEB_UNITS:
        stage.start_unit(unit)
    wait_until(lambda: all(listens(stage.ports[name]) for name in WEB_PORTS), "the web servers")
    if programs["nginx"] and programs["openssl"]:
        start_nginx(stage, programs["nginx"], programs["openssl"])
        checks.check_site(stage)
        check_live(stage)
        check_downloads(stage)
        checks.check_gunicorn(stage)
    checks.check_work(stage, stage.environment["CELERY_BROKER_URL"])
    if rabbit := programs["rabbitmq-server"]:
        redis = stage.environment["CELERY_BROKER_URL"]
        start_rabbitmq(stage, rabbit)
        example = re.findall(r"amqp://\S+", stage.fill((FILES / "lantern.env").read_text()))
        checks.check_work(stage, example[0])
        stage.environment["CELERY_BROKER_URL"] = redis
    checks.check_backup(stage)
    if programs["nginx"] and programs["openssl"]:
        check_bucket(stage, programs["nginx"])


def check_everything(folder: Path, programs: dict[str, str | None]) -> None:
    """One machine, then several with its data.

    Raises:
        Failed: Something did not hold.
    """
    stage = Stage(folder)
    for name in ("data", "data/media", "data/models", "run"):
        (folder / name).mkdir(mode=0o750, exist_ok=True)
    (folder / "data").chmod(0o751)
    try:
        print("One machine", flush=True)
        check_one_machine(stage, programs)
    finally:
        stage.stop_all()
    present = {name: path for name, path in programs.items() if path is not None}
    if namespaces.is_enclosed() and len(present) == len(programs):
        [backup] = (folder / "backups").glob("2*Z")
        for name in ("systemd", "several"):
            (folder / name).mkdir(mode=0o711)
        if not machine.refused():
            print("One machine under systemd", flush=True)
            machine.check_machine(folder / "systemd", present["openssl"], backup, stage.secrets["people"])
        print("Several machines", flush=True)
        check_several(folder / "several", present, backup, stage.secrets["people"])


def inside(folder: Path) -> int:
    """Check everything that can be checked here; 0 only when nothing failed."""
    programs = {name: program(name) for name in DEBIAN}
    os.umask(0o027)
    try:
        check_everything(folder, programs)
    except Failed as failure:
        print(f"\nFAILED  {failure}\nlogs: {folder}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """Check in an enclosure where there can be one; 0 only when everything was checked and held."""
    if namespaces.is_enclosed():
        return inside(Path(sys.argv[1]))
    missing = sorted({DEBIAN[name] for name in DEBIAN if program(name) is None})
    folder = Path(tempfile.mkdtemp(prefix="lantern-deploy-"))
    folder.chmod(0o711)
    refused = namespaces.refused()
    code = 1
    try:
        code = inside(folder) if refused else namespaces.enclosed([*namespaces.main_command(), str(folder)])
    finally:
        machine.remove_group(folder / "systemd")
        if code != 1:
            shutil.rmtree(folder, ignore_errors=True)
    print("\nNot tried here: a file server (one folder stands for it), managed PostgreSQL and brokers of a provider.")
    if missing:
        print(f"NOT CHECKED for want of programs: apt-get install {' '.join(missing)}", file=sys.stderr)
    if refused:
        print(f"NOT CHECKED for want of namespaces ({refused}): several machines, systemd", file=sys.stderr)
    elif without := machine.refused():
        print(f"NOT CHECKED: systemd starting the units ({without})", file=sys.stderr)
    return code or int(bool(missing or refused or machine.refused()))


if __name__ == "__main__":
    sys.exit(main())
