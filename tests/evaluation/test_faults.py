"""One run under the real launcher while its worker, the broker and the database are killed, again and again.

``FAULTS`` says how many kills (three by default, one of each; ``FAULTS=20`` is the long run), ``FAULTS_SEED`` in which
order. The worker is killed where it hurts most: with a chunk computed and not committed.
"""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import psutil
import psycopg
import pytest

from config.launch import postgres, valkey
from evaluation.runs.rules import from_bytes
from tests.evaluation.metrics.ranks import ranks

pytestmark = pytest.mark.system
ROOT = Path(__file__).parents[2]
HELD = ROOT / "tests" / "evaluation" / "held"
FAULTS = int(os.environ.get("FAULTS", "3"))
SEED = int(os.environ.get("FAULTS_SEED", "2026"))
VICTIMS = ("worker", "broker", "database")
# The launcher gives up on a part that dies for the fifth time within a minute.
DEATHS, WINDOW = 3, 62.0
PATIENCE = 400.0


class Site:
    """A launched site that holds its worker between computing and committing."""

    def __init__(self, folder: Path) -> None:
        self.data, self.hold, self.log = folder / "data", folder / "hold", folder / "launcher.log"
        self.hold.mkdir()
        self.database = postgres.url(self.data / "postgres", "lantern")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        ours = {"DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "SECRET_KEY", "MEDIA_ROOT", "LANTERN_DATA"}
        self.environment = {name: value for name, value in os.environ.items() if name not in ours}
        self.environment |= {
            "LANTERN_TEST_HOLD": str(self.hold),
            "PYTHONPATH": str(HELD),
            "EMBED_ITEMS_AT_ONCE": "2",
            "SECRET_KEY": "only-for-tests-" + "x" * 40,
        }
        words = [sys.executable, "-m", "config.launch", "--no-demo-data"]
        with self.log.open("ab") as out:
            self.launcher = psutil.Popen(
                [*words, "--data", str(self.data), "--port", str(port)],
                cwd=ROOT,
                env=self.environment,
                stdout=out,
                stderr=out,
            )

    def end(self) -> None:
        self.launcher.send_signal(signal.SIGINT)
        try:
            self.launcher.wait(60)
        except psutil.TimeoutExpired:
            self.launcher.kill()
        postgres.stop(self.data / "postgres")

    def until(self, what: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait for something, through whatever the database does meanwhile."""
        deadline = time.monotonic() + seconds
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                if what():
                    return
            if time.monotonic() > deadline or self.launcher.poll() is not None:
                worker = self.data / "logs" / "gpu-worker.log"
                said = worker.read_text(errors="replace")[-3000:] if worker.exists() else ""
                pytest.fail(f"waited in vain; the launcher:\n{self.log.read_text()}\nthe worker:\n{said}")
            time.sleep(0.01)

    def rows(self, statement: str, *values: object) -> list[tuple]:
        with psycopg.connect(self.database, autocommit=True) as connection:
            return connection.execute(statement, values).fetchall()

    def fill(self, pictures: int) -> dict[str, int]:
        addresses = {
            "DATABASE_URL": self.database,
            "CELERY_BROKER_URL": valkey.broker_url(self.data / "valkey"),
            "LANTERN_DATA": str(self.data),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        words = [sys.executable, "-m", "tests.evaluation.faulted", str(pictures)]
        done = subprocess.run(
            words, cwd=ROOT, env=self.environment | addresses, check=True, stdout=subprocess.PIPE, timeout=300
        )
        return json.loads(done.stdout)

    def brink(self) -> int | None:
        """The living worker that has computed a chunk and is held before it commits."""
        for marker in self.hold.glob("at-*"):
            pid = int(marker.name[3:])
            if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                return pid
            marker.unlink(missing_ok=True)
        return None

    def kill(self, victim: str) -> None:
        killed: list[psutil.Process] = []
        self.until(lambda: killed.extend(self.living(victim)) or killed)
        (process,) = killed
        process.kill()

    def living(self, victim: str) -> list[psutil.Process]:
        """The victim's process; none while the launcher is bringing it back."""
        if victim == "database":
            server = postgres.server_process(self.data / "postgres")
            return [server] if server is not None else []
        # The broker shows another command line than it was started with: its name and its socket.
        word, found = {"worker": "gpu@", "broker": "valkey"}[victim], []
        for child in self.launcher.children():
            with contextlib.suppress(psutil.NoSuchProcess):  # dead ones too, until the launcher has noticed
                if word in " ".join(child.cmdline()):
                    found.append(child)
        return found


@pytest.fixture
def site() -> Iterator[Site]:
    # Where root runs PostgreSQL as the user nobody, that user has to get through to its folder.
    folder = Path(mkdtemp(prefix="lantern-faults-"))
    folder.chmod(0o711)
    launched = Site(folder)
    try:
        launched.until(lambda: "Ctrl-C stops everything" in launched.log.read_text())
        yield launched
    finally:
        launched.end()


def drawn_order(rng: random.Random) -> list[str]:
    """Who is killed when: each of the three as often as the others, give or take one, in any order."""
    order = [VICTIMS[i % len(VICTIMS)] for i in range(FAULTS)]
    rng.shuffle(order)
    return order


def test_killed_anywhere_a_run_ends_as_if_nothing_had_happened(site: Site, capsys) -> None:
    rng = random.Random(SEED)
    pictures = max(24, FAULTS * 8)
    runs = site.fill(pictures)
    left_alone, faulted = runs["left-alone"], runs["faulted"]
    site.until(lambda: site.rows("select 1 from evaluation_run where id = %s and state = 'closed'", left_alone))

    (site.hold / "hold").touch()
    site.rows("update evaluation_run set state = 'open' where id = %s returning id", faulted)
    started, killed = time.monotonic(), []
    for victim in drawn_order(rng):
        recent = [at for who, at in killed if who == victim and at > time.monotonic() - WINDOW]
        if len(recent) >= DEATHS:
            time.sleep(max(0.0, recent[-DEATHS] + WINDOW - time.monotonic()))
        site.until(site.brink)
        at_the_brink = victim == "worker" or rng.random() < 0.5
        if not at_the_brink:
            (site.hold / "hold").unlink()
            time.sleep(rng.uniform(0, 0.05))
        before = done_of(site, faulted)
        site.kill(victim)
        killed.append((victim, time.monotonic()))
        (site.hold / "hold").unlink(missing_ok=True)
        # On with the run until something more is done, then stop again for the next.
        site.until(lambda before=before: done_of(site, faulted) > before)
        (site.hold / "hold").touch()
    (site.hold / "hold").unlink()
    site.until(lambda: site.rows("select 1 from evaluation_run where id = %s and state = 'closed'", faulted))
    seconds = time.monotonic() - started

    counted = "select count(*), count(distinct entry_id) from evaluation_reply where run_id = %s"
    assert [site.rows(counted, run) for run in (left_alone, faulted)] == [[(pictures * 5, pictures * 5)]] * 2
    assert site.rows("select count(*) from evaluation_replyfailure") == [(0,)]
    cut = "select no, entries from evaluation_chunk where run_id = %s order by no"
    assert site.rows(cut, left_alone) == site.rows(cut, faulted)
    attempts = Counter(n for (n,) in site.rows("select attempt from evaluation_chunk where run_id = %s", faulted))
    again = sum((attempt - 1) * n for attempt, n in attempts.items())
    assert again <= FAULTS  # each kill costs a chunk at most

    undisturbed, disturbed = (answers(site, run) for run in (left_alone, faulted))
    off = float(np.abs(undisturbed - disturbed).max())
    assert off <= 1e-4
    for one, other in zip(decisions(undisturbed), decisions(disturbed), strict=True):
        np.testing.assert_array_equal(one, other)
    with capsys.disabled():
        times = Counter(who for who, _ in killed)
        sys.stdout.write(
            f"\n{FAULTS} kills (seed {SEED}): {dict(sorted(times.items()))} in {seconds:.0f} s; {again} of "
            f"{sum(attempts.values()) - again} chunks computed again; "
            f"{pictures * 5} captions, largest difference {off:.1e}\n"
        )


def done_of(site: Site, run: int) -> int:
    done: list[int] = []

    def asked() -> bool:
        done.extend(
            n for (n,) in site.rows("select count(*) from evaluation_chunk where run_id = %s and state = 'done'", run)
        )
        return True

    site.until(asked)
    return done[-1]


def answers(site: Site, run: int) -> np.ndarray:
    """A run's vectors by item: its picture's, then those of its five texts."""
    found = site.rows(
        "select f.vector from evaluation_run r join evaluation_reply p on p.run_id = r.id"
        " join evaluation_entry e on e.id = p.entry_id cross join (values (0, 'picture'), (1, 'text')) i (place, input)"
        " join evaluation_feature f on f.system_id = r.system_id and f.input_sha256 = p.value -> i.input ->> 0"
        " and f.preparation = p.value -> i.input ->> 1"
        " where r.id = %s and (i.place = 1 or e.part = 0) order by e.item_id, i.place, e.part",
        run,
    )
    return np.stack([from_bytes(vector) for (vector,) in found]).reshape(-1, 6, 64)


def decisions(vectors: np.ndarray) -> Iterator[np.ndarray]:
    """The ranks of the right answers, both ways."""
    pictures, texts = vectors[:, 0], vectors[:, 1:].reshape(-1, 64)
    picture, text = np.arange(len(vectors)), np.repeat(np.arange(len(vectors)), 5)
    yield ranks(texts, pictures, query_owner=text, gallery_owner=picture)
    yield ranks(pictures, texts, query_owner=picture, gallery_owner=text)
