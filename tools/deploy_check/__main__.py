"""Everything, in order: ``python -m tools.deploy_check``."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tools.deploy_check.checks import check_backup, check_files, check_refusal, check_site, check_work
from tools.deploy_check.programs import DEBIAN, listens, program
from tools.deploy_check.report import Failed, say, until, want
from tools.deploy_check.servers import start_nginx, start_postgres, start_rabbitmq, start_redis
from tools.deploy_check.stage import FILES, Stage


def carry_out(stage: Stage, found: dict[str, str | None]) -> None:
    """All checks that the machine's programs allow."""
    check_files(stage, found)
    stage.environment = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV")
    } | stage.filled("lantern.env")
    check_refusal(stage)
    server = found["postgres"]
    if server is None or found["redis-server"] is None:
        return
    start_postgres(stage, Path(server).parent)
    start_redis(stage, found["redis-server"])
    stage.manage("setup_database")
    said = stage.manage("check", "--deploy", "--fail-level", "ERROR")
    want("lantern." not in said, "the settings' own check", said)
    stage.manage("demo_data", LANTERN_DEMO="true")
    say("setup_database, check --deploy, data to look at")
    stage.start_unit("lantern-web.service")
    until(lambda: listens(stage.ports["web"]), "the web server")
    if found["nginx"] and found["openssl"]:
        start_nginx(stage, found["nginx"], found["openssl"])
        check_site(stage)
    check_work(stage, stage.environment["CELERY_BROKER_URL"])
    if rabbit := found["rabbitmq-server"]:
        redis = stage.environment["CELERY_BROKER_URL"]
        start_rabbitmq(stage, rabbit)
        example = re.findall(r"amqp://\S+", stage.fill((FILES / "lantern.env").read_text()))
        check_work(stage, example[0])
        stage.environment["CELERY_BROKER_URL"] = redis
    check_backup(stage)


def main() -> int:
    """Check everything that can be checked here; 0 only when that was all."""
    found = {name: program(name) for name in DEBIAN}
    missing = sorted({DEBIAN[name] for name, path in found.items() if path is None})
    folder = Path(tempfile.mkdtemp(prefix="lantern-deploy-"))
    folder.chmod(0o711)
    os.umask(0o027)
    stage = Stage(folder)
    for name in ("data", "data/media", "data/models", "run"):
        (folder / name).mkdir(mode=0o750, exist_ok=True)
    (folder / "data").chmod(0o751)
    failed = ""
    try:
        carry_out(stage, found)
    except Failed as failure:
        failed = str(failure)
    finally:
        stage.stop_all()
        if failed:
            print(f"\nFAILED  {failed}\nlogs: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("\nNot tried here: stores of the S3 kind (files lie in a folder); systemd itself (it started none of this).")
    if missing:
        print(f"NOT CHECKED for want of programs: apt-get install {' '.join(missing)}", file=sys.stderr)
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
