"""The form on several machines, each a network namespace of this one.

A database host (PostgreSQL over TLS, PgBouncer), a broker and cache host (RabbitMQ, Redis), two web hosts behind one
balancer, two hosts for everyday work, one that runs models. The installation of the one machine moves here by backup
and restore. Half of the hosts come to the database directly, half through the pooler. ``MEDIA_ROOT`` is one folder for
all of them, as a file server would give it; everything else each host has for itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import psycopg

from tools.deploy_check.browser import Browser
from tools.deploy_check.live import Events, can_open, is_listening, open_streams, seconds_of_event
from tools.deploy_check.namespaces import Network
from tools.deploy_check.processes import ROOT, Host
from tools.deploy_check.programs import listens
from tools.deploy_check.report import Failed, check, say, wait_until
from tools.deploy_check.servers import start_nginx, start_pgbouncer, start_postgres, start_rabbitmq, start_redis
from tools.deploy_check.stage import SITE, WEB_PORTS, WEB_UNITS, Stage
from tools.deploy_check.uploads import BENCHMARK, PARTS, picture, send_in_parts

SYSTEM, SUITE = "demo-dual-encoder", "retrieval"
# Seconds: a lease (60, ``curation.core.jobs``), the sweep that notices (15), and the work itself on a busy machine.
TAKEN_OVER = 120.0
# Seconds that a person may have to wait while the balancer finds out that a web host is gone.
PATIENT = 10.0


class Hosts:
    """The machines and what runs on each."""

    def __init__(self, folder: Path, programs: dict[str, str], people: str) -> None:
        self.network = Network()
        made = self.network.host
        self.database, self.broker, self.balancer = made("database"), made("broker"), made("balancer")
        self.webs, self.workers = [made("web-1"), made("web-2")], [made("work-1"), made("work-2")]
        self.gpu = made("gpu-1")
        places = {
            "client": self.network.client,
            **dict.fromkeys(("postgres", "pgbouncer"), self.database),
            **dict.fromkeys(("redis", "rabbitmq", "epmd"), self.broker),
            **dict.fromkeys(("http", "https"), self.balancer),
        }
        self.stage, self.programs = Stage(folder, hosts=places), programs
        self.stage.secrets["people"] = people
        for name in ("data/media", "models", "logs"):
            (folder / name).mkdir(mode=0o750, parents=True)
        (folder / "data").chmod(0o751)

    def own(self, host: Host, *, pooled: bool = False, models: bool = False) -> dict[str, str]:
        """What a host has in its environment for itself."""
        data = self.stage.folder / host.name
        data.mkdir(exist_ok=True)
        own = {
            "LANTERN_DATA": str(data),
            "MODEL_DIRS": f"{data}:{ROOT / 'fixtures' / 'models'}" if models else str(data),
            "PROMETHEUS_MULTIPROC_DIR": f"{data}/metrics",
        }
        if pooled:
            pooler = self.stage.environment["DATABASE_URL"].replace(
                self.stage.at("postgres"), self.stage.at("pgbouncer")
            )
            own |= {"DATABASE_URL": pooler, "PREPARED_STATEMENTS": "false"}
            own |= {"LIVE_DATABASE_URL": self.stage.environment["DATABASE_URL"]}
        return own

    def start_servers(self) -> None:
        """Database, pooler, cache and broker."""
        stage, programs = self.stage, self.programs
        start_postgres(stage, Path(programs["postgres"]).parent, openssl=programs["openssl"])
        start_pgbouncer(stage, programs["pgbouncer"])
        start_redis(stage, programs["redis-server"])
        start_rabbitmq(stage, programs["rabbitmq-server"])

    def start_application(self) -> None:
        """Web hosts, balancer and workers, by the commands of the units."""
        stage = self.stage
        for n, host in enumerate(self.webs):
            self.start_web(host, pooled=bool(n))
        for n, host in enumerate(self.workers):
            for unit in ("lantern-worker.service", "lantern-pictures.service"):
                stage.start_unit(unit, on=host, **self.own(host, pooled=bool(n)))
        stage.start_unit("lantern-gpu.service", on=self.gpu, **self.own(self.gpu, models=True))
        stage.start_unit("lantern-beat.service", on=self.broker, **self.own(self.broker))
        ports = [stage.ports[name] for name in WEB_PORTS]
        wait_until(lambda: all(listens(port, host) for port in ports for host in self.webs), "the web servers")
        start_nginx(stage, self.programs["nginx"], self.programs["openssl"], self.webs)

    def start_web(self, host: Host, *, pooled: bool) -> None:
        """The web servers of a host; each adds its figures up in a folder of its own."""
        for unit in WEB_UNITS:
            own = self.own(host, pooled=pooled)
            own["PROMETHEUS_MULTIPROC_DIR"] += f"-{unit}"
            self.stage.start_unit(unit, on=host, **own)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database has."""
        address = self.stage.filled("owner.env")["DATABASE_OWNER_URL"]
        with psycopg.connect(address) as connection:
            return connection.execute(statement, values).fetchall()

    def served(self, operation: str) -> dict[str, int]:
        """How many requests of an operation each web host has answered, by its own log."""
        return {host.name: self._lines(host).count(f'"operation": "{operation}"') for host in self.webs}

    def _lines(self, host: Host) -> str:
        return "".join((self.stage.folder / f"{unit} on {host.name}.log").read_text() for unit in WEB_UNITS)

    def power_off(self, host: Host) -> None:
        """Cut a host's power and forget the processes that ran on it."""
        self.network.power_off(host)
        for entry in [entry for entry in self.stage.running if entry.name.endswith(f" on {host.name}")]:
            self.stage.stop(entry.name)


def job_of(hosts: Hosts, upload: str) -> tuple[str, str, int]:
    """State, worker and attempt of the job that checks an upload."""
    rows = hosts.rows("select state, worker, attempt from curation_job where args->>'upload' = %s", upload)
    check(len(rows) == 1, "one job checks the upload", rows)
    return rows[0][0], rows[0][1].partition(":")[0], rows[0][2]


def check_ready(hosts: Hosts) -> None:
    """Each web host is ready, asked by the balancer's address and through it."""
    stage = hosts.stage
    for host in hosts.webs:
        address = f"http://{host.address}:{stage.ports['web']}/readyz"
        token = f"Bearer {stage.secrets['metrics']}"
        headers = {"Host": SITE, "X-Forwarded-Proto": "https", "Authorization": token}
        request = urllib.request.Request(address, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  (http, inside the enclosure)
            check(set(json.loads(answer.read())["parts"].values()) == {"ok"}, f"{host.name} is ready")
    status, _, body = Browser(stage).ask("/readyz")
    check(status == 200, "ready through the balancer", body)
    say("web-1 (directly) and web-2 (through PgBouncer) are ready, each and through the balancer")


def check_live_hosts(hosts: Hosts, browser: Browser) -> None:
    """Streams on both web hosts, of which one comes to the database by the pooler; an event arrives on both."""
    stage = hosts.stage
    for host in hosts.webs:
        wait_until(lambda host=host: is_listening(stage, host), f"{host.name} listens", 30)  # type: ignore[misc]
    with Events(browser) as one, Events(browser) as other:
        counts = {host.name: open_streams(stage, host) for host in hosts.webs}
        check(set(counts.values()) == {1}, "one stream on each web host", counts)
        took = max(seconds_of_event(stage, [one, other]), 0.0)
    say(f"one event arrives on the streams of both web hosts, in {took:.2f} s; one listens past PgBouncer")


def check_upload(hosts: Hosts, browser: Browser) -> None:
    """Parts on both web hosts, the check on a third."""
    before = hosts.served("upload_part")
    upload = send_in_parts(browser, "parts.jpg", picture(1600, 1200))
    landed = {name: count - before[name] for name, count in hosts.served("upload_part").items()}
    check(sum(landed.values()) == PARTS and min(landed.values()) > 0, "parts land on both web hosts", landed)
    wait_until(lambda: job_of(hosts, upload)[0] == "done", "the picture is checked")
    worker = job_of(hosts, upload)[1]
    check(worker in {host.name for host in hosts.workers}, "a worker's host has checked it", worker)
    [(state, code)] = hosts.rows("select state, error_code from curation_upload where id = %s", upload)
    check((state, code) == ("ready", ""), "the picture may be taken", (state, code))
    split = ", ".join(f"{count} on {name}" for name, count in landed.items())
    say(f"signed in through the balancer; a picture in {PARTS} parts ({split}) is checked on {worker}")


def lose_worker(hosts: Hosts, browser: Browser) -> tuple[str, Host]:
    """A worker's host loses its power while it runs a job; return the upload and the host."""
    upload = send_in_parts(browser, "large.jpg", picture(6000, 4000))
    wait_until(lambda: job_of(hosts, upload)[0] != "queued", "a worker has begun")
    state, name, attempt = job_of(hosts, upload)
    check((state, attempt) == ("running", 1), "the job is under way", (state, attempt))
    [host] = [host for host in hosts.workers if host.name == name]
    hosts.power_off(host)
    check(job_of(hosts, upload)[0] == "running", "the host fell out in the middle of the job", job_of(hosts, upload))
    return upload, host


def lose_web(hosts: Hosts, browser: Browser) -> None:
    """A web host loses its power while a person's requests run."""
    slowest, lost = 0.0, hosts.webs[0]
    for n in range(40):
        if n == 10:
            hosts.power_off(lost)
        began = time.monotonic()
        status, _, answer = browser.ask("/api/v1/session")
        took = time.monotonic() - began
        slowest = max(slowest, took)
        check(status == 200 and b"lantern-demo" in answer, f"request {n} is answered", (status, answer[:200], took))
    check(slowest < PATIENT, f"nobody waits for {PATIENT:.0f} s", slowest)
    wait_until(lambda: can_open(browser), "a stream of events opens on the other host", PATIENT)
    say(f"{lost.name} lost its current: 40 requests, all answered, the slowest in {slowest:.1f} s")


def check_run(hosts: Hosts, browser: Browser) -> None:
    """A system that only the host for models has is added there, and answers a release there."""
    words = ["--slug", SYSTEM, "--backend", "demo", "--locator", SYSTEM]
    environment = hosts.stage.environment | hosts.own(hosts.gpu, models=True)
    hosts.stage.run([sys.executable, "manage.py", "add_system", *words], environment, on=hosts.gpu)
    [(release,)] = hosts.rows("select max(id) from annotation_release where state <> 'draft'")
    request = {"system": SYSTEM, "suite": SUITE, "release": release, "client_key": str(uuid.uuid4())}
    run = browser.read(f"{BENCHMARK}/runs", request)["id"]

    def state_of_run() -> dict[str, Any]:
        seen: dict[str, Any] = browser.read(f"/api/v1/runs/{run}")
        if seen["status"] == "failed":
            raise Failed(f"the run failed: {seen}")
        return seen

    wait_until(lambda: state_of_run()["status"] == "done", "the run is done", 120)
    [(worker,)] = hosts.rows(
        "select distinct split_part(worker, ':', 1) from evaluation_chunk"
        " where run_id = (select max(id) from evaluation_run)"
    )
    check(worker == hosts.gpu.name, "the host for models has run it", worker)
    say(f"{SYSTEM} answered {state_of_run()['done']} items of the release on {worker}")


def change_broker(hosts: Hosts, browser: Browser, left: Host) -> None:
    """The same with Redis as broker: the remaining hosts start again with the other address."""
    stage = hosts.stage
    stage.environment["CELERY_BROKER_URL"] = stage.filled("lantern.env")["CELERY_BROKER_URL"]
    web = hosts.webs[1]
    for unit in WEB_UNITS:
        stage.stop(f"{unit} on {web.name}")
    hosts.start_web(web, pooled=True)
    for unit in ("lantern-worker.service", "lantern-pictures.service"):
        stage.stop(f"{unit} on {left.name}")
        stage.start_unit(unit, on=left, **hosts.own(left, pooled=True))
    stage.stop("lantern-beat.service on broker")
    stage.stop("rabbitmq")
    ports = [stage.ports[name] for name in WEB_PORTS]
    wait_until(lambda: all(listens(port, web) for port in ports), "the web servers")
    wait_until(lambda: browser.ask("/api/v1/session")[0] == 200, "the session goes on")
    upload = send_in_parts(browser, "redis.jpg", picture(800, 600))
    wait_until(lambda: job_of(hosts, upload)[0] == "done", "the picture is checked by way of Redis", 30)
    say("with Redis as broker in RabbitMQ's place a picture is checked as well; the session went on")


def check_several(folder: Path, programs: dict[str, str], backup: Path, people: str) -> None:
    """Everything, with the data of a backup and the password that its people have.

    Raises:
        Failed: Something did not hold.
    """
    hosts = Hosts(folder, programs, people)
    stage = hosts.stage
    try:
        hosts.start_servers()
        stage.environment = stage.base | stage.filled("lantern.env")
        rabbit = stage.fill("amqp://lantern:CHANGE-ME@127.0.0.1:5672/lantern")
        stage.environment["CELERY_BROKER_URL"] = rabbit
        stage.manage("restore", str(backup))
        stage.manage("setup_database")
        say("the installation moves by backup and restore, over TLS")
        hosts.start_application()
        check_ready(hosts)
        browser = Browser(stage)
        check(browser.sign_in("admin") == 200, "signing in through the balancer")
        check_live_hosts(hosts, browser)
        check_upload(hosts, browser)
        upload, lost = lose_worker(hosts, browser)
        began = time.monotonic()
        check_run(hosts, browser)
        lose_web(hosts, browser)
        wait_until(lambda: job_of(hosts, upload)[0] == "done", "another worker has taken the job over", TAKEN_OVER)
        _, worker, attempt = job_of(hosts, upload)
        check(worker != lost.name and attempt == 2, "the job went on elsewhere", (worker, attempt))
        say(f"{lost.name} lost its current in mid-job: done on {worker} {time.monotonic() - began:.0f} s later")
        [left] = [host for host in hosts.workers if host != lost]
        change_broker(hosts, browser, left)
    except subprocess.CalledProcessError as error:
        raise Failed(f"{error}: {error.stderr}") from error
    finally:
        stage.stop_all()
        hosts.network.remove()
