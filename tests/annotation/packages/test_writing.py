"""Drafts that come late, time spent, guidelines: what a submission is held against and what it stores."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.items.errors import GuidelineNotAcknowledged, StaleRevision
from annotation.items.models import Draft, ItemRevision
from annotation.packages import queries, services
from annotation.packages.models import PackageItem
from annotation.tracks import services as writing
from curation.core.models import AuditEvent
from tests.annotation import track
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return track.new_world()


@shared
def package(here):
    return services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")[0]


@shared
def item(package):
    return track.items_of(package)[0]


def save(here, item, seq, *, base_no=0, **more):
    return writing.save_draft(
        actor=here.annotator, item_id=item.pk, base_no=base_no, seq=seq, content=five_captions(seq), **more
    )


def submit(here, item, *, base_no=0, key=None, n=1, **more):
    return writing.submit_item(
        actor=here.annotator,
        item_id=item.pk,
        base_no=base_no,
        content=five_captions(n),
        reasons={},
        client_key=key or uuid.uuid4(),
        **more,
    )


def publish(here, version, *, kind="captions"):
    text = {"en": f"Version {version}"}
    return Guideline.objects.create(
        benchmark=here.benchmark,
        kind=kind,
        version=version,
        text=text,
        created_by=here.admin,
        client_key=uuid.uuid4(),
    )


def acknowledge(who, guideline):
    Acknowledgement.objects.create(person=who, guideline=guideline)


class TestDrafts:
    def test_a_save_that_arrives_after_its_text_was_submitted_is_not_kept(self, here, item):
        save(here, item, 1)
        submit(here, item)
        with pytest.raises(StaleRevision) as refused:
            save(here, item, 2)
        assert refused.value.params == {"base_no": 0, "revision_no": 1}
        assert (refused.value.extra["mine"], refused.value.extra["theirs"]) == (five_captions(2), five_captions(1))
        assert Draft.objects.count() == 0

    def test_what_is_typed_over_the_new_revision_is_kept(self, here, item):
        submit(here, item)
        assert save(here, item, 3, base_no=1)["seq"] == 3
        assert Draft.objects.get().base_no == 1

    def test_time_spent_never_shrinks(self, here, item):
        for seq, active_ms, kept in ((1, 4_000, 4_000), (2, 1_000, 4_000), (3, 9_000, 9_000)):
            save(here, item, seq, active_ms=active_ms)
            assert Draft.objects.get().active_ms == kept

    def test_the_answer_has_the_time_of_the_stored_save(self, here, item):
        stored = save(here, item, 5)
        again = save(here, item, 4)
        assert (stored["seq"], again["seq"], stored["saved_at"]) == (5, 5, again["saved_at"])
        assert timezone.now() - stored["saved_at"] < timedelta(minutes=1)


class TestTimeSpent:
    @pytest.mark.parametrize(
        ("draft", "told", "stored"),
        [(None, None, None), (None, 7_000, 7_000), (5_000, None, 5_000), (5_000, 7_000, 7_000), (9_000, 7_000, 9_000)],
    )
    def test_a_revision_stores_the_larger_of_what_draft_and_submission_tell(self, here, item, draft, told, stored):
        if draft is not None:
            save(here, item, 1, active_ms=draft)
        _, revision, _ = submit(here, item, active_ms=told)
        assert revision.active_ms == ItemRevision.objects.get().active_ms == stored

    def test_the_next_revision_counts_anew(self, here, item):
        save(here, item, 1, active_ms=5_000)
        submit(here, item)
        _, revision, _ = submit(here, item, base_no=1, n=2, active_ms=1_000)
        assert revision.active_ms == 1_000


class TestGuidelines:
    def test_without_guidelines_no_acknowledgement_is_required_or_stored(self, here, item):
        publish(here, 1, kind="vqa")
        assert submit(here, item)[1].guideline_id is None

    def test_the_newest_has_to_be_acknowledged(self, here, item):
        first = publish(here, 1)
        acknowledge(here.annotator, first)
        acknowledge(here.annotator2, publish(here, 2))
        with pytest.raises(GuidelineNotAcknowledged) as refused:
            submit(here, item)
        assert refused.value.params == {"kind": "captions", "version": 2}
        item.refresh_from_db()
        assert (item.state, item.revision_no, ItemRevision.objects.count()) == ("todo", 0, 0)
        assert not AuditEvent.objects.filter(action="item_submit").exists()

    def test_the_version_that_the_text_was_written_by_is_stored(self, here, item):
        first, second = publish(here, 1), publish(here, 2)
        for guideline in (first, second):
            acknowledge(here.annotator, guideline)
        assert submit(here, item)[1].guideline == second
        assert submit(here, item, base_no=1, n=2, guideline=1)[1].guideline == first
        assert submit(here, item, base_no=2, n=3, guideline=9)[1].guideline == second
        assert list(ItemRevision.objects.order_by("no").values_list("guideline__version", flat=True)) == [2, 1, 2]

    def test_one_that_was_never_acknowledged_cannot_be_named(self, here, item):
        publish(here, 1)
        acknowledge(here.annotator, publish(here, 2))
        with pytest.raises(GuidelineNotAcknowledged):
            submit(here, item, guideline=1)
        assert ItemRevision.objects.count() == 0

    def test_a_repeat_is_answered_though_newer_ones_have_come(self, here, item):
        acknowledge(here.annotator, publish(here, 1))
        key = uuid.uuid4()
        submit(here, item, key=key)
        publish(here, 2)
        _, revision, replayed = submit(here, item, key=key)
        assert (revision.no, replayed) == (1, True)

    def test_the_desk_shows_the_guidelines(self, here, package, item):
        def told():
            return queries.next_work(here.annotator, package.pk, 0)["guideline"]

        assert told() is None
        first = publish(here, 1)
        assert told() == {"version": 1, "acknowledged": False}
        acknowledge(here.annotator, first)
        assert told() == {"version": 1, "acknowledged": True}


class TestNext:
    def numbers(self, here, package, after):
        return [i["position"] for i in queries.next_work(here.annotator, package.pk, after)["items"]]

    def test_earlier_positions_come_last(self, here, package):
        assert self.numbers(here, package, 0) == [1, 2, 3]
        assert self.numbers(here, package, 2) == [3, 4, 1]
        assert self.numbers(here, package, 4) == [1, 2, 3]
        submit(here, track.items_of(package)[2])
        assert self.numbers(here, package, 2) == [4, 1, 2]

    def test_it_tells_of_drafts_and_comments(self, here, package, item):
        save(here, item, 6, active_ms=800)
        item.comments.create(author=here.senior, text="看这里", client_key=uuid.uuid4())
        first, second, _ = queries.next_work(here.annotator, package.pk, 0)["items"]
        assert first["draft"] == {"content": five_captions(6), "seq": 6, "base_no": 0, "active_ms": 800}
        assert (first["comments"], second["comments"], second["draft"], first["skipped"]) == (1, 0, None, None)


def test_submitting_clears_the_reasons_of_its_return_or_skip(here, package, item):
    PackageItem.objects.filter(item=item).update(sent_back={"reasons": []}, skipped={"reasons": []})
    submit(here, item)
    member = PackageItem.objects.get(item=item)
    assert (member.sent_back, member.skipped) == (None, None)
