"""What is checked of an installation on one machine."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
import uuid
from pathlib import Path

from tools.deploy_check.browser import Browser, resolve_site
from tools.deploy_check.processes import ROOT
from tools.deploy_check.programs import listens
from tools.deploy_check.report import check, say, wait_until
from tools.deploy_check.stage import FILES, SITE, Stage


def check_files(stage: Stage, programs: dict[str, str | None]) -> None:
    """Check the files without starting anything."""
    units = stage.folder / "units"
    units.mkdir()
    for path in sorted([*FILES.glob("*.service"), *FILES.glob("*.timer")]):
        (units / path.name).write_text(stage.fill(path.read_text()))
    if analyze := programs["systemd-analyze"]:
        text = subprocess.run(
            [analyze, "verify", "--man=no", *(str(p) for p in sorted(units.iterdir()))],
            capture_output=True, text=True, check=False,
        ).stderr  # fmt: skip
        ours = [line for line in text.splitlines() if "lantern" in line and "not found" not in line]
        check(not ours, "systemd takes the units", ours)
        say(f"systemd takes the {len(list(units.iterdir()))} units")
    if rotate := programs["logrotate"]:
        (stage.folder / "logrotate").write_text(stage.fill((FILES / "logrotate").read_text()))
        (stage.folder / "logrotate").chmod(0o644)
        (stage.folder / "logs").mkdir(exist_ok=True)
        (stage.folder / "logs" / "web.log").write_text('{"level": "info"}\n')
        stage.run(
            [rotate, "--force", "--state", str(stage.folder / "logrotate.state"), str(stage.folder / "logrotate")]
        )
        check((stage.folder / "logs" / "web.log").read_text() == "", "logrotate empties a log")
        say("logrotate takes docs/deploy/logrotate and turns a log over")


def check_refusal(stage: Stage) -> None:
    """The example file without changes must not start."""
    example = dict(
        line.split("=", 1) for line in (FILES / "lantern.env").read_text().splitlines() if line and line[0] != "#"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        env=os.environ | example, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    check(
        done.returncode != 0 and "lantern.E001" in done.stderr,
        "the example's placeholders are refused",
        done.stderr[-500:],
    )
    say("the example's placeholders are refused (lantern.E001, lantern.E004)")


def check_accounts(stage: Stage) -> None:
    """An installation with the demo's accounts must not start before they have other passwords."""
    words = [sys.executable, "-c", "import config.wsgi"]
    done = subprocess.run(words, env=stage.environment, cwd=ROOT, capture_output=True, text=True, check=False)
    check(
        done.returncode != 0 and "lantern.E007" in done.stderr,
        "accounts of the demo are refused",
        done.stderr[-500:],
    )
    stage.manage(
        "shell",
        "-c",
        "import os\n"
        "from django.contrib.auth import get_user_model\n"
        "for person in get_user_model().objects.all():\n"
        "    person.set_password(os.environ['PASSWORD'])\n"
        "    person.save()\n",
        PASSWORD=stage.secrets["people"],
    )
    output = stage.manage("check", "--deploy", "--database", "default", "--fail-level", "ERROR")
    check("lantern." not in output, "the installation's own check", output)
    say("accounts of the demo are refused (lantern.E007) until they have other passwords")


def check_gunicorn(stage: Stage) -> None:
    """The other web server of the page, started as the page says, answers as the first one does."""
    [command] = re.findall(r"`(gunicorn [^`]+)`", (ROOT / "docs" / "deploy.md").read_text())
    stage.stop("lantern-web.service")
    check(not listens(stage.ports["web"]), "the first web server has ended")
    name, *words = shlex.split(command.replace("127.0.0.1:8000", stage.at("web")))
    _, extra = stage.unit_command("lantern-web.service")
    stage.start("gunicorn", [str(Path(sys.executable).with_name(name)), *words], stage.environment | extra)
    wait_until(lambda: listens(stage.ports["web"]), "gunicorn")
    say("gunicorn in Granian's place:")
    check_site(stage)
    stage.stop("gunicorn")


def check_site(stage: Stage) -> None:
    """The site from outside, as a browser sees it."""
    browser = Browser(stage)
    with resolve_site(stage):
        status, headers, _ = browser.ask("/somewhere?x=1", base=f"http://{SITE}:{stage.ports['http']}")
    check(
        (status, headers.get("Location")) == (301, f"https://{SITE}/somewhere?x=1"),
        "plain HTTP is sent to TLS",
        headers,
    )
    status, headers, body = browser.ask("/readyz", Authorization=f"Bearer {stage.secrets['metrics']}")
    check(status == 200 and all(v == "ok" for v in json.loads(body)["parts"].values()), "ready", body)
    check("max-age" in headers.get("Strict-Transport-Security", ""), "HSTS", headers)
    check(browser.ask("/metrics", Authorization=f"Bearer {stage.secrets['metrics']}")[0] == 404, "figures stay inside")
    direct = urllib.request.Request(
        f"http://127.0.0.1:{stage.ports['web']}/metrics",
        headers={"Authorization": f"Bearer {stage.secrets['metrics']}", "Host": SITE},
    )
    with urllib.request.urlopen(direct, timeout=30) as answer:  # noqa: S310  (http, on loopback)
        check(b"lantern_requests_total" in answer.read(), "figures with the token")
    say("TLS, HSTS, redirect, /readyz; /metrics only inside and with its token")
    browser.ask("/_allauth/browser/v1/config")
    wrong = browser.ask("/_allauth/browser/v1/auth/login", {"username": "admin", "password": "wrong-wrong-wrong"})[0]
    right = browser.sign_in("admin")
    check((wrong, right) == (400, 200), "signing in behind the proxy", (wrong, right))
    session = next(c for c in browser.cookies if c.name == "sessionid")
    check(session.secure and session.has_nonstandard_attr("HttpOnly"), "the session's cookie is secure", session)
    foreign = browser.ask("/api/v1/session", None, Host="evil.example.org")[0]
    check(foreign == 400, "another host name is refused", foreign)
    say("signing in, secure cookies, the anti-forgery token behind the proxy, strange host names refused")
    check_bodies(stage, browser)
    check_picture(stage, browser)


def check_bodies(stage: Stage, browser: Browser) -> None:
    """Each address takes bodies up to its own bound, and a refusal has a code."""
    stranger, imports = Browser(stage), "/api/v1/benchmarks/lantern-demo/imports"
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    field = "--x\r\nContent-Disposition: form-data; name="
    fields = {"kind": "captions", "target": "drafts", "client_key": str(uuid.uuid4())}
    parts = [*(f'{field}"{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()), f'{field}"file"; filename="a"']
    begin, end = "".join(parts).encode() + b"\r\n\r\n", b"\r\n--x--\r\n"
    for who, path, megabytes, expected in (
        (stranger, "/", 0, (403, "csrf_failed")),
        (stranger, "/", 4, (413, "body_too_large")),
        (browser, "/api/v1/session", 4, (413, "body_too_large")),
        (stranger, "/api/v1/uploads/0-0", 75, (413, "body_too_large")),
        (stranger, "/api/v1/releases/1/submissions", 135, (413, "submission_too_large")),
        (stranger, imports, 260, (413, "import_too_large")),
        (browser, imports, 10, (400, "import_not_utf8")),
    ):
        status, _, answer = who.ask(path, begin + b"\xff" * (megabytes * 1_000_000) + end, method="POST", **form)
        refused = status == expected[0] and f'"{expected[1]}"'.encode() in answer
        check(refused, f"{megabytes} MB to {path}", (status, answer[:300]))
    say("bodies above 2.5 MB are refused, except parts of uploads and forms with a file, which have their own bounds")


def check_picture(stage: Stage, browser: Browser) -> None:
    """A picture, which nginx sends after the application has checked who asks."""
    status, _, body = browser.ask("/api/v1/session")
    slug = json.loads(body)["benchmarks"][0]["slug"]

    def address_of(filters: str) -> str:
        _, _, body = browser.ask(f"/api/v1/benchmarks/{slug}/images?page_size=1&{filters}")
        return str(json.loads(body)["results"][0]["view_url"])

    address = address_of("clear=true")
    status, headers, picture = browser.ask(address)
    check(status == 200 and len(picture) > 1000, "a picture comes", (status, headers))
    check("X-Accel-Redirect" not in headers and "Accept-Ranges" in headers, "nginx itself sends the picture", headers)
    kept = {
        "Cache-Control": "private, max-age=86400, immutable",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    check(kept.items() <= headers.items(), "a picture's headers stay", headers)
    status, headers, _ = browser.ask(address_of("clear=false"))
    check(
        (status, headers["Cache-Control"]) == (200, "private, no-store"), "browsers keep no unchecked picture", headers
    )
    check(Browser(stage).ask(address)[0] == 401, "a stranger gets no picture")
    check(browser.ask("/protected-media/renditions/")[0] == 404, "the files' own address is closed")
    say(f"a picture of {len(picture):,} bytes sent by nginx after the application's check; none to strangers")


def check_work(stage: Stage, broker: str) -> None:
    """The worker of the unit answers what is sent through the broker."""
    stage.environment["CELERY_BROKER_URL"] = broker
    units = {"lantern-worker.service": "default@", "lantern-pictures.service": "pictures@"}
    for unit in units:
        stage.start_unit(unit)
    name = broker.partition(":")[0]
    ask = (
        "import time\n"
        "from config.celery import app\n"
        "deadline, answers = time.monotonic() + 60, None\n"
        f"while len(answers or []) < {len(units)} and time.monotonic() < deadline:\n"
        "    answers = app.control.ping(timeout=2)\n"
        "print(answers)\n"
    )
    output = stage.manage("shell", "--no-imports", "-c", ask)
    check(all(worker in output for worker in units.values()), f"both workers answer over {name}", output)
    say(f"both workers answer over {name}")
    for unit in units:
        stage.stop(unit)


def check_backup(stage: Stage) -> None:
    """The nightly command, its check, and a restore into another database."""
    words, _ = stage.unit_command("lantern-backup.service")
    owner = stage.filled("owner.env")
    stage.run(words, stage.environment | owner)
    [backup] = (stage.folder / "backups").glob("2*Z")
    output = stage.manage("check_backup", str(backup)).strip()
    restored = {
        "DATABASE_OWNER_URL": owner["DATABASE_OWNER_URL"].rpartition("/")[0] + "/lantern_restored",
        "MEDIA_ROOT": str(stage.folder / "restored"),
    }
    stage.manage("restore", str(backup), **restored)
    say(f"backup and restore into a second database ({output})")
