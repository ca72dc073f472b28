"""Releases that hold several kinds over the same splits: what is frozen, written, compared and withheld of each."""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import uuid

import pytest
import yaml
from django.db import DatabaseError, IntegrityError, transaction

from annotation.items.models import ItemRevision
from annotation.releases import queries, services
from annotation.releases.errors import ReleaseKindNotInProtocol
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage, ReleaseKind
from annotation.releases.rules import canonical
from curation.core import jobs
from tests.annotation.releases.content import accept, captions, freeze, frozen, picture, protocol, questions, team
from tests.kinds import numbers_of

pytestmark = pytest.mark.django_db

READ = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
folder = sys.argv[1]
names = get_dataset_config_names(folder)
print(json.dumps({
    "configs": names,
    "rows": {
        name: {
            split: [{"item": row["item"], "size": row["image"].size} for row in rows]
            for split, rows in load_dataset(folder, name).items()
        }
        for name in names
    },
    "default": sorted(load_dataset(folder)["test"].column_names),
}))
"""


def two_kinds(**release):
    content = protocol(**release)
    return content | {"kinds": content["kinds"] | {"vqa": numbers_of("vqa")}}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def here():
    return benchmark(exporters=["jsonl", "parquet", "csv", "croissant", "coco_captions"])


def benchmark(**release):
    """Captions of pictures 1 to 20, visual questions on 11 to 25."""
    made = team(content=two_kinds(**release))
    pictures = {n: picture(made, n) for n in range(1, 26)}
    for n in range(1, 21):
        accept(made, pictures[n], n)
    for n in range(11, 26):
        accept(made, pictures[n], n, kind="vqa")
    return made


def written(release):
    """The files of a release by name."""
    assert jobs.run(release.job_id, services.write_files) == "done"
    folder = services.folder_of(release.pk)
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def lines(data):
    return [json.loads(line) for line in data.splitlines()]


def revise(here, item, content):
    item.revision_no += 1
    item.accepted_no = item.revision_no
    item.save(update_fields=["revision_no", "accepted_no"])
    ItemRevision.objects.create(
        item=item,
        no=item.revision_no,
        author=here.annotator,
        origin="annotator",
        content=content,
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )


def test_each_picture_has_one_split_for_all_kinds_and_items_follow_kind_by_kind(here):
    release = frozen(here, "vqa", "captions")
    assert (release.label, release.kind, release.number) == ("cvlue-v1", "", 1)
    entries = list(
        ReleaseEntry.objects.filter(release=release).order_by("ordinal").values_list("kind", "split", "ordinal")
    )
    assert [ordinal for *_, ordinal in entries] == list(range(1, 36))
    order = [("captions", s) for s in ("train", "valid", "test")] + [("vqa", s) for s in ("train", "valid", "test")]
    assert [order.index((kind, split)) for kind, split, _ in entries] == sorted(order.index(e[:2]) for e in entries)
    assert [kind for kind, *_ in entries].count("captions") == 20
    assert ReleaseImage.objects.filter(release=release).count() == 25
    of_pictures = dict(ReleaseImage.objects.filter(release=release).values_list("image_id", "split"))
    for image_id, split in ReleaseEntry.objects.filter(release=release).values_list("image_id", "split"):
        assert of_pictures[image_id] == split
    assert {name: n.images for name, n in queries.split_counts(release).items()} == {"train": 15, "valid": 3, "test": 7}
    assert release.left_out == {"picture_without_item": 15}
    assert [own.left_out for own in release.kinds.all()] == [{"picture_without_item": 5}, {"picture_without_item": 10}]


def test_the_digest_is_of_all_kinds_and_each_kind_has_its_own(here):
    release = frozen(here, "captions", "vqa")
    records = list(ReleaseEntry.objects.filter(release=release).order_by("ordinal").values_list("kind", "record"))
    assert release.digest == hashlib.sha256(b"".join(canonical(record) for _, record in records)).hexdigest()
    for own in release.kinds.all():
        content = b"".join(canonical(record) for kind, record in records if kind == own.kind)
        assert own.digest == hashlib.sha256(content).hexdigest()


def test_equal_content_gives_equal_bytes_and_each_kind_is_as_in_a_release_of_its_own(here):
    first, second = (frozen(here, "captions", "vqa") for _ in range(2))
    alone = frozen(here, "captions")
    assert first.digest == second.digest
    assert first.kinds.get(kind="captions").digest == alone.digest == alone.kinds.get().digest
    files, again, single = written(first), written(second), written(alone)
    dated = {"README.md", "croissant.json", "checksums.txt", "archive.index", "changes.jsonl"}  # they name the release
    coco = {name for name in files if name.endswith("-coco.json")}  # so do these
    assert {name: files[name] for name in files if name not in dated | coco} == {
        name: again[name] for name in again if name not in dated | coco
    }
    data = {name for name in single if name not in dated | coco | {"licences.csv"}}
    assert {name: files[name] for name in data} == {name: single[name] for name in data}


def test_every_kind_has_its_files_and_the_whole_has_one_list_of_pictures(here):
    release = frozen(here, "captions", "vqa")
    files = written(release)
    kinds = dict(ReleaseFile.objects.filter(release=release).values_list("name", "kind"))
    splits = ("train", "valid", "test")
    assert {name for name, kind in kinds.items() if kind == "vqa"} == {
        f"vqa-{split}{ending}" for split in splits for ending in (".jsonl", ".csv", "-00000-of-00001.parquet")
    }
    assert {name for name, kind in kinds.items() if kind == ""} == {
        "README.md", "archive.index", "changes.jsonl", "checksums.txt", "croissant.json", "licences.csv",
    }  # fmt: skip
    assert queries.missing_files(release) == []
    for kind, count in (("captions", 20), ("vqa", 15)):
        records = [record for split in splits for record in lines(files[f"{kind}-{split}.jsonl"])]
        assert len(records) == count
        own = release.kinds.get(kind=kind)
        assert own.digest == hashlib.sha256(b"".join(files[f"{kind}-{split}.jsonl"] for split in splits)).hexdigest()
    concatenated = b"".join(files[f"{kind}-{split}.jsonl"] for kind in ("captions", "vqa") for split in splits)
    assert release.digest == hashlib.sha256(concatenated).hexdigest()
    listed = list(csv.DictReader(io.StringIO(files["licences.csv"].decode())))
    assert sorted(row["label"] for row in listed) == [f"img-{n:04d}" for n in range(1, 26)]
    archived = [json.loads(line)[0] for line in files["archive.index"].splitlines()]
    assert len(archived) == len(set(archived))
    assert len([name for name in archived if name.startswith("images/")]) == 25
    sums = dict(reversed(line.split("  ")) for line in files["checksums.txt"].decode().splitlines())
    assert all(hashlib.sha256(files[name]).hexdigest() == sha256 for name, sha256 in sums.items())
    described = json.loads(files["croissant.json"])
    assert [one["@id"] for one in described["recordSet"]] == [
        f"{kind}-{split}{part}" for kind in ("captions", "vqa") for split in splits for part in ("", "-pictures")
    ]


def test_the_card_has_what_they_share_once_and_a_part_for_each_kind(here):
    release = frozen(here, "captions", "vqa")
    files = written(release)
    _, front, body = files["README.md"].decode().split("---\n", 2)
    read = yaml.safe_load(front)
    assert [(one["config_name"], one.get("default")) for one in read["configs"]] == [("captions", True), ("vqa", None)]
    assert read["tags"] == ["lantern", "captions", "vqa"]
    assert "| captions | 20 | 20 | none |\n| vqa | 15 | 15 | none |" in body
    assert "| all | | 25 | 35 | |" in body
    assert [line for line in body.splitlines() if line.startswith("## ")] == [
        "## Kinds", "## Splits", "## Licences", "## Consent", "## Kind `captions`", "## Kind `vqa`",
        "## Protocol and versions", "## Checking",
    ]  # fmt: skip
    assert body.count("### Fields") == body.count("### Texts") == 2
    order = " ".join(f"{kind}-{split}.jsonl" for kind in ("captions", "vqa") for split in ("train", "valid", "test"))
    assert f"`cat {order} | sha256sum` gives it." in body
    assert release.digest in body


def test_datasets_loads_each_kind(here, tmp_path):
    release = frozen(here, "captions", "vqa")
    files = written(release)
    folder = tmp_path / "moved"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    environment = os.environ | {"HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", READ, str(folder)], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    assert read["configs"] == ["captions", "vqa"]
    assert "captions" in read["default"]
    for kind in ("captions", "vqa"):
        for split, rows in read["rows"][kind].items():
            assert [row["item"] for row in rows] == [r["item"] for r in lines(files[f"{kind}-{split}.jsonl"])]
            assert all(row["size"] == [24, 16] for row in rows)


def test_each_kind_is_compared_with_the_newest_earlier_release_that_has_it(here):
    captions_alone = frozen(here, "captions")
    mixed = frozen(here, "captions", "vqa")
    previous = {own.kind: own.previous for own in mixed.kinds.all()}
    assert previous == {"captions": captions_alone, "vqa": None}
    assert mixed.changes == {"added": 0, "removed": 0, "changed": 0}
    entry = ReleaseEntry.objects.get(release=mixed, item__number=12, kind="vqa")
    revise(here, entry.item, questions(99))
    accept(here, picture(here, 30), 30)
    vqa_alone = frozen(here, "vqa")
    assert (vqa_alone.kinds.get().previous, vqa_alone.changes) == (mixed, {"added": 0, "removed": 0, "changed": 1})
    both = frozen(here, "captions", "vqa")
    assert {own.kind: own.previous for own in both.kinds.all()} == {"captions": mixed, "vqa": vqa_alone}
    assert [own.changes for own in both.kinds.all()] == [
        {"added": 1, "removed": 0, "changed": 0},
        {"added": 0, "removed": 0, "changed": 0},
    ]
    changes = lines(written(both)["changes.jsonl"])
    assert [(c["kind"], c["change"], c["item"]) for c in changes] == [("captions", "added", "cap-000030")]
    # Withdrawn releases are not compared with; a picture keeps its split whatever the kinds.
    services.withdraw_release(actor=here.admin, release_id=both.pk, reason="x", client_key=uuid.uuid4())
    last = frozen(here, "captions", "vqa", seed=99)
    assert {own.kind: own.previous for own in last.kinds.all()} == {"captions": mixed, "vqa": vqa_alone}
    splits = dict(ReleaseImage.objects.filter(release=last).values_list("image_id", "split"))
    for earlier in (captions_alone, mixed, vqa_alone, both):
        assert (
            dict(ReleaseImage.objects.filter(release=earlier).values_list("image_id", "split")).items()
            <= splits.items()
        )
    assert [r.label for r in Release.objects.order_by("number")] == [
        "captions-v1", "cvlue-v1", "vqa-v1", "cvlue-v2", "cvlue-v3",
    ]  # fmt: skip


def test_withheld_answers_of_each_kind_are_in_its_key_alone():
    exporters = ["jsonl", "csv", "label_studio", "cvlue_published", "croissant"]
    here = benchmark(exporters=exporters, withheld=["test"])
    release = frozen(here, "captions", "vqa")
    files = written(release)
    keys = {f"{kind}-test-key.jsonl" for kind in ("captions", "vqa")}
    rows = ReleaseFile.objects.filter(release=release)
    assert set(rows.filter(is_key=True).values_list("name", flat=True)) == keys
    assert dict(rows.filter(is_key=True).values_list("name", "kind")) == {
        "captions-test-key.jsonl": "captions",
        "vqa-test-key.jsonl": "vqa",
    }
    tests = ReleaseEntry.objects.filter(release=release, split="test")
    texts = {c for record in tests.filter(kind="captions").values_list("record", flat=True) for c in record["captions"]}
    pool = "cvlue-ic-test-captions.json"  # the pool that is searched: every text, in no order of pictures
    for name, data in files.items():
        if name not in keys | {pool}:
            assert not any(text.encode() in data for text in texts), name
    for name in ("vqa-test.jsonl", "cvlue-vqa-test.json", "vqa-test.csv", "vqa-test-label-studio.json"):
        assert "号东西".encode() not in files[name], name
    assert lines(files["captions-test-key.jsonl"])[0]["captions"][0].startswith("第")
    assert all(one.endswith(f"号东西{n}") for n, one in enumerate(lines(files["vqa-test-key.jsonl"])[0]["answers"], 1))
    for name in ("README.md", "croissant.json", "checksums.txt", "captions-test.jsonl"):
        for digest in (release.digest, *(own.digest for own in release.kinds.all())):
            assert digest.encode() not in files[name]


def test_a_worker_that_was_interrupted_writes_the_same_bytes(here):
    release = frozen(here, "captions", "vqa")
    expected = written(release)
    sums = dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))
    for name in (
        "vqa-test.jsonl",
        "licences.csv",
        "README.md",
        "archive.index",
        "captions-train-00000-of-00001.parquet",
    ):
        (services.folder_of(release.pk) / name).unlink()
    job = services.write_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4()).job_id
    assert jobs.run(job, services.write_files) == "done"
    folder = services.folder_of(release.pk)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected
    assert dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256")) == sums


def test_pictures_listed_before_an_interruption_are_not_listed_again(here):
    release = frozen(here, "captions", "vqa")
    rows = list(queries.first_records(release.pk, range(1, 36)))
    assert [row.is_first for row in rows].count(True) == 25
    assert list(queries.first_records(release.pk, range(21, 36))) == rows[20:]
    assert all(row.is_first for row in rows[:20])


def test_a_kind_without_accepted_items_keeps_all_from_being_frozen(here):
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions", "vqa"], seed=7, client_key=uuid.uuid4()
    )
    assert release.label == "cvlue-v1"
    for entry in here.benchmark.items.filter(kind="vqa"):
        entry.state, entry.accepted_no = "made", None
        entry.save(update_fields=["state", "accepted_no"])
    failures = queries.current_failures(queries_release(release))
    assert [(failure.code, failure.label) for failure in failures] == [("nothing_accepted", "vqa")]


def queries_release(release):
    return Release.objects.select_related("benchmark", "protocol").get(pk=release.pk)


@pytest.mark.parametrize("kinds", [["captions", "boxes"], ["multiple_choice"], ["captions", "captions", "x"]])
def test_every_kind_must_be_in_the_protocol(here, kinds):
    with pytest.raises(ReleaseKindNotInProtocol) as refused:
        services.create_release(actor=here.admin, benchmark_slug="cvlue", kinds=kinds, client_key=uuid.uuid4())
    assert refused.value.params == {"kind": kinds[-1]}
    assert Release.objects.count() == 0


def test_a_kind_named_twice_is_held_once(here):
    release = frozen(here, "captions", "captions")
    assert (release.label, release.kind) == ("captions-v1", "captions")
    assert release.kinds.get().place == 1


def test_what_a_release_holds_of_a_kind_is_final(here):
    release = frozen(here, "captions", "vqa")
    own = release.kinds.first()
    for change in (
        lambda: ReleaseKind.objects.filter(release=release, kind="vqa").update(digest="x"),
        lambda: ReleaseKind.objects.filter(release=release, kind="vqa").delete(),
        lambda: ReleaseKind.objects.create(release=release, kind="boxes", place=3),
    ):
        with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"), transaction.atomic():
            change()
    assert list(release.kinds.values_list("kind", flat=True)) == ["captions", "vqa"]
    assert own.digest


def test_the_database_refuses_an_entry_of_a_kind_that_the_release_does_not_hold(here):
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=7, client_key=uuid.uuid4()
    )
    item = here.benchmark.items.filter(kind="vqa").first()
    ReleaseImage.objects.create(release=release, image=item.image, split="test")
    values = {"release": release, "item": item, "revision_no": 2, "image": item.image, "split": "test", "ordinal": 1}
    for kind in ("vqa", ""):
        with pytest.raises(IntegrityError, match="release_entry_of_kind"), transaction.atomic():
            ReleaseEntry.objects.create(**values, kind=kind, rendition=item.image.renditions.get())


def test_errata_of_one_kind_are_not_corrected_by_a_release_of_another(here):
    mixed = frozen(here, "captions", "vqa")
    jobs.run(mixed.job_id, services.write_files)
    services.publish_release(actor=here.admin, release_id=mixed.pk, client_key=uuid.uuid4())
    for item in ("cap-000003", "vqa-000012"):
        erratum = services.report_erratum(
            actor=here.annotator, benchmark_slug="cvlue", text="wrong", client_key=uuid.uuid4(), item=item
        )
        services.confirm_erratum(actor=here.admin, erratum_id=erratum.pk, note={"en": "wrong"}, client_key=uuid.uuid4())
    assert [erratum.item for erratum in queries.errata_of(mixed)] == ["cap-000003", "vqa-000012"]
    revise(here, here.benchmark.items.get(kind="captions", number=3), captions(300))
    assert frozen(here, "captions").corrected == {"cap-000003": [1]}
    revise(here, here.benchmark.items.get(kind="vqa", number=12), questions(300))
    assert frozen(here, "captions", "vqa").corrected == {"vqa-000012": [2]}


def test_the_page_shows_each_kind(here):
    release = frozen(here, "captions", "vqa")
    shown = queries.release_detail(here.admin, release.pk)
    assert (shown["kinds"], shown["images"], shown["items"]) == (["captions", "vqa"], 25, 35)
    assert [(own["kind"], own["images"], own["items"]) for own in shown["by_kind"]] == [
        ("captions", 20, 20),
        ("vqa", 15, 15),
    ]
    assert shown["formats"] == ["jsonl", "parquet", "csv", "croissant", "coco_captions"]
    assert [own["formats"][-1] for own in shown["by_kind"]] == ["coco_captions", "croissant"]
    [row] = queries.release_page(here.admin, "cvlue", page_size=9)["results"]
    assert (row["kinds"], row["images"], row["items"]) == (["captions", "vqa"], 25, 35)
    draft = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions", "vqa"], seed=7, client_key=uuid.uuid4()
    )
    row = queries.saved_release(here.admin, draft)
    assert (row["kinds"], row["images"], row["items"]) == (["captions", "vqa"], 25, 35)
    again = queries.release_detail(here.admin, draft.pk)
    assert again["splits"] == shown["splits"]
    assert freeze(here.admin, draft).digest == release.digest
