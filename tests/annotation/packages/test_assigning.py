"""Giving packages to people, taking them back, withdrawing them, and who gets which on claiming."""

from __future__ import annotations

import uuid

import pytest

from annotation.items.models import Draft, Item, ItemRevision
from annotation.packages import services
from annotation.packages.errors import CannotAnnotate, NoPackageLeft, ReturnedPackageWaits
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.tracks import services as writing
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.people.models import Notice, Person, RoleGrant
from tests.annotation.track import command, items_of, new_world, review, submitted_package, tick_and_submit, write
from tests.people import Role, person
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    """Three packages of two."""
    return new_world(pictures=6, size=2)


def package(number=1):
    return Package.objects.get(number=number)


def claim(who):
    return services.claim_package(actor=who, benchmark_slug="cvlue", kind="captions")[0]


def assign(here, whom, number=1, **more):
    given = {"revision": package(number).revision, "client_key": uuid.uuid4(), "actor": here.admin} | more
    return services.assign_package(package_id=package(number).pk, person=whom.pk, **given)


def revoke(here, number=1, **more):
    given = {"revision": package(number).revision, "client_key": uuid.uuid4(), "actor": here.admin} | more
    return services.revoke_assignment(package_id=package(number).pk, **given)


def withdraw(here, number=1, **more):
    given = {"revision": package(number).revision, "client_key": uuid.uuid4(), "actor": here.admin} | more
    return services.withdraw_package(package_id=package(number).pk, **given)


def everything():
    return (
        list(Package.objects.order_by("pk").values()),
        list(PackageItem.objects.order_by("item_id").values()),
        AuditEvent.objects.count(),
        Notice.objects.count(),
    )


class TestAssign:
    def test_the_annotator_is_notified_and_claims_it_before_any_other(self, here):
        assign(here, here.annotator, 3)
        assert (package(3).state, package(3).assignee) == ("assigned", here.annotator)
        notice = Notice.objects.get()
        assert (notice.person, notice.code, notice.params, notice.actor) == (
            here.annotator,
            "package_assigned",
            {"package": "cap-pkg-0003"},
            here.admin,
        )
        assert claim(here.annotator2).number == 1
        assert claim(here.annotator).number == 3
        assert package(3).state == "working"
        assert [e.state_to for e in AuditEvent.objects.filter(target_id=package(3).pk).order_by("pk")] == [
            "assigned",
            "working",
        ]

    def test_no_one_else_gets_it(self, here):
        for number in (1, 2, 3):
            assign(here, here.annotator, number)
        with pytest.raises(NoPackageLeft) as refused:
            claim(here.annotator2)
        assert refused.value.params == {"working": 3, "in_review": 0}

    @pytest.mark.parametrize("who", ["senior", "contributor"])
    def test_only_to_people_who_may_write_the_kind(self, here, who):
        before = everything()
        with pytest.raises(CannotAnnotate):
            assign(here, getattr(here, who))
        assert everything() == before

    def test_not_to_people_without_a_role(self, here):
        RoleGrant.objects.filter(person=here.annotator2).update(ended_at="2026-11-01T00:00Z")
        before = everything()
        with pytest.raises(CannotAnnotate):
            assign(here, here.annotator2)
        with pytest.raises(NotFound):
            assign(here, here.stranger)
        assert everything() == before

    def test_errors_change_nothing(self, here):
        claim(here.annotator)
        before = everything()
        for refusal, more in (
            (ActionNotAllowed, {"number": 1}),
            (StaleRow, {"number": 2, "revision": 9}),
            (OperationNotAllowed, {"number": 2, "actor": here.curator}),
        ):
            with pytest.raises(refusal):
                assign(here, here.annotator2, **more)
        assert everything() == before

    def test_a_repeat_has_the_same_result_and_another_person_is_an_error(self, here):
        key = uuid.uuid4()
        assign(here, here.annotator, client_key=key)
        before = everything()
        assign(here, here.annotator, client_key=key, revision=0)
        with pytest.raises(ClientKeyReused):
            assign(here, here.annotator2, client_key=key)
        assert everything() == before


class TestRevokeAssignment:
    def test_what_was_written_stays_and_every_tick_goes(self, here):
        held = claim(here.annotator)
        [first, second] = items_of(held)
        write(here.annotator, held, {first.pk: 1})
        command(services.self_check, here.annotator, held, ticks={first.pk: 1, second.pk: 1})
        writing.save_draft(actor=here.annotator, item_id=first.pk, base_no=1, seq=1, content=five_captions(9))
        revoke(here, comment="请休息")
        assert (package().state, package().assignee) == ("available", None)
        assert ItemRevision.objects.count() == 2
        assert Draft.objects.get().author == here.annotator
        assert not PackageItem.objects.filter(checked_no__isnull=False).exists()
        notice = Notice.objects.get()
        assert (notice.person, notice.code, notice.params["comment"]) == (
            here.annotator,
            "package_taken_back",
            "请休息",
        )
        # Somebody else goes on where it was left, and has to read everything.
        again = claim(here.annotator2)
        assert (again.number, [i.state for i in items_of(again)]) == (1, ["made", "made"])
        assert tick_and_submit(here.annotator2, again).state == "handed_over"

    def test_from_assigned_and_from_returned(self, here):
        assign(here, here.annotator, 2)
        assert revoke(here, 2).state == "available"
        held = submitted_package(here)
        command(quality.start_review, here.senior, held)
        for item in items_of(held):
            review(here.senior, item, "return", reasons=["wrong_fact"])
        command(quality.complete_review, here.senior, held)
        with pytest.raises(ReturnedPackageWaits):
            claim(here.annotator)
        revoke(here, held.number)
        assert claim(here.annotator).number == held.number  # nothing returned waits any more

    def test_who_reviewed_it_never_gets_it(self, here):
        both = person("both", here.benchmark, Role.SENIOR, Role.ANNOTATOR)
        held = submitted_package(here)
        command(quality.start_review, both, held)
        for item in items_of(held):
            review(both, item, "return", reasons=["wrong_fact"])
        command(quality.complete_review, both, held)
        revoke(here, held.number)
        before = everything()
        with pytest.raises(OwnWork):
            assign(here, both, held.number)
        assert everything() == before
        assert claim(both).number == 2
        Package.objects.exclude(pk=held.pk).update(state="withdrawn")
        with pytest.raises(NoPackageLeft):
            claim(both)

    def test_not_while_others_judge_it(self, here):
        held = submitted_package(here)
        before = everything()
        with pytest.raises(ActionNotAllowed):
            revoke(here, held.number)
        assert everything() == before


class TestWithdraw:
    def test_its_items_are_packed_anew(self, here):
        items = {i.pk for i in items_of(package(2))}
        assign(here, here.annotator, 2)
        withdraw(here, 2)
        assert (package(2).state, package(2).assignee, items_of(package(2))) == ("withdrawn", None, [])
        made, left_over = services.build_packages(
            actor=here.admin,
            benchmark_slug="cvlue",
            kind="captions",
            size=None,
            seed=1,
            complete_only=False,
            client_key=uuid.uuid4(),
        )
        assert ([p.number for p in made], left_over) == ([4], 0)
        assert {i.pk for i in items_of(made[0])} == items
        assert Item.objects.count() == 6

    def test_not_once_it_is_begun(self, here):
        claim(here.annotator)
        before = everything()
        with pytest.raises(ActionNotAllowed):
            withdraw(here)
        with pytest.raises(StaleRow):
            withdraw(here, 2, revision=5)
        with pytest.raises(OperationNotAllowed):
            withdraw(here, 2, actor=Person.objects.get(username="senior"))
        assert everything() == before
