"""Errata: reported about what is published, decided by others, read by everybody, corrected by the next release."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.items.models import Item, ItemRevision
from annotation.releases import queries, rules, services
from annotation.releases.errors import ErratumNoteMissing, ReportedUnknown, TooManyErrata
from annotation.releases.models import Erratum, ErratumEvent, Release
from annotation.tallies.models import Tally
from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork
from curation.core.models import AuditEvent
from curation.core.stores import store
from curation.people.models import Notice
from tests.annotation.releases.content import accepted, captions, filled, frozen, team
from tests.shared import shared

pytestmark = pytest.mark.django_db
NOTE = {"en": "The fourth caption names another animal."}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def released():
    """A team with a published release of three items."""
    made = team(splits={"train": 100}, exporters=["jsonl"])
    items = filled(made, 3)
    return made, published(made), items


@shared
def here():
    return released()


def published(here):
    release = frozen(here)
    assert jobs.run(release.job_id, services.write_files) == "done"
    return services.publish_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())


def report(here, who=None, *, text="第四句不对", client_key=None, **named):
    return services.report_erratum(
        actor=who or here.annotator,
        benchmark_slug=here.benchmark.slug,
        text=text,
        client_key=client_key or uuid.uuid4(),
        **named,
    )


def decide(here, action, erratum, who=None, note=NOTE, client_key=None):
    command = getattr(services, f"{action}_erratum")
    actor = who or here.curator
    return command(actor=actor, erratum_id=erratum.pk, note=note, client_key=client_key or uuid.uuid4())


def revise(here, item, no=3):
    """Another accepted revision of an item."""
    ItemRevision.objects.create(
        item=item,
        no=no,
        author=here.annotator,
        origin="annotator",
        content={"captions": ["改正的描述一二三四五", *captions(item.number)["captions"][1:]]},
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=item.pk).update(revision_no=no, accepted_no=no)


def version():
    return sum(Tally.objects.filter(of="public").values_list("n", flat=True))


class TestReporting:
    def test_about_an_item_of_the_newest_published_release(self, here):
        world, release, items = here
        erratum = report(world, item="cap-2")
        assert (erratum.no, erratum.release_id, erratum.item_id) == (1, release.pk, items[1].pk)
        event = AuditEvent.objects.get(action="erratum_report")
        assert (event.label, event.data) == ("erratum-1", {"item": "cap-2", "release": "captions-v1"})

    def test_about_a_release_as_a_whole(self, here):
        world, release, _ = here
        erratum = report(world, release="captions-v1")
        assert (erratum.release_id, erratum.item_id) == (release.pk, None)

    @pytest.mark.parametrize(
        "named",
        [
            {},
            {"item": "cap-9"},
            {"item": "vqa-1"},
            {"item": "x"},
            {"release": "captions-v2"},
            {"release": "captions-v1", "item": "cap-9"},
        ],
    )
    def test_of_what_is_not_published_is_not_found(self, here, named):
        accepted(here[0], 9)
        with pytest.raises(ReportedUnknown):
            report(here[0], **named)
        assert not Erratum.objects.exists()

    def test_not_before_the_release_is_published(self):
        world = team(splits={"train": 100})
        filled(world, 1)
        frozen(world)
        with pytest.raises(ReportedUnknown):
            report(world, item="cap-1")

    def test_strangers_find_nothing(self, here):
        world, _, _ = here
        with pytest.raises(NotFound):
            report(world, team("other", "other-").annotator, item="cap-1")

    def test_a_repeat_is_one_report(self, here):
        again = uuid.uuid4()
        first = report(here[0], item="cap-1", client_key=again)
        assert report(here[0], item="cap-1", client_key=again) == first
        assert Erratum.objects.count() == 1

    @pytest.mark.parametrize(
        "other",
        [{"item": "cap-2"}, {"text": "第五句不对"}, {"release": "captions-v2"}, {"item": "", "release": "captions-v1"}],
    )
    def test_a_key_belongs_to_one_report(self, here, other):
        again = uuid.uuid4()
        first = report(here[0], item="cap-1", client_key=again)
        with pytest.raises(ClientKeyReused):
            report(here[0], **{"item": "cap-1", "client_key": again} | other)
        assert list(Erratum.objects.values_list("pk", "text")) == [(first.pk, "第四句不对")]

    def test_a_person_has_few_waiting(self, here, monkeypatch):
        monkeypatch.setattr(rules, "MOST_WAITING", 2)
        first, _ = report(here[0], item="cap-1"), report(here[0], item="cap-1")
        with pytest.raises(TooManyErrata):
            report(here[0], item="cap-1")
        report(here[0], here[0].senior, item="cap-1")
        decide(here[0], "reject", first)
        assert report(here[0], item="cap-1").no == 4


class TestDeciding:
    def test_confirmed_with_a_note_then_withdrawn(self, here):
        world, release, _ = here
        erratum = report(world, item="cap-2")
        before = version()
        assert queries.errata_of(release) == []
        decide(world, "confirm", erratum)
        [public] = queries.errata_of(release)
        assert (public.no, public.item, public.note, public.withdrawn_at) == (1, "cap-000002", NOTE, None)
        decide(world, "withdraw", erratum, note={"en": "It was right.", "zh-Hans": ""})
        [public] = queries.errata_of(release)
        assert (public.note, public.withdrawn_note) == (NOTE, {"en": "It was right."})
        assert version() == before + 2
        moves = AuditEvent.objects.filter(target_type="erratum").exclude(state_to="").order_by("pk")
        assert list(moves.values_list("state_from", "state_to")) == [
            ("reported", "confirmed"),
            ("confirmed", "withdrawn"),
        ]

    def test_rejected_is_never_public(self, here):
        world, release, _ = here
        decide(world, "reject", report(world, item="cap-2"))
        assert queries.errata_of(release) == []

    def test_the_reporter_does_not_decide(self, here):
        world, release, _ = here
        erratum = report(world, world.curator, item="cap-2")
        for action in ("confirm", "reject"):
            with pytest.raises(OwnWork):
                decide(world, action, erratum)
        assert not ErratumEvent.objects.exists()
        decide(world, "confirm", erratum, world.admin)
        assert len(queries.errata_of(release)) == 1

    def test_needs_the_capability(self, here):
        world, _, _ = here
        erratum = report(world, item="cap-2")
        for who in (world.senior, world.annotator2, world.contributor):
            with pytest.raises(OperationNotAllowed):
                decide(world, "confirm", erratum, who)
        assert not ErratumEvent.objects.exists()

    @pytest.mark.parametrize("action", ["confirm", "reject"])
    def test_needs_a_note(self, here, action):
        world, _, _ = here
        erratum = report(world, item="cap-2")
        with pytest.raises(ErratumNoteMissing):
            decide(world, action, erratum, note={"en": ""})
        assert not ErratumEvent.objects.exists()

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            ("confirm", "confirm"),
            ("confirm", "reject"),
            ("reject", "confirm"),
            ("reject", "withdraw"),
            ("", "withdraw"),
        ],
    )
    def test_follows_the_states(self, here, first, then):
        world, _, _ = here
        erratum = report(world, item="cap-2")
        if first:
            decide(world, first, erratum)
        with pytest.raises(ActionNotAllowed):
            decide(world, then, erratum)
        assert ErratumEvent.objects.count() == int(bool(first))

    @pytest.mark.parametrize(
        ("named", "label"), [({"item": "cap-2"}, "cap-000002"), ({"release": "captions-v1"}, "captions-v1")]
    )
    def test_the_reporter_is_notified_and_learns_no_name(self, here, named, label):
        world, _, _ = here
        first, second = report(world, **named), report(world, **named)
        again = uuid.uuid4()
        for _ in range(2):
            decide(world, "confirm", first, client_key=again)
        decide(world, "withdraw", first, world.admin)
        decide(world, "reject", second)
        notices = Notice.objects.order_by("pk").values_list(
            "person", "code", "params", "actor", "target_type", "target_id"
        )
        assert list(notices) == [
            (world.annotator.pk, "erratum_confirmed", {"no": 1, "label": label}, None, "erratum", first.pk),
            (world.annotator.pk, "erratum_withdrawn", {"no": 1, "label": label}, None, "erratum", first.pk),
            (world.annotator.pk, "erratum_rejected", {"no": 2, "label": label}, None, "erratum", second.pk),
        ]

    def test_a_repeat_is_one_decision(self, here):
        again, erratum = uuid.uuid4(), report(here[0], item="cap-2")
        decide(here[0], "confirm", erratum, client_key=again)
        decide(here[0], "confirm", erratum, client_key=again, note=NOTE | {"zh-Hans": ""})
        with pytest.raises(ClientKeyReused):
            decide(here[0], "confirm", erratum, client_key=again, note={"en": "Another."})
        assert [event.note for event in ErratumEvent.objects.all()] == [NOTE]


class TestTables:
    """What the database refuses, whatever the code does."""

    def refused(self, statement, *params):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"set constraints all immediate; {statement}", params)

    def test_an_erratum_is_of_the_benchmarks_release_and_its_items(self, here):
        world, release, _ = here
        other = team("other", "other-")
        outside = accepted(world, 9)
        insert = (
            "insert into annotation_erratum (benchmark_id, no, release_id, item_id, reported_by_id, text) "
            "values (%s, 7, %s, %s, %s, %s)"
        )
        self.refused(insert, other.benchmark.pk, release.pk, None, world.annotator.pk, "x")
        self.refused(insert, world.benchmark.pk, release.pk, outside.pk, world.annotator.pk, "x")
        self.refused(insert, world.benchmark.pk, release.pk, None, world.annotator.pk, "")

    def test_events_follow_the_states(self, here):
        world, _, _ = here
        erratum, rejected = report(world, item="cap-1"), report(world, item="cap-1")
        decide(world, "reject", rejected)
        insert = (
            "insert into annotation_erratumevent (erratum_id, no, action, by_id, note) "
            "values (%s, %s, %s, %s, %s::jsonb)"
        )
        judge = world.curator.pk
        self.refused(insert, erratum.pk, 1, "confirm", judge, "{}")
        self.refused(insert, erratum.pk, 1, "confirm", world.annotator.pk, '{"en": "x"}')
        self.refused(insert, erratum.pk, 1, "withdraw", judge, '{"en": "x"}')
        self.refused(insert, erratum.pk, 2, "withdraw", judge, '{"en": "x"}')
        self.refused(insert, erratum.pk, 2, "confirm", judge, '{"en": "x"}')
        self.refused(insert, rejected.pk, 1, "confirm", judge, '{"en": "x"}')
        self.refused(insert, rejected.pk, 2, "withdraw", judge, '{"en": "x"}')
        assert ErratumEvent.objects.count() == 1


class TestReading:
    def test_deciders_read_all_and_members_their_own(self, here):
        world, _, items = here
        report(world, item="cap-1")
        report(world, world.senior, item="cap-2")
        seen = queries.erratum_page(world.curator, "cvlue", page_size=10)["results"]
        assert [(row["no"], row["item_id"], row["available_actions"]) for row in seen] == [
            (2, items[1].pk, ["erratum_confirm", "erratum_reject"]),
            (1, items[0].pk, ["erratum_confirm", "erratum_reject"]),
        ]
        assert [row["reported_by"]["name"] for row in seen] == [world.senior.name, world.annotator.name]
        [own] = queries.erratum_page(world.annotator, "cvlue", page_size=10)["results"]
        assert (own["no"], own["item"], own["item_id"], own["available_actions"]) == (1, "cap-000001", None, [])
        assert queries.erratum_page(world.annotator2, "cvlue", page_size=10)["results"] == []

    def test_by_state_and_without_the_names_of_deciders(self, here):
        world, _, _ = here
        decide(world, "confirm", report(world, item="cap-1"))
        report(world, item="cap-2")
        page = queries.erratum_page(world.annotator, "cvlue", state="confirmed", page_size=10)["results"]
        [row] = page
        assert (row["state"], row["events"][0]["by"], row["events"][0]["note"]["en"]) == ("confirmed", None, NOTE["en"])
        assert [
            r["no"] for r in queries.erratum_page(world.admin, "cvlue", state="reported", page_size=9)["results"]
        ] == [2]


class TestNextRelease:
    def test_corrects_what_was_revised_and_names_the_rest(self):
        world, release, items = released()
        for label in ("cap-1", "cap-2", "cap-3"):
            decide(world, "confirm", report(world, item=label))
        report(world, item="cap-3")
        revise(world, items[0])
        Item.objects.filter(pk=items[1].pk).update(state="excluded", accepted_no=None, excluded_for="decision")
        draft = services.create_release(
            actor=world.admin, benchmark_slug="cvlue", kinds=["captions"], seed=7, client_key=uuid.uuid4()
        )
        warnings = queries.release_detail(world.admin, draft.pk)["warnings"]
        assert [(w["code"], w["params"]["no"], w["label"]) for w in warnings] == [
            ("erratum_waiting", 4, "cap-000003"),
            ("erratum_uncorrected", 3, "cap-000003"),
        ]
        services.withdraw_release(actor=world.admin, release_id=draft.pk, reason="x", client_key=uuid.uuid4())
        following = published(world)
        following = Release.objects.get(pk=following.pk)
        assert following.corrected == {"cap-000001": [1], "cap-000002": [2]}
        lines = store().read(queries.key_of(following.pk, "changes.jsonl")).decode().splitlines()
        assert ['"errata":[1]' in lines[1], '"errata":[2]' in lines[0]] == [True, True]
        [changed] = queries.change_page(world.admin, following.pk, change="changed", page_size=10)["results"]
        assert (changed["label"], changed["errata"]) == ("cap-000001", [1])
        # The third mistake is in the following release as well; the others are in the first alone.
        assert [one.no for one in queries.errata_of(following)] == [3]
        assert [one.no for one in queries.errata_of(release)] == [1, 2, 3]

    def test_without_errata_the_list_of_changes_has_no_such_field(self):
        world, _, items = released()
        revise(world, items[0])
        following = published(world)
        assert Release.objects.get(pk=following.pk).corrected is None
        assert "errata" not in store().read(queries.key_of(following.pk, "changes.jsonl")).decode()
