"""A team's work on its items: writing, editing, starring, sending back, discarding."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.items.errors import NothingChanged, ReasonNeeded, ReasonUnknown, StaleRevision
from annotation.items.models import Item, ItemHand
from annotation.judging.models import Verdict
from annotation.packages.services import follow_pictures
from annotation.peer import queries, states
from annotation.peer import services as peer
from annotation.peer.errors import PictureFull, SeatHeld
from annotation.quality.services import sweep_pools
from annotation.seats.errors import NothingLeft, PoolEmpty
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people.models import Notice, Person, RoleGrant, Team
from tests.annotation.teams import create, discard, made, member, peer_world, picture_of, send_back, star, submit
from tests.annotation.withdrawals import restore, withdraw
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return peer_world()


@pytest.fixture
def ann(here):
    return member(here, "ann")


@pytest.fixture
def ben(here):
    return member(here, "ben")


@pytest.fixture
def cay(here):
    return member(here, "cay")


@pytest.fixture
def dan(here):
    return member(here, "dan")


def notices(code):
    return sorted(Notice.objects.filter(code=code).values_list("person__username", "params__item"))


class TestCreating:
    def test_takes_the_slots_of_the_picture_in_turn(self, ann, ben):
        items = [create(who) for who in (ann, ben, ann)]
        assert [(i.slot, i.number, i.track, i.team.name) for i in items] == [
            (0, 1, "peer", "thai"),
            (1, 2, "peer", "thai"),
            (2, 3, "peer", "thai"),
        ]

    def test_is_refused_beyond_the_most_items_of_a_picture(self, ann):
        for _ in range(3):
            create(ann)
        with pytest.raises(PictureFull, match="3 item"):
            create(ann)

    def test_uses_the_slot_of_a_discarded_item_again(self, ann):
        items = [create(ann) for _ in range(3)]
        discard(ann, items[1])
        assert (create(ann).slot, Item.objects.count()) == (1, 4)

    def test_happens_once_for_one_key(self, ann):
        fields = {"benchmark_slug": "cvqa", "kind": "captions", "client_key": uuid.uuid4()}
        image = picture_of("thai")
        first = peer.create_item(actor=ann, image_id=image.pk, **fields)
        assert peer.create_item(actor=ann, image_id=image.pk, **fields) == first
        with pytest.raises(ClientKeyReused):
            peer.create_item(actor=ann, image_id=picture_of("urdu").pk, **fields)

    def test_is_refused_on_a_picture_of_another_subset(self):
        peer_world(subset="A", pictures=2)
        ann = Person.objects.get(username="cvqa-ann")
        first, second = Image.objects.filter(team__name="thai").order_by("pk")
        Image.objects.filter(pk=first.pk).update(subset="A")
        with pytest.raises(NotFound):
            create(ann, second)
        item = create(ann, first)
        assert list(Item.objects.values_list("pk", "image_id")) == [(item.pk, first.pk)]
        assert queries.peer_item(ann, item.pk)["may_create"]
        assert self.on_board(ann) == {"all": [first.pk], "room": [first.pk]}
        # The picture changes over to another subset: its item stays on the board, and it gets no more.
        Image.objects.filter(pk=first.pk).update(subset="B")
        assert not queries.peer_item(ann, item.pk)["may_create"]
        assert self.on_board(ann) == {"all": [first.pk], "room": []}

    def on_board(self, who):
        fields = {"benchmark_slug": "cvqa", "kind": "captions", "page_size": 9}
        boards = {show: queries.team_board(who, show=show, **fields) for show in ("all", "room")}
        return {show: [row["image"]["id"] for row in board["results"]] for show, board in boards.items()}

    def test_on_another_teams_picture_finds_nothing(self, ann):
        with pytest.raises(NotFound):
            create(ann, picture_of("urdu"))

    def test_is_for_members_only(self, here):
        with pytest.raises(OperationNotAllowed):
            create(here.curator, picture_of("thai"))


class TestChecking:
    def test_a_colleagues_star_accepts_the_newest_revision(self, ann, ben):
        item = star(ben, made(ann))
        assert (item.state, item.accepted_no) == ("accepted", 1)
        verdict = Verdict.objects.get()
        assert (verdict.stage, verdict.outcome, verdict.judge, verdict.author_id) == ("peer", "star", ben, ann.pk)
        assert Seat.objects.values_list("purpose", "state", "holder").get() == ("peer", "done", ben.pk)

    def test_nobody_stars_what_they_wrote(self, ann):
        item = made(ann)
        with pytest.raises(OwnWork):
            star(ann, item)

    def test_a_colleagues_edit_voids_the_star_and_lets_the_author_star(self, ann, ben):
        item = submit(ben, star(ben, made(ann)), 7)
        assert (item.state, item.accepted_no, item.revision_no) == ("made", None, 2)
        with pytest.raises(OwnWork):
            star(ben, item)
        assert star(ann, item).accepted_no == 2
        assert notices("item_edited") == [("cvqa-ann", item.label)]

    def test_a_curators_edit_lets_the_team_star(self, here, dan):
        item = submit(here.curator, made(dan), 7)
        assert star(dan, item).state == "accepted"

    def test_an_edit_needs_a_change(self, ann, ben):
        item = made(ann)
        with pytest.raises(NothingChanged):
            submit(ben, item)
        assert submit(ann, item).revision_no == 2  # authors may

    def test_an_edit_of_invisible_characters_is_no_change(self, ann, ben):
        item = made(ann)
        texts = [f"\u200b{text}\u3164\u200d" for text in five_captions(item.number)["captions"]]
        with pytest.raises(NothingChanged):
            submit(ben, item, content={"captions": texts})

    def test_authors_do_not_edit_their_own_accepted_text(self, ann, ben):
        item = star(ben, made(ann))
        with pytest.raises(OwnWork):
            submit(ann, item, 7)

    def test_a_returned_item_is_not_submitted_unchanged_by_a_colleague(self, ann, ben):
        item = send_back(ben, made(ann))
        with pytest.raises(NothingChanged):
            submit(ben, item)
        assert submit(ben, item, 7).state == "made"

    def test_sending_back_tells_the_author_why(self, ann, ben):
        item = send_back(ben, made(ann), comment="看")
        assert item.state == "returned"
        assert notices("item_sent_back") == [("cvqa-ann", item.label)]
        shown = queries.peer_item(ann, item.pk)["sent_back"]
        assert shown == {
            "stage": "peer",
            "reasons": ["wrong_fact"],
            "comment": "看",
            "by": {"id": ben.pk, "name": ben.name},
        }
        item = submit(ann, item, 7)
        assert queries.peer_item(ann, item.pk)["sent_back"] is None
        assert star(ben, item).state == "accepted"

    @pytest.mark.parametrize(("reasons", "error"), [([], ReasonNeeded), (["x"], ReasonUnknown)])
    def test_sending_back_needs_a_reason(self, ann, ben, reasons, error):
        item = made(ann)
        with pytest.raises(error):
            send_back(ben, item, reasons=reasons)

    def test_an_older_revision_is_not_judged(self, ann, ben):
        item = submit(ann, made(ann), 7)
        with pytest.raises(StaleRow):
            star(ben, item, revision_no=1)

    def test_an_edit_of_an_older_revision_is_stale(self, ann, ben):
        item = submit(ann, made(ann), 7)
        with pytest.raises(StaleRevision) as refused:
            submit(ben, item, 8, base_no=1)
        assert {"mine", "theirs", "base"} <= set(refused.value.extra)

    def test_is_done_once_for_one_key(self, ann, ben):
        item, key = made(ann), uuid.uuid4()
        assert star(ben, item, client_key=key) == star(ben, item, client_key=key, revision_no=1)
        assert Verdict.objects.count() == 1
        with pytest.raises(ClientKeyReused):
            send_back(ben, item, client_key=key)

    def test_a_repeated_submission_of_a_starred_text_writes_nothing(self, ann, ben):
        item, key = create(ann), uuid.uuid4()
        submit(ann, item, client_key=key)
        star(ben, item)
        assert submit(ann, item, client_key=key, base_no=0).state == "accepted"
        assert Item.objects.get().revision_no == 1

    def test_a_repeat_is_answered_after_its_author_changed_teams(self, ann):
        item, key = create(ann), uuid.uuid4()
        submit(ann, item, 7, client_key=key)
        RoleGrant.objects.filter(person=ann).update(team=Team.objects.get(name="urdu"))
        moved = Person.objects.get(pk=ann.pk)
        assert submit(moved, item, 7, client_key=key, base_no=0).revision_no == 1
        with pytest.raises(NotFound):
            submit(moved, item, 8)

    def test_a_team_of_one_gets_a_curators_star(self, here, dan):
        item = made(dan)
        assert star(here.curator, item).state == "accepted"

    def test_annotators_outside_of_teams_reach_nothing(self, here, ann):
        item = made(ann)
        with pytest.raises(OperationNotAllowed):
            star(here.annotator, item)
        with pytest.raises(NotFound):
            submit(here.annotator, item, 7)


class TestAClosedTeam:
    @pytest.mark.parametrize("state", ["todo", "made", "returned"])
    def test_has_its_open_items_discarded_by_curators(self, here, ann, ben, state):
        item = create(ann) if state == "todo" else made(ann)
        item = send_back(ben, item) if state == "returned" else item
        with pytest.raises(NotFound):
            discard(here.curator, item)
        Team.objects.filter(pk=item.team_id).update(closed_at=timezone.now(), lead=None)
        assert "item_discard" in queries.peer_item(here.curator, item.pk)["available_actions"]
        assert discard(here.curator, item).excluded_for == "discard"

    def test_keeps_its_accepted_items(self, here, ann, ben):
        item = star(ben, made(ann))
        Team.objects.filter(pk=item.team_id).update(closed_at=timezone.now(), lead=None)
        with pytest.raises(ActionNotAllowed):
            discard(here.curator, item)


class TestAWithdrawnPicture:
    """The sweep that excludes its items skips locked ones until the next time."""

    COMMANDS = (star, send_back, discard, lambda who, item: submit(who, item, 7))

    @pytest.mark.parametrize("do", COMMANDS, ids=["star", "send_back", "discard", "edit"])
    def test_gets_no_further_work_on_its_items(self, ann, ben, do):
        item = made(ann)
        Image.objects.filter(pk=item.image_id).update(state="withdrawn")
        with pytest.raises(ActionNotAllowed):
            do(ann if do is discard else ben, item)
        assert not {"item_star", "item_submit"} & set(queries.peer_item(ben, item.pk)["available_actions"])
        assert (Item.objects.get(pk=item.pk).state, Verdict.objects.count()) == ("made", 0)

    def test_but_on_a_picture_refused_later_work_goes_on_or_is_discarded(self, ann, ben):
        first, second = made(ann), made(ann)
        Image.objects.filter(pk__in=[first.image_id, second.image_id]).update(state="refused")
        assert {"item_star", "item_submit"} <= set(queries.peer_item(ben, first.pk)["available_actions"])
        assert star(ben, first).state == "accepted"
        assert discard(ann, second).state == "excluded"

    def test_a_repeat_gets_the_answer_of_its_first_try(self, ann):
        item, key = create(ann), uuid.uuid4()
        submit(ann, item, client_key=key)
        Image.objects.filter(pk=item.image_id).update(state="withdrawn")
        assert submit(ann, item, client_key=key, base_no=0).revision_no == 1


class TestOtherTeams:
    @pytest.mark.parametrize("do", [star, send_back, discard, lambda who, item: submit(who, item, 7)])
    def test_find_nothing(self, dan, ann, do):
        item = made(ann)
        with pytest.raises(NotFound):
            do(dan, item)

    def test_nor_do_drafts(self, dan, ann):
        item = made(ann)
        draft = {"item_id": item.pk, "base_no": 1, "seq": 1, "content": five_captions(1)}
        with pytest.raises(NotFound):
            writing.save_draft(actor=dan, track="peer", **draft)
        with pytest.raises(NotFound):  # another track's address
            writing.save_draft(actor=ann, **draft)
        assert writing.save_draft(actor=ann, track="peer", **draft)["seq"] == 1


class TestDiscarding:
    def test_the_lead_or_the_first_author_discards(self, ann, ben, cay):
        item = made(ben)
        with pytest.raises(NotFound):
            discard(cay, item)
        assert discard(ann, item).excluded_for == "discard"  # leads
        assert discard(cay, made(cay)).state == "excluded"
        assert not Seat.objects.exists()

    def test_everybody_discards_what_nobody_wrote(self, ben, cay):
        assert discard(cay, create(ben)).state == "excluded"

    def test_not_what_is_accepted(self, ann, ben):
        item = star(ben, made(ann))
        with pytest.raises(ActionNotAllowed):
            discard(ann, item)

    def test_is_done_once_for_one_key(self, ann):
        item, key = made(ann), uuid.uuid4()
        for _ in range(2):
            peer.discard_item(actor=ann, item_id=item.pk, revision_no=1, client_key=key)
        assert AuditEvent.objects.filter(action="item_discard").count() == 1


def claim(who, count=1, **more):
    return peer.claim_items(actor=who, benchmark_slug="cvqa", kind="captions", count=count, **more)


def held_by(who):
    return list(Seat.objects.filter(holder=who, state="held").order_by("rank").values_list("item_id", flat=True))


class TestClaiming:
    def test_gives_what_colleagues_of_the_team_wrote_oldest_first(self, ann, ben, dan):
        items = [made(ann), made(ben), made(ann)]
        made(dan)
        claim(ben, 3)
        assert held_by(ben) == [items[0].pk, items[2].pk]
        with pytest.raises(NothingLeft):
            claim(dan)

    def test_keeps_others_from_the_item_meanwhile(self, ann, ben, cay):
        item = made(ann)
        claim(ben)
        for do in (star, send_back, lambda who, item: submit(who, item, 7)):
            with pytest.raises(SeatHeld):
                do(cay, item)
        with pytest.raises(PoolEmpty):
            claim(cay)
        assert queries.peer_item(cay, item.pk)["held_until"] is not None
        assert "item_star" not in queries.peer_item(cay, item.pk)["available_actions"]
        assert "item_star" in queries.peer_item(ben, item.pk)["available_actions"]
        assert star(ben, item).state == "accepted"

    def test_the_reason_does_not_depend_on_the_order_of_the_moves(self, ann, ben, cay, monkeypatch):
        item = made(ann)
        claim(ben)
        monkeypatch.setitem(states.TABLES, "peer", dict(reversed(states.TABLE.items())))
        with pytest.raises(SeatHeld):
            submit(cay, item, 7)

    def test_ends_with_the_lease(self, ann, ben, cay):
        item = made(ann)
        claim(ben)
        Seat.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert star(cay, item).state == "accepted"

    def test_leaves_the_author_free_to_write(self, ann, ben):
        item = made(ann)
        claim(ben)
        submit(ann, item, 7)
        with pytest.raises(StaleRow):
            star(ben, item, revision_no=1)
        assert held_by(ben) == [item.pk]
        assert star(ben, item).state == "accepted"

    def test_an_edit_by_the_holder_frees_the_seat_for_others(self, ann, ben, cay):
        item = made(ann)
        claim(ben)
        submit(ben, item, 7)
        assert Seat.objects.get().state == "free"
        with pytest.raises(NothingLeft):
            claim(ben)
        claim(ann)
        assert held_by(ann) == [item.pk]

    def test_a_returned_item_comes_back_when_it_is_submitted(self, ann, ben):
        item = made(ann)
        claim(ben)
        send_back(ben, item)
        assert Seat.objects.get().state == "done"
        submit(ann, item, 7)
        claim(ben)
        assert held_by(ben) == [item.pk]

    def test_gives_curators_what_teams_cannot_check_themselves(self, here, ann, dan):
        of_three, of_one = made(ann), made(dan)
        claim(here.curator, 3)
        assert held_by(here.curator) == [of_one.pk]
        claim(here.curator, 1, team=of_three.team_id)
        assert held_by(here.curator) == [of_one.pk, of_three.pk] or held_by(here.curator) == [of_three.pk, of_one.pk]

    def test_of_another_team_finds_nothing(self, ann, dan):
        team = made(ann).team_id
        with pytest.raises(NotFound):
            claim(dan, team=team)

    def test_shows_the_items_with_their_leases(self, ann, ben):
        item = made(ann)
        made(ben)
        pool = queries.claimed_pool(ben, claim(ben))
        assert [(i["id"], i["mine"], i["author"]["name"]) for i in pool["items"]] == [(item.pk, False, ann.name)]
        assert (pool["free"], pool["held"], pool["held_maximum"]) == (0, 0, 3)
        shown = queries.peer_pool(ann, "cvqa", kind="captions")
        assert (shown["free"], shown["held"], shown["items"]) == (1, 1, [])

    def test_renewing_and_releasing(self, ann, ben):
        made(ann)
        claim(ben)
        seat = Seat.objects.get()
        Seat.objects.update(lease_until=timezone.now() + timedelta(seconds=5))
        renewed = peer.renew_seats(actor=ben, benchmark_slug="cvqa", seat_ids=[seat.pk, 10**6])
        assert ([k["seat"] for k in renewed["kept"]], renewed["lost"]) == ([seat.pk], [10**6])
        assert Seat.objects.get().lease_until > timezone.now() + timedelta(minutes=5)
        peer.release_seats(actor=ben, benchmark_slug="cvqa", seat_ids=[seat.pk])
        assert Seat.objects.get().state == "free"

    @pytest.mark.parametrize("held", [False, True])
    def test_gives_no_item_that_was_readmitted(self, here, ann, ben, held):
        item = made(ann)
        if held:
            claim(ben)
        withdraw(item.image, here.admin)
        assert follow_pictures() == 1
        restore(item.image, here.admin)
        assert follow_pictures() == 1
        assert Item.objects.get().state == "returned"
        with pytest.raises(NothingLeft):
            claim(ben)
        assert queries.peer_pool(ben, "cvqa", kind="captions")["items"] == []
        submit(ann, item, 7)
        claim(ben)
        assert held_by(ben) == [item.pk]

    def test_seats_of_excluded_items_are_swept(self, ann):
        Item.objects.filter(pk=made(ann).pk).update(state="excluded", excluded_for="picture")
        assert sweep_pools()["dropped"] == 1


def leave(who):
    RoleGrant.objects.filter(person=who).update(ended_at=timezone.now())
    who.grants = None


def join(who, team):
    RoleGrant.objects.filter(person=who).update(team=Team.objects.get(name=team))
    who.grants = None


class TestMovedMembers:
    """Ben held a seat of an item of the Thai team when he moved to the Urdu team."""

    @pytest.fixture(autouse=True)
    def moved(self, ann, ben):
        made(ann)
        claim(ben)
        join(ben, "urdu")

    def test_do_not_see_their_former_teams_items(self, ben):
        assert queries.peer_pool(ben, "cvqa", kind="captions")["items"] == []

    def test_lose_its_seats_when_they_renew_them(self, ben, cay):
        seat = Seat.objects.get()
        renewed = peer.renew_seats(actor=ben, benchmark_slug="cvqa", seat_ids=[seat.pk])
        assert (renewed["kept"], renewed["lost"]) == ([], [seat.pk])
        assert star(cay, seat.item).state == "accepted"

    def test_claim_items_of_their_new_team(self, ben, dan):
        items = [made(dan) for _ in range(3)]
        claim(ben, 3)
        assert held_by(ben) == [item.pk for item in items]
        assert Seat.objects.get(group_id=Team.objects.get(name="thai").pk).state == "free"


class TestLeavingMembers:
    def test_a_colleague_finishes_what_somebody_left_behind(self, here, ann, ben, cay):
        returned, left_alone, starred = send_back(ben, made(ann)), made(ann), made(ann)
        leave(ann)
        with pytest.raises(NotFound):
            submit(ann, returned, 7)
        assert star(cay, submit(ben, returned, 7)).state == "accepted"
        assert star(ben, left_alone).state == "accepted"
        assert star(cay, starred).state == "accepted"

    def test_a_curator_takes_over_where_one_is_left(self, here, ann, ben, cay):
        item = made(ben)
        for who in (ann, cay):
            leave(who)
        claim(here.curator)
        assert held_by(here.curator) == [item.pk]
        assert star(here.curator, item).state == "accepted"


def accept_unseen(item, no):
    Item.objects.filter(pk=item.pk).update(state="accepted", accepted_no=no)
    connection.cursor().execute("set constraints all immediate")


class TestConstraints:
    def test_no_item_is_accepted_without_a_star_on_the_revision(self, ann, ben):
        item = made(ann)
        with pytest.raises(IntegrityError, match="no star"), transaction.atomic():
            accept_unseen(item, 1)
        star(ben, item)
        submit(ben, item, 7)
        with pytest.raises(IntegrityError, match="no star"), transaction.atomic():
            accept_unseen(item, 2)

    def test_makers_are_kept_for_each_revision(self, ann, ben):
        submit(ann, submit(ben, made(ann), 7), 8)
        spans = ItemHand.objects.filter(hand="maker").values_list("person__username", "span").order_by("span")
        assert [(who, span.lower, span.upper) for who, span in spans] == [
            ("cvqa-ann", 1, 2),
            ("cvqa-ben", 2, 3),
            ("cvqa-ann", 3, 4),
        ]


class TestBoard:
    def test_shows_pictures_items_and_progress(self, ann, ben, here):
        starred, waiting = star(ben, made(ann)), made(ben)
        board = queries.team_board(ann, "cvqa", kind="captions", page_size=50)
        [row] = board["results"]
        assert [(i["id"], i["state"], i["mine"]) for i in row["items"]] == [
            (starred.pk, "accepted", True),
            (waiting.pk, "made", False),
        ]
        assert row["items"][0]["first_text"] == five_captions(starred.number)["captions"][0]
        assert (board["accepted"], board["to_check"], board["required"], board["maximum"]) == (1, 1, 200, 3)
        assert (board["team"]["name"], board["available_actions"]) == ("thai", ["item_create", "item_star"])
        seen = queries.team_board(here.curator, "cvqa", kind="captions", team=starred.team_id, page_size=50)
        assert (seen["available_actions"], seen["to_check"]) == (["item_star"], 1)

    @pytest.mark.parametrize(("show", "pictures"), [("all", 1), ("room", 1), ("returned", 0), ("to_check", 1)])
    def test_filters_pictures(self, ann, ben, show, pictures):
        made(ben)
        assert len(queries.team_board(ann, "cvqa", kind="captions", show=show, page_size=9)["results"]) == pictures

    def test_a_full_picture_has_no_room(self, ann, ben):
        for _ in range(3):
            send_back(ben, made(ann))
        for show, pictures in (("room", 0), ("returned", 1), ("to_check", 0)):
            assert len(queries.team_board(ann, "cvqa", kind="captions", show=show, page_size=9)["results"]) == pictures

    def test_shows_readers_their_own_drafts(self, ann, ben):
        item = made(ann)
        writing.save_draft(actor=ben, item_id=item.pk, base_no=1, seq=1, content=five_captions(50), track="peer")
        for who, drafts in ((ben, 1), (ann, 0)):
            board = queries.team_board(who, "cvqa", kind="captions", show="drafts", page_size=9)
            assert (board["drafts"], len(board["results"])) == (drafts, drafts)
        [row] = queries.team_board(ben, "cvqa", kind="captions", page_size=9)["results"]
        assert [i["reader_drafted"] for i in row["items"]] == [True]

    def test_names_authors_also_curators_and_former_members(self, here, ann, ben):
        submit(here.curator, made(ann), 7)
        made(ben)
        leave(ben)
        authors = [row["id"] for row in queries.team_board(ann, "cvqa", kind="captions", page_size=9)["authors"]]
        assert sorted(authors) == sorted([here.curator.pk, ben.pk])

    def test_of_another_team_or_of_none_is_not_found(self, ann, dan, here):
        team = made(ann).team_id
        for who, named in ((dan, team), (here.curator, None), (here.curator, 10**6)):
            with pytest.raises(NotFound):
                queries.team_board(who, "cvqa", kind="captions", team=named, page_size=50)
