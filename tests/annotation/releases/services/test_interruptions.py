"""Killed workers and full disks, with real processes and file systems: no work is lost, no partial file published."""

import json
import os
import signal
import subprocess
import sys
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from annotation.releases import services
from annotation.releases.models import ReleaseFile
from curation.core import jobs
from curation.core.models import Job
from tests.annotation.releases.content import filled, frozen, team

OWN_MOUNTS = ["unshare", "--user", "--map-root-user", "--mount"]


@pytest.fixture
def media(transactional_db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def worker(media, job_id, *options, within=()):
    """Run a job in its own process; return the ended process."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return subprocess.run(
        [*within, sys.executable, "-m", "tests.annotation.releases.services.worker", str(job_id), *map(str, options)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DATABASE_URL": address.geturl(), "MEDIA_ROOT": str(media)},
    )


def sums(release):
    return dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))


@pytest.mark.system
def test_a_killed_worker_costs_what_it_did_since_its_last_mark(media):
    filled(team(exporters=["jsonl", "csv", "parquet"]), 40)
    here = team(slug="other", prefix="o", exporters=["jsonl", "csv", "parquet"])
    filled(here, 40)
    calm, release = frozen(here), frozen(here)
    assert jobs.run(calm.job_id, services.write_files) == "done"

    # Of five equal parts (lines, shards, table, licences, card) three are written and a tenth of the fourth.
    died = worker(media, release.job_id, "--die-at", ".licences.csv.place.new", 2)
    assert died.returncode == -signal.SIGKILL, died.stderr
    folder = services.folder_of(release.pk)
    assert len(sums(release)) == 9
    assert {path.name for path in folder.iterdir()} - set(sums(release)) == {
        ".licences.csv.part",
        ".licences.csv.place",
        ".licences.csv.place.new",
    }
    job = Job.objects.get(pk=release.job_id)
    assert (job.state, job.total) == ("running", 240)
    assert jobs.run(job.pk, services.write_files) == "lost"  # its lease has not expired

    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    resumed = worker(media, release.job_id)
    assert resumed.returncode == 0, resumed.stderr
    result = json.loads(resumed.stdout)
    assert (result["state"], result["done"]) == ("done", 240)
    # Of the licences' twenty checkpoints the first is not repeated; finished files are not touched.
    assert result["renames"] == {
        ".licences.csv.place.new": 19,
        ".licences.csv.part": 1,
        ".changes.jsonl.part": 1,
        ".README.md.part": 1,
        ".checksums.txt.part": 1,
        ".archive.index.place.new": 20,
        ".archive.index.part": 1,
    }
    same = sums(calm).keys() - {"README.md", "checksums.txt", "archive.index"}
    assert {name: sums(release)[name] for name in same} == {name: sums(calm)[name] for name in same}
    assert sorted(sums(release)) == sorted(path.name for path in folder.iterdir()) == sorted(sums(calm))


@pytest.mark.parametrize(
    ("space", "unfinished"), [pytest.param(20_000, False, id="too little"), pytest.param(102_000, True, id="runs out")]
)
def test_a_full_disk_is_reported_publishes_no_partial_file_and_resumes_with_space(media, space, unfinished):
    if subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode:
        pytest.fail("This machine does not allow private mounts (unshare), which the test of full disks needs.")
    here = team(exporters=["jsonl", "csv"], distance="")
    filled(here, 40)
    release = frozen(here)
    done = worker(media, release.job_id, "--room", space, within=OWN_MOUNTS)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    full = result["full"]
    assert (full["state"], full["error"]) == ("queued", "storage_full")
    assert full["params"]["free"] < full["params"]["needed"]
    if unfinished:  # the table repeats what its pictures have in common, so it is larger than the estimate
        assert result["rows"]
        assert [name for name in result["in_folder"] if not name.startswith(".")] == result["rows"]
        assert [name for name in result["in_folder"] if name.endswith(".part")]
    else:
        assert (result["in_folder"], result["rows"]) == ([], [])
    assert (result["too_early"]["state"], result["retried"]["state"]) == ("lost", "done")
    assert result["files"] == sorted(sums(release))
    assert not [name for name in result["files"] if name.startswith(".")]
