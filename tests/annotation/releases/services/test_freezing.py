"""Freezing: what goes in, which splits it gets, how it differs, and that nothing moves afterwards."""

import hashlib
import uuid
from collections import Counter

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from annotation.items.models import Item, ItemRevision
from annotation.releases import access, queries, rules, services
from annotation.releases.errors import GatesFailed, ReleaseKindNotInProtocol
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from curation.benchmarks.models import ProtocolVersion
from curation.core import jobs
from curation.core.models import AuditEvent, Job
from curation.images.models import Image, NearPair
from curation.taxonomy.models import Category
from tests.annotation.releases.content import accept, accepted, captions, filled, frozen, picture, protocol, team
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@shared
def here():
    return team()


def draft(here, **settings):
    settings = {"kinds": ["captions"], "seed": 7} | settings
    return services.create_release(
        actor=here.admin, benchmark_slug=here.benchmark.slug, client_key=uuid.uuid4(), **settings
    )


def follow(here, content):
    """Have the benchmark follow another version of its protocol from now on."""
    now = here.benchmark.protocol
    values = {"version": now.version + 1, "name": now.name, "source_sha256": "0" * 64, "content": content}
    here.benchmark.protocol = ProtocolVersion.objects.create(benchmark=here.benchmark, **values)
    here.benchmark.save(update_fields=["protocol"])


def freeze_requested(here, **settings):
    """A checked release whose freeze is requested."""
    release = draft(here, **settings)
    services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    return services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())


def everything():
    tables = (Release, ReleaseImage, ReleaseEntry, ReleaseFile, AuditEvent)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def splits_of(release):
    return dict(ReleaseImage.objects.filter(release=release).values_list("image__number", "split"))


# --- what goes in


def test_a_frozen_release_holds_every_accepted_revision_once(here):
    items = filled(here, 20)
    Item.objects.create(
        benchmark=here.benchmark, kind="captions", image=picture(here, 21), number=21, state="made", revision_no=0
    )
    picture(here, 22)
    newest = AuditEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    stored = frozen(here)
    assert stored.state == "frozen"
    assert stored.frozen_at is not None
    assert newest < stored.event_id < AuditEvent.objects.get(action="release_freeze", state_to="frozen").pk
    entries = list(ReleaseEntry.objects.filter(release=stored).order_by("ordinal"))
    assert {e.item_id for e in entries} == {i.pk for i in items}
    assert {e.revision_no for e in entries} == {2}
    assert [e.ordinal for e in entries] == list(range(1, 21))
    assert [e.split for e in entries] == ["train"] * 12 + ["valid"] * 2 + ["test"] * 6
    for split in ("train", "valid", "test"):
        numbers = [e.record["id"] for e in entries if e.split == split]
        assert numbers == sorted(numbers)
    drawn = rules.draw_splits(
        {i.image.number: i.image.category.slug if i.image.category else "" for i in items},
        {"train": 60, "valid": 10, "test": 30},
        7,
    )
    assert {e.record["id"]: e.split for e in entries} == drawn == splits_of(stored)
    assert {e.record["id"]: e.record["captions"] for e in entries} == {n: captions(n)["captions"] for n in range(1, 21)}
    assert stored.digest == hashlib.sha256(b"".join(rules.canonical(e.record) for e in entries)).hexdigest()
    assert stored.left_out == {"item_made": 1, "picture_without_item": 1}
    assert (stored.kinds.get().previous, stored.changes) == (None, None)


def test_only_pictures_of_the_kinds_subset_are_missing_an_item(here):
    content = here.benchmark.protocol.content
    captions_ = content["kinds"]["captions"] | {"subset": "A"}
    follow(here, content | {"kinds": content["kinds"] | {"captions": captions_}})
    filled(here, 4)
    picture(here, 21)
    Image.objects.filter(pk=picture(here, 22).pk).update(subset="B")
    Image.objects.exclude(number=22).update(subset="A")
    assert frozen(here).left_out == {"picture_without_item": 1}


def test_freezing_leaves_a_job_for_the_files_and_an_audit_entry(here):
    filled(here, 5)
    release = frozen(here)
    job = Job.objects.get(pk=release.job_id)
    assert (job.task, job.state, job.args, job.benchmark_id, job.actor_id) == (
        "annotation.write_release_files",
        "queued",
        {"release_id": release.pk},
        here.benchmark.pk,
        here.admin.pk,
    )
    requested, done = AuditEvent.objects.filter(action="release_freeze").order_by("pk")
    assert (requested.state_to, requested.data["job"]) == ("", Job.objects.get(task="annotation.freeze_release").pk)
    assert (done.state_from, done.state_to, done.target_id, done.actor_id) == (
        "checked",
        "frozen",
        release.pk,
        here.admin.pk,
    )
    assert done.data == {"images": 5, "items": 5, "digest": release.digest, "left_out": {}}


def test_several_items_of_a_picture_share_its_split(here):
    filled(here, 7)
    for number in range(1, 8):
        accept(here, Image.objects.get(number=number), 100 + number, slot=1)
    entries = list(ReleaseEntry.objects.filter(release=frozen(here)).order_by("ordinal"))
    assert [e.record["item"][-1] for e in entries[::2]] == [e.record["item"][-1] for e in entries[1::2]]
    assert Counter(e.split for e in entries) == {"train": 8, "valid": 2, "test": 4}


def test_another_benchmarks_work_stays_out(here):
    filled(here, 3)
    other = team(slug="other", prefix="x")
    accepted(other, 1)
    assert ReleaseEntry.objects.get(release=frozen(other)).item.benchmark_id == other.benchmark.pk


def test_failures_since_the_request_keep_it_checked(here):
    items = filled(here, 3)
    release = freeze_requested(here)
    Image.objects.filter(pk=items[0].image_id).update(licence="unclear")
    before = everything()
    assert jobs.run(release.job_id, services.freeze) == "failed"
    assert everything() == before
    job = Job.objects.get(pk=release.job_id)
    assert (job.error_code, [g["label"] for g in job.error_params["gates"]]) == ("gates_failed", ["img-0001"])
    Image.objects.filter(pk=items[0].image_id).update(licence="CC-BY-4.0")
    again = services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert again.job_id != job.pk
    assert jobs.run(again.job_id, services.freeze) == "done"


def test_a_freeze_that_two_workers_carry_out_happens_once(here):
    filled(here, 3)
    release = freeze_requested(here)
    job = Job.objects.get(pk=release.job_id)
    assert jobs.run(job.pk, services.freeze) == "done"
    before = everything()
    Job.objects.filter(pk=job.pk).update(state="queued", finished_at=None)  # as one whose lease ran out
    assert jobs.run(job.pk, services.freeze) == "done"
    assert everything() == before


def test_near_duplicates_in_two_splits_keep_it_from_being_frozen(here):
    images = [accepted(here, number, category=None).image for number in range(1, 11)]
    NearPair.objects.bulk_create(NearPair(image=a, other=b, distance=2) for a in images for b in images if a != b)
    gates = queries.current_failures(draft(here))
    # 6 in train, 1 in valid, 3 in test: 6·1 + 6·3 + 1·3 pairs are in different splits
    assert Counter(gate.code for gate in gates) == {"near_duplicate_across_splits": 27}
    assert gates[0].params.keys() == {"other", "distance", "splits", "total"}


def test_unfinished_items_and_small_categories_are_gates_where_the_protocol_says_so(db):
    content = protocol(gates=["item_not_accepted", "quota"])
    content["images"]["quota"] = {"per_category_minimum": 1, "per_category_target": 2}
    here = team(content=content)
    accepted(here, 1)  # category tea
    states = ("made", "returned", "skipped", "todo", "excluded")
    items = [
        Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image=picture(here, n),
            number=n,
            state=state,
            excluded_for="picture" if state == "excluded" else "",
        )
        for n, state in zip((4, 8, 12, 16, 20), states, strict=True)
    ]  # category panda
    failures = queries.current_failures(draft(here))
    assert [(g.code, g.label, g.params["total"], g.path) for g in failures] == [
        *(("item_not_accepted", f"cap-{item.number:06d}", 3, f"/items/{item.pk}") for item in items[:3]),
        ("quota", "kite", 1, "/pictures?category=kite"),
    ]


def test_a_draft_goes_by_the_protocol_of_now_and_what_was_checked_by_its_own(db):
    content = protocol(gates=["quota"])
    content["images"]["quota"] = {"per_category_minimum": 2, "per_category_target": 2}
    here = team(content=content)
    filled(here, 4)
    release = draft(here)
    assert len(queries.release_detail(here.admin, release.pk)["gates"]) == 3
    first = here.benchmark.protocol
    follow(here, content | {"images": content["images"] | {"quota": None}})
    detail = queries.release_detail(here.admin, release.pk)
    assert (detail["gates"], detail["protocol_version"]) == ([], first.version + 1)
    services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    follow(here, content)
    detail = queries.release_detail(here.admin, release.pk)
    assert (detail["gates"], detail["protocol_version"]) == ([], first.version + 1)
    services.reopen_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    with pytest.raises(GatesFailed):
        services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert Release.objects.get(pk=release.pk).protocol.version == first.version + 1
    follow(here, {name: part for name, part in content.items() if name != "kinds"} | {"kinds": {}})
    with pytest.raises(ReleaseKindNotInProtocol):
        services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())


def test_a_freeze_that_ends_while_its_page_is_read_is_seen(here, monkeypatch):
    filled(here, 4)
    requested, read = freeze_requested(here), access.release_for

    def read_and_freeze(*args, **kwargs):
        monkeypatch.undo()
        release = read(*args, **kwargs)
        assert jobs.run(requested.job_id, services.freeze) == "done"
        return release

    monkeypatch.setattr(access, "release_for", read_and_freeze)
    detail = queries.release_detail(here.admin, requested.pk)
    assert (detail["state"], detail["job"]["kind"]) == ("frozen", services.WRITE_FILES)


# --- splits that pictures have already


def test_pictures_keep_the_splits_of_earlier_releases_of_any_kind(here):
    filled(here, 20)
    first = splits_of(frozen(here))
    for number in range(21, 31):
        accepted(here, number)
    second = splits_of(frozen(here, seed=8))
    assert {number: second[number] for number in first} == first
    assert Counter(second.values()) == {"train": 18, "valid": 3, "test": 9}
    anew = splits_of(frozen(here, seed=8, splits_from="anew"))
    assert anew != second
    drawn = rules.draw_splits(
        {i.number: i.category.slug if i.category else "" for i in Image.objects.select_related("category")},
        {"train": 60, "valid": 10, "test": 30},
        8,
    )
    assert anew == drawn
    # The newest frozen one tells; also when it was withdrawn.
    newest = Release.objects.order_by("-frozen_at").first()
    services.withdraw_release(actor=here.admin, release_id=newest.pk, reason="错", client_key=uuid.uuid4())
    assert splits_of(frozen(here, seed=9)) == anew


# --- what changed since the one before


def revise(here, item, content):
    """Accept another revision of an item."""
    ItemRevision.objects.create(
        item=item,
        no=3,
        author=here.annotator,
        origin="annotator",
        content=content,
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=item.pk).update(revision_no=3, accepted_no=3)


def test_what_changed_since_the_release_before_is_listed(here):
    items = filled(here, 6)
    first = frozen(here)
    revise(here, items[0], captions(99))
    Image.objects.filter(pk=items[1].image_id).update(licence="own-work")
    Item.objects.filter(pk=items[2].pk).update(state="excluded", excluded_for="picture", accepted_no=None)
    accepted(here, 7)
    second = frozen(here)
    assert second.kinds.get().previous == first
    assert second.changes == {"added": 1, "removed": 1, "changed": 2}
    changes = [(c["change"], c["label"], c["previous_revision"], c["revision"]) for c in queries.changes_of(second)]
    assert changes == [
        ("added", "cap-000007", None, 2),
        ("removed", "cap-000003", 2, None),
        *sorted([("changed", "cap-000001", 2, 3), ("changed", "cap-000002", 2, 2)], key=order_in(second)),
    ]
    first_page = queries.change_page(here.admin, second.pk, change="changed", cursor=None, page_size=1)
    rest = queries.change_page(here.admin, second.pk, change="changed", cursor=first_page["next"], page_size=1)
    rows = {row["label"]: row for row in first_page["results"] + rest["results"]}
    assert (first_page["total"], rest["next"]) == (2, None)
    one = rows["cap-000001"]
    assert (one["first_text"], one["previous_text"]) == (captions(99)["captions"][0], captions(1)["captions"][0])
    assert (one["revision"], one["previous_revision"], one["image"]["label"]) == (3, 2, "img-0001")
    [removed] = queries.change_page(here.admin, second.pk, change="removed", cursor=None, page_size=50)["results"]
    assert (removed["label"], removed["first_text"], removed["previous_text"]) == (
        "cap-000003",
        None,
        captions(3)["captions"][0],
    )
    # A withdrawn release is nothing to compare with.
    services.withdraw_release(actor=here.admin, release_id=second.pk, reason="错", client_key=uuid.uuid4())
    assert frozen(here).kinds.get().previous == first


def groups(release):
    """The groups of cultural distance in a release's records, by category."""
    return {e.record["category"]: e.record["distance"] for e in ReleaseEntry.objects.filter(release=release)}


def test_a_release_keeps_the_groups_of_cultural_distance_that_it_was_frozen_with(here):
    filled(here, 4)  # one of each category, and one without
    first = frozen(here)
    kept = {"tea": "closest", "kite": "closest", "": "", "panda": "closest"}
    assert groups(first) == kept
    Category.objects.filter(benchmark=here.benchmark, slug="tea").update(distance="moderate")
    second = frozen(here)
    assert (groups(first), groups(second)) == (kept, kept | {"tea": "moderate"})
    [(change, label)] = [(c["change"], c["label"]) for c in queries.changes_of(second)]
    assert (change, label) == ("changed", "cap-000001")


def test_a_previous_release_from_before_groups_were_released_is_equal(here):
    filled(here, 2)
    Category.objects.filter(benchmark=here.benchmark).update(distance="")
    first = frozen(here)
    assert {"distance" in e.record for e in ReleaseEntry.objects.filter(release=first)} == {False}
    Category.objects.filter(benchmark=here.benchmark).update(distance="moderate")
    second = frozen(here)
    assert set(groups(second).values()) == {"moderate"}
    assert second.changes == {"added": 0, "removed": 0, "changed": 0}


@pytest.mark.django_db(transaction=True)
def test_nothing_is_covered_while_a_release_is_frozen():
    here = team()
    items = filled(here, 2)
    release = draft(here)
    other = connection.copy()
    try:
        with transaction.atomic(), other.cursor() as cursor:
            queries.lock_pictures(release)
            for item in items:
                with pytest.raises(OperationalError, match="could not obtain lock"):
                    cursor.execute(
                        "select 1 from curation_image where id = %s for no key update nowait", [item.image_id]
                    )
                cursor.execute("select 1 from curation_image where id = %s for share nowait", [item.image_id])
    finally:
        other.close()


def order_in(release):
    """The order in which a release lists items."""
    ordinals = {e.record["item"]: e.ordinal for e in ReleaseEntry.objects.filter(release=release)}
    return lambda change: ordinals[change[1]]


# --- what the database refuses


def run(sql, *params):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


@pytest.mark.parametrize("table", ["annotation_releaseentry", "annotation_releaseimage"])
@pytest.mark.parametrize("change", ["update {} set split = 'test'", "delete from {}"])
def test_frozen_rows_refuse_change_and_removal(here, table, change):
    filled(here, 4)
    frozen(here)
    before = everything()
    with pytest.raises(DatabaseError, match="append-only"):
        run(change.format(table))
    assert everything() == before


def test_nothing_is_added_to_frozen_releases(here):
    filled(here, 4)
    release = frozen(here)
    image = picture(here, 50)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run(
            "insert into annotation_releaseimage (release_id, image_id, split) values (%s, %s, 'test')",
            release.pk,
            image.pk,
        )
    entry = ReleaseEntry.objects.filter(release=release).values().first()
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"), transaction.atomic():
        ReleaseEntry.objects.create(**(entry | {"item_id": accept(here, image, 50).pk, "ordinal": 9}))


@pytest.mark.parametrize(
    "change",
    [
        "seed = seed + 1",
        "digest = 'other'",
        "state = 'draft'",
        "number = 9",
        "event_id = 1",
        "frozen_at = now()",
        "notes = 'other'",
        "left_out = '{\"item_made\": 1}'",
        "changes = '{}'",
    ],
)
def test_the_content_of_a_frozen_release_is_final(here, change):
    filled(here, 4)
    release = frozen(here)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run(f"update annotation_release set {change} where id = %s", release.pk)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run("delete from annotation_release where id = %s", release.pk)
    run(
        "update annotation_release set state = 'withdrawn', withdrawn_at = now(), withdrawn_reason = 'x' where id = %s",
        release.pk,
    )


def test_the_database_refuses_a_picture_in_two_splits(here):
    items = filled(here, 2)
    release = draft(here)
    ReleaseImage.objects.create(release=release, image=items[0].image, split="train")
    with pytest.raises(IntegrityError), transaction.atomic():
        ReleaseImage.objects.create(release=release, image=items[0].image, split="test")
    rendition = items[0].image.renditions.get()
    entry = ReleaseEntry(
        release=release,
        item=items[0],
        kind="captions",
        revision_no=2,
        image=items[0].image,
        rendition=rendition,
        split="test",
        ordinal=1,
    )
    with pytest.raises(IntegrityError, match="release_entry_in_split"), transaction.atomic():
        entry.save(force_insert=True)
