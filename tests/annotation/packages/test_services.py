"""The package track up to hand-over, through the services."""

import uuid

import pytest

from annotation.items.errors import ContentRefused, StaleRevision, TrackNotInProtocol
from annotation.items.models import Draft, Item, ItemRevision
from annotation.packages import queries, services
from annotation.packages.errors import NoPackageLeft, NotAllChecked, NothingToPack, ReturnedPackageWaits
from annotation.packages.models import Package, PackageItem
from annotation.tracks import services as writing
from curation.benchmarks.models import ProtocolVersion
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, StaleRow
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people.models import Person
from tests.people import world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    made = world(captions_protocol(size=3))
    accepted_pictures(made.benchmark, made.contributor, made.curator, 7)
    return made


def build(here, **more):
    given = {"kind": "captions", "size": None, "seed": 7, "complete_only": False, "client_key": uuid.uuid4()}
    return services.build_packages(actor=here.admin, benchmark_slug="cvlue", **(given | more))


def claim(who, slug="cvlue"):
    return services.claim_package(actor=who, benchmark_slug=slug, kind="captions")


def submit(who, item, n=0, *, base_no=None, key=None, reasons=None, content=None):
    return writing.submit_item(
        actor=who,
        item_id=item.pk,
        base_no=item.revision_no if base_no is None else base_no,
        content=content or five_captions(n),
        reasons=reasons or {},
        client_key=key or uuid.uuid4(),
    )


def items_of(package):
    return [m.item for m in PackageItem.objects.filter(package=package).select_related("item").order_by("position")]


def write_all(who, package):
    for item in items_of(package):
        submit(who, item, item.number)


def tick_all(who, package):
    package.refresh_from_db()
    ticks = {i.pk: i.revision_no for i in items_of(package)}
    return services.self_check(
        actor=who, package_id=package.pk, revision=package.revision, ticks=ticks, client_key=uuid.uuid4()
    )


class TestBuild:
    def test_seven_pictures_make_packages_of_three_three_and_one(self, here):
        made, left_over = build(here)
        assert [(p.number, p.state) for p in made] == [(1, "available"), (2, "available"), (3, "available")]
        assert [PackageItem.objects.filter(package=p).count() for p in made] == [3, 3, 1]
        assert left_over == 0
        assert list(Item.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]

    def test_only_complete_packages_on_request(self, here):
        made, left_over = build(here, complete_only=True)
        assert (len(made), left_over) == (2, 1)

    def test_the_same_seed_makes_the_same_packages(self, here):
        made, _ = build(here)
        first = [[i.number for i in items_of(p)] for p in made]
        other = world(captions_protocol(size=3), slug="other", prefix="o-")
        accepted_pictures(other.benchmark, other.contributor, other.curator, 7)
        again, _ = services.build_packages(
            actor=other.admin,
            benchmark_slug="other",
            kind="captions",
            size=None,
            seed=7,
            complete_only=False,
            client_key=uuid.uuid4(),
        )
        assert [[i.number for i in items_of(p)] for p in again] == first
        assert first != [[1, 2, 3], [4, 5, 6], [7]]

    def test_a_repeat_builds_once(self, here):
        key = uuid.uuid4()
        first, again = build(here, client_key=key), build(here, client_key=key)
        assert again == first
        assert Package.objects.count() == 3

    def test_pictures_that_are_not_accepted_or_cleared_are_left_out(self, here):
        Image.objects.filter(number=1).update(state="received")
        Image.objects.filter(number=2).update(pii_clear_by=None)
        build(here)
        assert sorted(Item.objects.values_list("image__number", flat=True)) == [3, 4, 5, 6, 7]

    def test_nothing_is_left_after_the_first_build(self, here):
        build(here)
        with pytest.raises(NothingToPack):
            build(here)
        assert Package.objects.count() == 3

    def test_an_annotator_may_not_build(self, here):
        with pytest.raises(OperationNotAllowed):
            services.build_packages(
                actor=here.annotator,
                benchmark_slug="cvlue",
                kind="captions",
                size=None,
                seed=None,
                complete_only=False,
                client_key=uuid.uuid4(),
            )
        assert Package.objects.count() == 0


class TestClaim:
    def test_the_lowest_number_first_and_the_same_one_again(self, here):
        build(here)
        package, held = claim(here.annotator)
        assert (package.number, package.state, package.assignee, held) == (1, "working", here.annotator, False)
        again, held = claim(here.annotator)
        assert (again.pk, held) == (package.pk, True)
        assert claim(here.annotator2)[0].number == 2

    def test_without_a_free_package_the_error_counts_those_in_progress(self, here):
        build(here, size=7)
        claim(here.annotator)
        with pytest.raises(NoPackageLeft) as refused:
            claim(here.annotator2)
        assert refused.value.params == {"working": 1, "in_review": 0}

    def test_a_returned_package_comes_before_a_new_one(self, here):
        build(here)
        package, _ = claim(here.annotator)
        Package.objects.filter(pk=package.pk).update(state="returned")
        with pytest.raises(ReturnedPackageWaits) as refused:
            claim(here.annotator)
        assert refused.value.params == {"package": "cap-pkg-0001", "package_id": package.pk}
        assert Package.objects.filter(state="available").count() == 2
        resumed = services.resume_package(
            actor=here.annotator, package_id=package.pk, revision=1, client_key=uuid.uuid4()
        )
        assert (resumed.state, resumed.revision) == ("working", 2)

    def test_people_without_the_role_and_strangers(self, here):
        build(here)
        with pytest.raises(OperationNotAllowed):
            claim(here.senior)
        with pytest.raises(NotFound):
            claim(here.stranger)
        assert Package.objects.filter(state="working").count() == 0


class TestSubmit:
    @shared
    def package(self, here):
        build(here)
        return claim(here.annotator)[0]

    def test_a_submission_is_a_revision_and_an_audit_line(self, here, package):
        item = items_of(package)[0]
        row, revision, replayed = submit(here.annotator, item)
        assert (row.state, row.revision_no, revision.no, replayed) == ("made", 1, 1, False)
        assert revision.content == five_captions(0)
        event = AuditEvent.objects.get(action="item_submit")
        assert (event.state_from, event.state_to, event.data["revision_no"]) == ("todo", "made", 1)

    def test_a_repeat_a_day_later_has_the_same_answer_and_one_row(self, here, package):
        key = uuid.uuid4()
        items = items_of(package)
        first = submit(here.annotator, items[0], key=key, base_no=0)
        again = submit(here.annotator, items[0], key=key, base_no=0)
        assert (again[1].pk, again[2]) == (first[1].pk, True)
        for item in items[1:]:
            submit(here.annotator, item, item.number)
        tick_all(here.annotator, package)
        services.submit_package(actor=here.annotator, package_id=package.pk, revision=1, client_key=uuid.uuid4())
        later = submit(here.annotator, items[0], key=key, base_no=0)
        assert (later[1].pk, later[2]) == (first[1].pk, True)
        assert ItemRevision.objects.filter(item=items[0]).count() == 1
        assert AuditEvent.objects.filter(action="item_submit", target_id=items[0].pk).count() == 1

    def test_a_key_with_other_content_or_on_another_item_is_refused(self, here, package):
        key, items = uuid.uuid4(), items_of(package)
        submit(here.annotator, items[0], key=key, base_no=0)
        with pytest.raises(ClientKeyReused):
            submit(here.annotator, items[0], n=5, key=key, base_no=0)
        with pytest.raises(ClientKeyReused):
            submit(here.annotator, items[1], key=key, base_no=0)
        assert ItemRevision.objects.count() == 1

    def test_a_stale_revision_shows_mine_theirs_and_base(self, here, package):
        item = items_of(package)[0]
        submit(here.annotator, item, n=1, base_no=0)
        submit(here.annotator, item, n=2, base_no=1)
        with pytest.raises(StaleRevision) as refused:
            submit(here.annotator, item, n=3, base_no=1)
        assert refused.value.extra == {"mine": five_captions(3), "theirs": five_captions(2), "base": five_captions(1)}
        item.refresh_from_db()
        assert (item.revision_no, ItemRevision.objects.count()) == (2, 2)

    def test_rules_stop_it_and_nothing_is_written(self, here, package):
        item = items_of(package)[0]
        content = {"captions": ["太短", *five_captions(0)["captions"][1:]]}
        with pytest.raises(ContentRefused) as refused:
            submit(here.annotator, item, content=content)
        assert [f["code"] for f in refused.value.params["findings"]] == ["caption_too_short"]
        item.refresh_from_db()
        assert (item.state, item.revision_no, ItemRevision.objects.count()) == ("todo", 0, 0)

    def test_an_overlap_goes_on_with_a_reason_that_is_kept(self, here, package):
        item = items_of(package)[0]
        five = five_captions(0)["captions"]
        content = {"captions": [five[0], five[0] + "呢", *five[2:]]}
        with pytest.raises(ContentRefused):
            submit(here.annotator, item, content=content)
        _, revision, _ = submit(here.annotator, item, content=content, reasons={"caption_overlap": " 同一只狮子 "})
        assert revision.reasons == {"caption_overlap": "同一只狮子"}
        assert [f["code"] for f in revision.findings] == ["caption_overlap"]

    def test_an_item_of_another_annotator_is_not_found(self, here, package):
        item = items_of(package)[0]
        for who in (here.annotator2, here.senior, here.admin):
            with pytest.raises(NotFound):
                submit(who, item)
        assert ItemRevision.objects.count() == 0

    def test_an_ended_role_cannot_submit(self, here, package):
        item = items_of(package)[0]
        here.annotator.grants = ()
        with pytest.raises(NotFound):
            submit(here.annotator, item)
        assert ItemRevision.objects.count() == 0


class TestDraft:
    @shared
    def item(self, here):
        build(here)
        return items_of(claim(here.annotator)[0])[0]

    def save(self, who, item, seq, first="红"):
        return writing.save_draft(
            actor=who, item_id=item.pk, base_no=0, seq=seq, content={"captions": [first, "", "", "", ""]}
        )

    def test_findings_come_back_and_the_text_is_kept_as_typed(self, here, item):
        findings = self.save(here.annotator, item, 1, " 红𠮷 ")["findings"]
        assert [(f["code"], f["params"]) for f in findings] == [("caption_too_short", {"count": 2, "minimum": 8})]
        assert Draft.objects.get().content["captions"][0] == " 红𠮷 "

    def test_an_older_save_never_overwrites_a_newer_one(self, here, item):
        assert self.save(here.annotator, item, 5, "新")["seq"] == 5
        assert self.save(here.annotator, item, 4, "旧")["seq"] == 5
        draft = Draft.objects.get()
        assert (draft.seq, draft.content["captions"][0]) == (5, "新")

    def test_handing_in_drops_the_draft(self, here, item):
        self.save(here.annotator, item, 1)
        submit(here.annotator, item)
        assert Draft.objects.count() == 0

    def test_no_one_else_can_write_it(self, here, item):
        with pytest.raises(NotFound):
            self.save(here.annotator2, item, 1)
        assert Draft.objects.count() == 0


class TestSubmitPackage:
    @shared
    def package(self, here):
        build(here)
        return claim(here.annotator)[0]

    def submit_package(self, here, package, revision=1, key=None):
        return services.submit_package(
            actor=here.annotator, package_id=package.pk, revision=revision, client_key=key or uuid.uuid4()
        )

    def test_what_is_missing_is_listed(self, here, package):
        items = items_of(package)
        submit(here.annotator, items[0], 1)
        submit(here.annotator, items[1], 2)
        services.self_check(
            actor=here.annotator, package_id=package.pk, revision=1, ticks={items[0].pk: 1}, client_key=uuid.uuid4()
        )
        with pytest.raises(NotAllChecked) as refused:
            self.submit_package(here, package)
        assert refused.value.params["missing"] == [
            {"item_id": items[1].pk, "position": 2, "reason": "not_ticked"},
            {"item_id": items[2].pk, "position": 3, "reason": "not_written"},
        ]
        package.refresh_from_db()
        assert (package.state, package.round) == ("working", 0)

    def test_an_edit_after_the_tick_unticks_itself(self, here, package):
        write_all(here.annotator, package)
        tick_all(here.annotator, package)
        item = items_of(package)[0]
        submit(here.annotator, item, 9)
        with pytest.raises(NotAllChecked) as refused:
            self.submit_package(here, package)
        assert refused.value.params["missing"] == [{"item_id": item.pk, "position": 1, "reason": "not_ticked"}]

    def test_a_protocol_without_self_check_needs_no_ticks(self):
        content = captions_protocol(size=3)
        content["tracks"]["package"]["self_check"] = False
        here = world(content)
        accepted_pictures(here.benchmark, here.contributor, here.curator, 3)
        build(here)
        package = claim(here.annotator)[0]
        items = items_of(package)
        submit(here.annotator, items[0], 1)
        submit(here.annotator, items[1], 2)
        with pytest.raises(NotAllChecked) as refused:
            self.submit_package(here, package)
        assert refused.value.params["missing"] == [{"item_id": items[2].pk, "position": 3, "reason": "not_written"}]
        submit(here.annotator, items[2], 3)
        submitted = self.submit_package(here, package)
        assert (submitted.state, submitted.round) == ("handed_over", 1)
        assert not PackageItem.objects.filter(checked_no__isnull=False).exists()

    def test_handing_over_and_a_repeat(self, here, package):
        write_all(here.annotator, package)
        tick_all(here.annotator, package)
        key = uuid.uuid4()
        first, again = self.submit_package(here, package, key=key), self.submit_package(here, package, key=key)
        assert (first.state, first.round, first.revision) == ("handed_over", 1, 2)
        assert (again.state, again.round, again.revision) == ("handed_over", 1, 2)
        with pytest.raises(StaleRow):
            self.submit_package(here, package)
        with pytest.raises(ActionNotAllowed):
            self.submit_package(here, package, revision=2)
        assert AuditEvent.objects.filter(action="package_hand_over").count() == 1

    def test_a_tick_of_another_revision_is_refused(self, here, package):
        write_all(here.annotator, package)
        item = items_of(package)[0]
        with pytest.raises(StaleRow):
            services.self_check(
                actor=here.annotator, package_id=package.pk, revision=1, ticks={item.pk: 7}, client_key=uuid.uuid4()
            )
        assert not PackageItem.objects.filter(checked_no__isnull=False).exists()

    def test_an_item_of_another_package_is_not_ticked_and_nothing_is(self, here, package):
        write_all(here.annotator, package)
        ours = items_of(package)[0]
        other = PackageItem.objects.exclude(package=package).first()
        with pytest.raises(NotFound):
            services.self_check(
                actor=here.annotator,
                package_id=package.pk,
                revision=1,
                ticks={ours.pk: 1, other.item_id: 0},
                client_key=uuid.uuid4(),
            )
        assert not PackageItem.objects.filter(checked_no__isnull=False).exists()
        assert not AuditEvent.objects.filter(action="package_self_check").exists()

    def test_only_the_assignee(self, here, package):
        write_all(here.annotator, package)
        with pytest.raises(NotFound):
            services.submit_package(actor=here.annotator2, package_id=package.pk, revision=1, client_key=uuid.uuid4())
        assert Package.objects.get(pk=package.pk).state == "working"


def test_the_desk_gets_three_items_and_wraps_round(here):
    build(here, size=7)
    package, _ = claim(here.annotator)
    told = queries.next_work(here.annotator, package.pk, after=0)
    assert [i["position"] for i in told["items"]] == [1, 2, 3]
    assert told["rules"]["minimum_characters"] == 8
    assert told["items"][0]["image"]["view_url"].startswith("/media/")
    assert [i["position"] for i in queries.next_work(here.annotator, package.pk, after=6)["items"]] == [7, 1, 2]
    submit(here.annotator, items_of(package)[0])
    assert [i["position"] for i in queries.next_work(here.annotator, package.pk, after=6)["items"]] == [7, 2, 3]


def test_a_benchmark_without_the_package_track_makes_no_packages():
    made = world(captions_protocol() | {"tracks": {"package": None}})
    accepted_pictures(made.benchmark, made.contributor, made.curator, 2)
    with pytest.raises(TrackNotInProtocol) as refused:
        build(made)
    assert refused.value.params == {"track": "package"}
    assert (Item.objects.count(), Package.objects.count(), AuditEvent.objects.count()) == (0, 0, 0)


def test_a_role_for_other_kinds_opens_nothing_here(here):
    roles = here.benchmark.protocol.content["roles"]
    narrowed = [r | {"capabilities": ["annotate:boxes"]} if r["code"] == "annotator" else r for r in roles]
    adopt(here, roles=narrowed)
    build(here)
    for who in (here.annotator, here.annotator2):
        with pytest.raises(OperationNotAllowed):
            claim(Person.objects.get(pk=who.pk))
    assert set(Package.objects.values_list("state", "assignee")) == {("available", None)}
    adopt(here, roles=[r | {"capabilities": ["annotate:captions"]} if r["code"] == "annotator" else r for r in roles])
    package, _ = claim(Person.objects.get(pk=here.annotator.pk))
    assert package.assignee_id == here.annotator.pk


def adopt(here, **changes) -> None:
    """Another version of the protocol."""
    now = here.benchmark.protocol
    here.benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=here.benchmark,
        version=now.version + 1,
        name=now.name,
        source_sha256="1" * 64,
        content=now.content | changes,
    )
    here.benchmark.save(update_fields=["protocol"])
