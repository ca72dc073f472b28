"""Importing a file: the outcome of each row, what stays unchanged, and who reviews it afterwards."""

import hashlib
import json
import uuid
from pathlib import Path

import pytest

from annotation.imports import queries, services
from annotation.imports.errors import (
    ImportEmpty,
    ImportFormatUnknown,
    ImportKindNotInFormat,
    ImportNotUtf8,
    ImportTooLarge,
)
from annotation.imports.models import Import, ImportRow
from annotation.imports.services import running
from annotation.imports.tasks import run_import
from annotation.items.errors import KindNotInProtocol
from annotation.items.models import Draft, Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages import queries as package_queries
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from curation.core.errors import ClientKeyReused, OperationNotAllowed, OwnWork, StorageFull
from curation.core.jobs import MAX_ATTEMPTS
from curation.core.models import AuditEvent, Job
from curation.core.stores import store
from curation.images.models import Image, Upload
from tests.annotation.track import command, inspecting, items_of
from tests.people import Role, World, person, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def here_with(pictures: int = 3, **protocol: int) -> World:
    made = world(captions_protocol(**({"size": 2} | protocol)))
    accepted_pictures(made.benchmark, made.contributor, made.curator, pictures)
    return made


def upload(here: World, data: bytes | str, **more) -> Import:
    """Upload a file; its job does not run."""
    fields = {"name": "work.jsonl", "format": "auto", "kind": "captions", "target": "items", "reason": ""}
    fields |= {"actor": here.admin, "benchmark_slug": "cvlue", "client_key": uuid.uuid4()} | more
    return services.create_import(blocks=[data.encode() if isinstance(data, str) else data], **fields)


def import_rows(here: World, *rows: dict, **more) -> Import:
    """Upload a file of JSON lines and run its job."""
    return finished(upload(here, "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), **more))


def finished(imported: Import) -> Import:
    run_import(job_id=imported.job_id)
    imported.refresh_from_db()
    return imported


def line(n: int, texts: int | None = None, **more) -> dict:
    return {"image": f"img-{n:04d}"} | five_captions(texts or n) | more


def report(imported: Import) -> list[tuple]:
    return [(r.line, r.outcome, r.code) for r in ImportRow.objects.filter(import_of=imported).order_by("line")]


def counts() -> list[int]:
    return [model.objects.count() for model in (Item, ItemRevision, Draft, Package, PackageItem)]


# --- Items


def test_rows_become_written_items_in_packages_that_wait_for_review():
    here = here_with(3)
    imported = import_rows(here, *(line(n) for n in (3, 1, 2)))
    assert report(imported) == [(1, "made", ""), (2, "made", ""), (3, "made", "")]
    assert imported.counts == {"rows": 3, "made": 3}
    assert imported.finished_at is not None
    revisions = ItemRevision.objects.order_by("item__number")
    assert [(r.content, r.origin, r.author_id, r.no) for r in revisions] == [
        (five_captions(n), "import", here.admin.pk, 1) for n in (3, 1, 2)
    ]
    first, second = Package.objects.order_by("number")
    assert [(p.state, p.assignee, p.round, len(items_of(p))) for p in (first, second)] == [
        ("handed_over", here.admin, 1, 2),
        ("handed_over", here.admin, 1, 1),
    ]
    assert {i.state for i in items_of(first)} == {"made"}
    assert Item.objects.filter(accepted_no__isnull=False).count() == 0
    events = AuditEvent.objects.filter(action="item_submit")
    assert {(e.state_from, e.state_to, e.data["import_id"]) for e in events} == {("todo", "made", imported.pk)}


def test_imported_items_are_judged_by_others_like_all_work():
    here = here_with(2)
    import_rows(here, line(1), line(2))
    package = Package.objects.get()
    with pytest.raises(OperationNotAllowed):
        command(quality.start_review, here.admin, package)
    inspecting(here, package)
    assert package.state == "inspecting"


def test_the_importer_cannot_judge_them_whatever_their_roles():
    here = here_with(2)
    both = person("both", here.benchmark, Role.ADMIN, Role.SENIOR)
    import_rows(here, line(1), line(2), actor=both)
    package = Package.objects.get()
    with pytest.raises(OwnWork):
        command(quality.start_review, both, package)
    # Even when the package has another assignee.
    Package.objects.update(assignee=here.annotator)
    with pytest.raises(OwnWork):
        command(quality.start_review, both, package)
    assert (package.state, Verdict.objects.count()) == ("handed_over", 0)


def test_a_pool_opens_its_seats_for_imported_items():
    content = captions_protocol(size=2)
    content["tracks"]["package"]["review_pool"] = {"people": 1, "held": 5}
    here = world(content)
    accepted_pictures(here.benchmark, here.contributor, here.curator, 2)
    import_rows(here, line(1), line(2))
    package = Package.objects.get()
    assert (package.state, package.pooled, package.reviewer) == ("reviewing", True, None)
    assert Seat.objects.filter(group_id=package.pk, purpose="review", state="free").count() == 2


def test_the_same_file_again_changes_nothing():
    here = here_with(3)
    import_rows(here, *(line(n) for n in (1, 2, 3)))
    before = counts()
    again = import_rows(here, *(line(n) for n in (1, 2, 3)))
    assert {row[1:] for row in report(again)} == {("unchanged", "")}
    assert again.counts == {"rows": 3, "unchanged": 3}
    assert counts() == before


def test_a_row_for_a_picture_of_another_subset_is_rejected():
    content = captions_protocol(size=2)
    content["kinds"]["captions"]["subset"] = "A"
    here = world(content)
    accepted_pictures(here.benchmark, here.contributor, here.curator, 2)
    Image.objects.filter(number=1).update(subset="A")
    imported = import_rows(here, line(1), line(2))
    assert report(imported) == [(1, "made", ""), (2, "refused", "image_outside_subset")]
    refused = ImportRow.objects.get(import_of=imported, line=2)
    assert refused.params == {"image": "img-0002", "subset": "", "expected": "A"}
    assert list(Item.objects.values_list("image__number", flat=True)) == [1]


def test_each_rejected_row_has_a_code_and_does_not_block_others():
    here = here_with(9)
    Image.objects.filter(number=7).update(state="received")
    Image.objects.filter(number=8).update(pii_clear_by=None)
    too_short = [*five_captions(3)["captions"][:4], "短"]
    rows = [
        line(1),
        line(77),
        line(7),
        line(8),
        {"captions": five_captions(1)["captions"]},
        line(2) | {"captions": five_captions(2)["captions"][:4]},
        line(3) | {"captions": too_short},
        line(4) | {"captions": [*five_captions(4)["captions"][:4], "藏着方向控制符\u202e的一句话"]},
        line(4) | {"captions": [*five_captions(4)["captions"][:4], "夹着空字符\0的一句话在此"]},
        line(4) | {"captions": [*five_captions(4)["captions"][:4], 5]},
        line(1, 5),
        line(5, slot=100),
        line(6),
    ]
    imported = import_rows(here, *rows)
    assert report(imported) == [
        (1, "made", ""),
        (2, "refused", "image_unknown"),
        (3, "refused", "image_not_ready"),
        (4, "refused", "image_not_clear"),
        (5, "refused", "image_not_named"),
        (6, "refused", "wrong_count"),
        (7, "refused", "content_refused"),
        (8, "refused", "text_refused"),
        (9, "refused", "text_refused"),
        (10, "refused", "content_malformed"),
        (11, "refused", "item_written"),
        (12, "refused", "slot_refused"),
        (13, "made", ""),
    ]
    assert imported.counts == {"rows": 13, "made": 2, "refused": 11}
    assert sorted(Item.objects.values_list("image__number", flat=True)) == [1, 6]
    row = ImportRow.objects.get(import_of=imported, line=7)
    assert (row.label, row.params["count"]) == ("img-0003", 1)
    assert row.params["findings"] == [
        {"code": "caption_too_short", "field": "captions.4", "params": {"count": 1, "minimum": 8}}
    ]


def test_a_finding_that_allows_it_needs_the_importers_reason_which_reviewers_see():
    here = here_with(1)
    texts = five_captions(1)["captions"]
    alike = line(1) | {"captions": [*texts[:4], texts[0] + "和灯"]}
    refused = import_rows(here, alike)
    assert report(refused) == [(1, "refused", "content_refused")]
    assert counts() == [0, 0, 0, 0, 0]
    made = import_rows(here, alike, reason="两句写的是同一头狮子")
    assert report(made) == [(1, "made", "")]
    assert ItemRevision.objects.get().reasons == {"caption_overlap": "两句写的是同一头狮子"}


def test_items_that_are_in_work_or_written_already_are_not_changed():
    here = here_with(3)
    build = {"actor": here.admin, "benchmark_slug": "cvlue", "kind": "captions", "size": 1, "seed": 1}
    packages.build_packages(**build, complete_only=False, client_key=uuid.uuid4(), maximum=2)
    before = counts()
    packed = list(PackageItem.objects.order_by("package__number").values_list("item__image__number", flat=True))
    imported = import_rows(here, *(line(n) for n in packed))
    assert {row[1:] for row in report(imported)} == {("refused", "item_in_work")}
    assert ImportRow.objects.get(import_of=imported, line=1).params["package"] == "cap-pkg-0001"
    assert counts() == before


def test_rare_characters_and_emoji_come_in_unchanged():
    here = here_with(1)
    texts = [*five_captions(1)["captions"][:4], "𠮷野家门前𰻞𰻞面馆挂起👨‍👩‍👧🏮花灯"]
    import_rows(here, line(1) | {"captions": texts})
    assert ItemRevision.objects.get().content == {"captions": texts}


# --- Pictures


def test_pictures_are_found_by_content_before_label_before_file_name():
    here = here_with(4)
    one, two, three, four = Image.objects.order_by("number")
    for image, name in ((three, "花.jpg"), (four, "a.jpg"), (one, "a.jpg")):
        fields = {"benchmark": here.benchmark, "person": here.contributor, "filename": name, "bytes": 1, "image": image}
        Upload.objects.create(**fields, state="taken", expires_at="2027-01-01T00:00Z", client_key=uuid.uuid4())
    imported = import_rows(
        here,
        line(2) | {"image_sha256": one.sha256},
        {"image": f"x/{two.sha256}.jpg"} | five_captions(2),
        {"image": "https://example.org/%E8%8A%B1.jpg"} | five_captions(3),
        {"image": "a.jpg"} | five_captions(4),
        line(4) | {"image_sha256": hashlib.sha256(b"x").hexdigest()},
    )
    pictures = ImportRow.objects.filter(import_of=imported).order_by("line").values_list("code", "item__image__number")
    assert list(pictures) == [
        ("", 1),
        ("", 2),
        ("", 3),
        ("image_ambiguous", None),
        ("image_unknown", None),
    ]


def test_a_picture_has_an_item_for_each_slot():
    here = here_with(1)
    imported = import_rows(here, line(1), line(1, 2, slot=1))
    assert report(imported) == [(1, "made", ""), (2, "made", "")]
    assert list(Item.objects.order_by("slot").values_list("slot", "number")) == [(0, 1), (1, 2)]


# --- Drafts


def test_the_annotator_of_an_item_finds_the_draft_until_they_save_their_own():
    here = here_with(2)
    imported = import_rows(here, line(1) | {"captions": ["只有一句"]}, line(2), target="drafts")
    assert report(imported) == [(1, "drafted", ""), (2, "drafted", "")]
    assert Package.objects.count() == 0
    build = {"actor": here.admin, "benchmark_slug": "cvlue", "kind": "captions", "size": 2, "seed": 1}
    packages.build_packages(**build, complete_only=False, client_key=uuid.uuid4())
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    work = {w["image"]["label"]: w for w in package_queries.next_work(here.annotator, package.pk, 0)["items"]}
    assert work["img-0001"]["draft"]["content"] == {"captions": ["只有一句", "", "", "", ""]}
    second = work["img-0002"]
    assert (second["draft"]["content"], second["content"]) == (five_captions(2), None)
    writing.save_draft(actor=here.annotator, item_id=second["id"], base_no=0, seq=1, content=five_captions(5))
    shown = {w["id"]: w for w in package_queries.next_work(here.annotator, package.pk, 0)["items"]}
    assert shown[second["id"]]["draft"]["content"] == five_captions(5)
    body = {"item_id": second["id"], "base_no": 0, "content": five_captions(5), "reasons": {}}
    writing.submit_item(actor=here.annotator, client_key=uuid.uuid4(), **body)
    [mine] = [w for w in package_queries.package_detail(here.annotator, package.pk)["items"] if w["id"] == second["id"]]
    assert (mine["draft"], mine["content"]) == (None, five_captions(5))


def test_the_same_draft_is_unchanged_and_another_replaces_it_unless_the_package_was_started():
    here = here_with(1)
    import_rows(here, line(1), target="drafts")
    again = import_rows(here, line(1), target="drafts")
    other = import_rows(here, line(1, 2), target="drafts")
    assert [report(i) for i in (again, other)] == [[(1, "unchanged", "")], [(1, "drafted", "")]]
    assert Draft.objects.get().content == five_captions(2)
    build = {"actor": here.admin, "benchmark_slug": "cvlue", "kind": "captions", "size": 1, "seed": 1}
    packages.build_packages(**build, complete_only=False, client_key=uuid.uuid4())
    packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    late = import_rows(here, line(1, 3), target="drafts")
    assert report(late) == [(1, "refused", "item_in_work")]
    assert Draft.objects.get().content == five_captions(2)


# --- Files


def test_nothing_is_imported_from_a_truncated_file():
    here = here_with(2)
    whole = json.dumps([{"image": "img-0001", "caption": five_captions(1)["captions"]}] * 2, ensure_ascii=False)
    imported = finished(upload(here, whole[:-1]))
    job = Job.objects.get(pk=imported.job_id)
    assert (job.state, job.error_code, job.error_params) == (
        "failed",
        "import_unreadable",
        {"row": 2, "reason": "breaks_off"},
    )
    assert counts() == [0, 0, 0, 0, 0]
    assert ImportRow.objects.count() == 0
    assert imported.finished_at is not None


@pytest.mark.parametrize(
    ("data", "more", "error"),
    [
        (b"", {}, ImportEmpty),
        ("花灯".encode("gb18030"), {}, ImportNotUtf8),
        ("\ufeff[]".encode("utf-16"), {}, ImportNotUtf8),
        (b"image,caption", {}, ImportFormatUnknown),
        (b"x" * 101, {}, ImportTooLarge),
        (b"[]", {"kind": "boxes"}, KindNotInProtocol),
        (b'{"images": []}', {"kind": "vqa"}, ImportKindNotInFormat),
        (b"[]", {"actor": "senior"}, OperationNotAllowed),
    ],
)
def test_a_rejected_file_leaves_nothing(settings, data, more, error):
    here = here_with(1)
    settings.IMPORT_LIMIT_BYTES = 100
    if "actor" in more:
        more = {"actor": here.senior}
    with pytest.raises(error):
        upload(here, data, **more)
    assert (Import.objects.count(), Job.objects.count(), AuditEvent.objects.count()) == (0, 0, 0)
    assert [p for p in Path(settings.MEDIA_ROOT).rglob("*") if p.is_file()] == []


def test_a_repeat_of_the_request_imports_the_file_once():
    here = here_with(1)
    key, data = uuid.uuid4(), json.dumps(line(1))
    first = upload(here, data, client_key=key)
    assert upload(here, data, client_key=key).pk == first.pk
    with pytest.raises(ClientKeyReused):
        upload(here, data, client_key=key, target="drafts")
    assert Import.objects.count() == 1
    finished(first)
    assert not store().exists(first.key)


def test_after_a_crash_the_next_worker_continues_after_the_last_reported_row(monkeypatch):
    here = here_with(5)
    monkeypatch.setattr(running, "ROWS_PER_TRANSACTION", 2)
    imported = upload(here, "\n".join(json.dumps(line(n)) for n in range(1, 6)))
    blocks = []

    def import_block(lease, of, block, *more):
        blocks.append([row.line for row in block])
        if len(blocks) == 2:
            raise OSError("killed")
        real(lease, of, block, *more)

    real = running._import_block
    monkeypatch.setattr(running, "_import_block", import_block)
    run_import(job_id=imported.job_id)
    assert Job.objects.get(pk=imported.job_id).state == "queued"
    assert report(imported) == [(1, "made", ""), (2, "made", "")]
    imported = finished(imported)
    assert blocks == [[1, 2], [3, 4], [3, 4], [5]]
    assert report(imported) == [(n, "made", "") for n in range(1, 6)]
    assert imported.counts == {"rows": 5, "made": 5}
    assert Package.objects.filter(state="handed_over").count() == 3
    run_import(job_id=imported.job_id)
    assert counts() == [5, 5, 0, 3, 5]


def test_an_import_that_fails_at_its_last_attempt_is_finished_and_its_file_is_deleted(monkeypatch):
    imported = upload(here_with(1), json.dumps(line(1)))
    monkeypatch.setattr(running, "_import_block", lambda *_: (_ for _ in ()).throw(OSError("broken")))
    for _ in range(MAX_ATTEMPTS):
        assert store().exists(imported.key)
        assert finished(imported).finished_at is None or Job.objects.get(pk=imported.job_id).state == "failed"
    assert Job.objects.get(pk=imported.job_id).state == "failed"
    assert imported.finished_at is not None
    assert not store().exists(imported.key)


def test_so_is_one_whose_worker_was_killed_at_the_last_attempt():
    imported = upload(here_with(1), json.dumps(line(1)))
    Job.objects.filter(pk=imported.job_id).update(attempt=MAX_ATTEMPTS)
    assert finished(imported).finished_at is not None
    assert Job.objects.get(pk=imported.job_id).error_code == "job_gave_up"
    assert not store().exists(imported.key)


def test_a_full_disk_at_the_last_attempt_finishes_nothing(monkeypatch):
    imported = upload(here_with(1), json.dumps(line(1)))
    Job.objects.filter(pk=imported.job_id).update(attempt=MAX_ATTEMPTS - 1)

    def full(*_):
        raise StorageFull(disk="media", needed=1)

    with monkeypatch.context() as patched:
        patched.setattr(running, "_import_block", full)
        assert finished(imported).finished_at is None
    assert store().exists(imported.key)
    assert Job.objects.get(pk=imported.job_id).state == "queued"
    Job.objects.filter(pk=imported.job_id).update(error_code="", error_params={})
    assert finished(imported).counts == {"rows": 1, "made": 1}


def test_items_of_a_failed_import_are_submitted_by_the_next_one(monkeypatch):
    here = here_with(1)
    imported = upload(here, json.dumps(line(1)))
    monkeypatch.setattr(running, "_complete", lambda *_: (_ for _ in ()).throw(OSError("full")))
    for _ in range(6):
        run_import(job_id=imported.job_id)
    assert Job.objects.get(pk=imported.job_id).state == "failed"
    monkeypatch.undo()
    again = import_rows(here, line(1))
    assert report(again) == [(1, "unchanged", "")]
    assert Package.objects.get().state == "handed_over"


def test_the_page_of_rows_is_filtered_and_names_items():
    here = here_with(2)
    imported = import_rows(here, line(1), line(77), line(2))
    made = queries.row_page(here.admin, imported.pk, outcome="made", cursor=None, page_size=1)
    assert ([r["line"] for r in made["results"]], made["total"]) == ([1], 2)
    rest = queries.row_page(here.admin, imported.pk, outcome="made", cursor=made["next"], page_size=1)
    assert [(r["line"], r["item"]["label"]) for r in rest["results"]] == [(3, "cap-000002")]
    refused = queries.row_page(here.admin, imported.pk, outcome="refused", cursor=None, page_size=5)
    assert [(r["line"], r["label"], r["item"]) for r in refused["results"]] == [(2, "img-0077", None)]
