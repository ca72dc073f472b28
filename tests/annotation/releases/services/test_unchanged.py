"""A frozen release of one kind has the digest and the files that it had before releases could hold several kinds."""

import json
from pathlib import Path

import pytest

from annotation.items.models import ItemRevision
from annotation.releases import services
from annotation.releases.models import ReleaseFile
from curation.core import jobs
from tests.annotation.releases.content import accept, captions, filled, frozen, picture, team

pytestmark = pytest.mark.django_db
FORMATS = ["jsonl", "parquet", "csv", "coco_captions", "label_studio", "cvlue_published"]
SUMS = json.loads((Path(__file__).resolve().parents[3] / "data" / "releases_of_one_kind.json").read_text())
# These name when or under which number of the database a release was frozen.
DATED = {"README.md", "checksums.txt", "archive.index"}


def sums(release):
    """The digest of a release, and the sha256 of each of its files."""
    assert jobs.run(release.job_id, services.write_files) == "done"
    files = ReleaseFile.objects.filter(release=release).exclude(name__in=DATED)
    return {"digest": release.digest} | dict(files.order_by("name").values_list("name", "sha256"))


def test_two_releases_of_captions_are_as_before():
    here = team(exporters=FORMATS, withheld=["test"], distance="")
    items = filled(here, 20)
    first = sums(frozen(here))
    accept(here, picture(here, 21), 21)
    item = items[3]
    ItemRevision.objects.create(
        item=item,
        no=3,
        author=here.annotator,
        origin="annotator",
        content=captions(400),
        protocol=here.benchmark.protocol,
        client_key="00000000-0000-0000-0000-000000000003",
    )
    item.revision_no = item.accepted_no = 3
    item.save(update_fields=["revision_no", "accepted_no"])
    items[4].state, items[4].accepted_no = "excluded", None
    items[4].excluded_for = "decision"
    items[4].save(update_fields=["state", "accepted_no", "excluded_for"])
    second = sums(frozen(here, seed=9))
    assert [first, second] == SUMS["frozen captions"]
