"""Spot checks: the draw, the verdicts, the results of each team, and who sees what."""

import importlib
import sys
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.draws.models import Draw, Drawn, PopulationItem
from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.peer.errors import NoSpotChecks, NothingToDraw, NotInSpotCheck
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.lib.sampling import seeded_order
from curation.people.models import Notice
from tests.annotation.teams import draw, judge, made, member, peer_world, send_back, star, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return peer_world(pictures=5, percent=20)


def accepted(here, author, checker, n):
    """Items that one of a team wrote and another starred."""
    who, other = member(here, author), getattr(here, checker, None) or member(here, checker)
    pictures = Image.objects.filter(team__in=who.team_ids(here.benchmark.pk)).order_by("pk")
    return [star(other, made(who, pictures[number // 3])) for number in range(n)]


def results(who):
    """The newest spot check as somebody sees it, by team."""
    newest = queries.spot_checks(who, "cvqa", kind="captions")["results"][0]
    counts = ("population", "drawn", "right", "wrong", "open", "changed")
    return {row["team"]["name"]: tuple(row[name] for name in counts) for row in newest["teams"]}


def to_judge(who):
    """The items that somebody may judge in spot checks."""
    return [row["id"] for row in queries.spot_check_sheet(who, "cvqa", kind="captions")["items"]]


def everything():
    """What a refused command must leave as it is."""
    items = list(Item.objects.order_by("pk").values_list("pk", "state", "accepted_no", "revision_no"))
    return items, Verdict.objects.count(), Draw.objects.count(), Notice.objects.count(), AuditEvent.objects.count()


class TestDrawing:
    def test_takes_the_share_of_each_team_rounded_up(self, here):
        thai, urdu = accepted(here, "ann", "ben", 6), accepted(here, "dan", "curator", 1)
        drawn = draw(here.curator)
        sample = Draw.objects.get()
        assert (sample.population, sample.size, sample.purpose, sample.drawn_by) == (7, 3, "spot_check", here.curator)
        populations = {str(thai[0].team_id): 6, str(urdu[0].team_id): 1}
        assert sample.criteria == {"percent": 20, "populations": populations}
        of_population = PopulationItem.objects.values_list("draw_id", "item_id", "revision_no").order_by("item_id")
        assert list(of_population) == [(sample.pk, item.pk, 1) for item in (*thai, *urdu)]
        expected = [*seeded_order(bytes(sample.seed), [item.pk for item in thai])[:2], urdu[0].pk]
        assert [item.pk for item in drawn] == expected
        assert set(Drawn.objects.values_list("stratum", "revision_no")) == {("random", 1)}

    def test_takes_only_what_was_accepted_since(self, here):
        first = accepted(here, "ann", "ben", 1)
        assert draw(here.curator) == first
        again = submit(member(here, "ben"), first[0], 77)
        second = accepted(here, "dan", "curator", 1)
        assert draw(here.curator) == second
        star(member(here, "ann"), again)  # another revision was accepted
        assert draw(here.curator2) == first
        before = everything()
        with pytest.raises(NothingToDraw):
            draw(here.curator)
        assert everything() == before

    def test_is_previewed_to_those_who_may_draw(self, here):
        def preview(who):
            rows = queries.spot_checks(who, "cvqa", kind="captions", preview=True)["preview"]
            return [(row["team"]["name"], row["population"], row["size"]) for row in rows]

        accepted(here, "ann", "ben", 6)
        accepted(here, "dan", "curator", 1)
        assert preview(here.curator) == [("thai", 6, 2), ("urdu", 1, 1)]
        assert [preview(who) for who in (here.admin, member(here, "ann"))] == [[], []]
        assert queries.spot_checks(here.curator, "cvqa", kind="captions")["preview"] == []
        draw(here.curator)
        assert preview(here.curator) == []

    def test_happens_once_for_one_key(self, here):
        accepted(here, "ann", "ben", 1)
        fields = {"actor": here.curator, "benchmark_slug": "cvqa", "client_key": uuid.uuid4()}
        for _ in range(2):
            peer.draw_spot_check(kind="captions", **fields)
        assert Draw.objects.count() == 1
        assert AuditEvent.objects.get(action="spot_check_draw").data == {"kind": "captions", "population": 1, "size": 1}

    def test_is_refused_where_the_protocol_asks_for_none(self):
        here = peer_world(percent=0)
        accepted(here, "ann", "ben", 1)
        before = everything()
        with pytest.raises(NoSpotChecks):
            draw(here.curator)
        assert everything() == before
        assert queries.spot_checks(here.curator, "cvqa", kind="captions")["available_actions"] == []

    @pytest.mark.parametrize("who", ["ann", "senior", "admin", "owner", "annotator"])
    def test_is_for_inspectors(self, here, who):
        accepted(here, "ann", "ben", 1)
        before = everything()
        with pytest.raises(OperationNotAllowed):
            draw(getattr(here, who, None) or member(here, who))
        assert everything() == before


class TestJudging:
    def test_a_right_item_stays_accepted(self, here):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        item = judge(here.curator, item)
        assert (item.state, item.accepted_no) == ("accepted", 1)
        verdict = Verdict.objects.get(stage="spot_check")
        assert (verdict.outcome, verdict.judge, verdict.revision_no) == ("right", here.curator, 1)
        assert not Notice.objects.filter(code="item_spot_wrong").exists()

    def test_a_wrong_item_is_returned_and_its_team_is_notified(self, here):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        item = judge(here.curator, item, "wrong", comment="看")
        assert (item.state, item.accepted_no) == ("returned", None)
        told = Notice.objects.filter(code="item_spot_wrong").values_list("person__username", "params__item")
        assert sorted(told) == [(f"cvqa-{name}", item.label) for name in ("ann", "ben", "cay")]
        shown = queries.peer_item(member(here, "ben"), item.pk)["sent_back"]
        assert (shown["stage"], shown["reasons"], shown["comment"]) == ("spot_check", ["wrong_fact"], "看")
        transitions = AuditEvent.objects.filter(action="item_return").values_list("state_from", "state_to")
        assert list(transitions) == [("accepted", "returned")]

    def test_a_returned_item_needs_another_star(self, here):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        item = submit(member(here, "ann"), judge(here.curator, item, "wrong"), 77)
        assert (item.state, item.revision_no) == ("made", 2)
        item = star(member(here, "ben"), item)
        assert (item.state, item.accepted_no) == ("accepted", 2)
        assert draw(here.curator) == [item]

    def test_happens_once_for_one_key(self, here):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        key = uuid.uuid4()
        for _ in range(2):
            judge(here.curator, item, "wrong", revision_no=1, client_key=key)
        assert Verdict.objects.filter(stage="spot_check").count() == 1
        with pytest.raises(ClientKeyReused):
            judge(here.curator, item, client_key=key)

    @pytest.mark.parametrize(
        ("more", "error"),
        [
            ({"outcome": "wrong", "reasons": []}, ReasonNeeded),
            ({"outcome": "wrong", "reasons": ["x"]}, ReasonUnknown),
            ({"outcome": "right", "revision_no": 2}, StaleRow),
        ],
    )
    def test_what_is_incomplete_is_refused(self, here, more, error):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        before = everything()
        with pytest.raises(error):
            judge(here.curator, item, **more)
        assert everything() == before

    def test_only_a_drawn_item_is_judged_and_only_once(self, here):
        items = accepted(here, "ann", "ben", 5)
        [item] = draw(here.curator)
        rest = next(other for other in items if other != item)
        before = everything()
        with pytest.raises(NotInSpotCheck):
            judge(here.curator, rest)
        assert everything() == before
        judge(here.curator, item)
        before = everything()
        for who in (here.curator, here.curator2):
            with pytest.raises(NotInSpotCheck):
                judge(who, item, "wrong")
        assert everything() == before

    def test_nobody_judges_their_own_text(self, here):
        item = submit(here.curator, made(member(here, "ann")), 77)
        star(member(here, "ann"), item)
        draw(here.curator)
        with pytest.raises(OwnWork):
            judge(here.curator, item)
        assert (to_judge(here.curator), to_judge(here.curator2)) == ([], [item.pk])
        counts = [
            queries.spot_checks(who, "cvqa", kind="captions")["to_judge"] for who in (here.curator, here.curator2)
        ]
        assert counts == [0, 1]
        assert judge(here.curator2, item).state == "accepted"

    @pytest.mark.parametrize("change", ["edit", "return"])
    def test_an_item_that_was_changed_since_is_not_judged(self, here, change):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        item = submit(member(here, "ben"), item, 77)
        if change == "return":
            send_back(member(here, "cay"), item)
        with pytest.raises(ActionNotAllowed):
            judge(here.curator, item)
        assert results(here.curator) == {"thai": (1, 1, 0, 0, 0, 1)}

    @pytest.mark.parametrize("who", ["ann", "ben", "dan", "admin", "senior"])
    def test_is_for_inspectors(self, here, who):
        accepted(here, "ann", "ben", 1)
        [item] = draw(here.curator)
        before = everything()
        with pytest.raises((OperationNotAllowed, NotFound)):
            judge(getattr(here, who, None) or member(here, who), item)
        assert everything() == before


class TestResults:
    @pytest.fixture
    def drawn(self, here):
        accepted(here, "ann", "ben", 9)
        accepted(here, "dan", "curator", 3)
        return draw(here.curator)

    def test_are_counted_for_each_team(self, here, drawn):
        assert results(here.curator) == {"thai": (9, 2, 0, 0, 2, 0), "urdu": (3, 1, 0, 0, 1, 0)}
        judge(here.curator2, drawn[0])
        judge(here.curator2, drawn[1], "wrong")
        assert results(here.curator) == {"thai": (9, 2, 1, 1, 0, 0), "urdu": (3, 1, 0, 0, 1, 0)}
        thai, urdu = queries.spot_checks(here.curator, "cvqa", kind="captions")["results"][0]["teams"]
        # One right of two, drawn of nine: from 1 to 8 of the nine are right.
        assert thai["interval"] == {"method": "hypergeometric", "low": 1 / 9, "high": 8 / 9}
        assert urdu["interval"] is None

    def test_have_no_interval_once_a_drawn_item_changed_before_it_was_judged(self, here, drawn):
        judge(here.curator2, drawn[0])
        submit(member(here, "ben"), drawn[1], 77)
        thai = queries.spot_checks(here.curator, "cvqa", kind="captions")["results"][0]["teams"][0]
        assert [thai[name] for name in ("drawn", "right", "open", "changed")] == [2, 1, 0, 1]
        assert thai["interval"] is None

    def test_are_each_teams_own_for_its_members(self, here, drawn):
        assert list(results(member(here, "ann"))) == ["thai"]
        assert list(results(member(here, "dan"))) == ["urdu"]
        assert list(results(here.admin)) == ["thai", "urdu"]
        assert results(here.annotator) == {}

    def test_name_the_items_to_inspectors_only(self, here, drawn):
        assert to_judge(here.curator) == [item.pk for item in drawn]
        judge(here.curator, drawn[0])
        assert to_judge(here.curator) == [item.pk for item in drawn[1:]]
        for who in (here.admin, member(here, "ann")):
            assert queries.spot_checks(who, "cvqa", kind="captions")["to_judge"] == 0
            with pytest.raises(OperationNotAllowed):
                to_judge(who)

    def test_a_judged_item_stays_counted_when_it_is_edited_later(self, here, drawn):
        judge(here.curator, drawn[0])
        submit(member(here, "ben"), drawn[0], 77)
        assert results(here.curator)["thai"] == (9, 2, 1, 0, 1, 0)

    def test_take_the_same_statements_for_any_number_of_draws(self, here, drawn, django_assert_max_num_queries):
        star(here.curator, made(member(here, "dan"), Image.objects.filter(team__name="urdu").last()))
        draw(here.curator)
        with django_assert_max_num_queries(8):
            assert len(queries.spot_checks(here.curator, "cvqa", kind="captions")["results"]) == 2
        with django_assert_max_num_queries(10):  # two for what would be drawn now
            assert queries.spot_checks(here.curator, "cvqa", kind="captions", preview=True)["preview"] == []

    def test_do_not_read_the_populations_of_earlier_draws(self, here, drawn):
        star(here.curator, made(member(here, "dan"), Image.objects.filter(team__name="urdu").last()))
        Draw.objects.update(criteria={"percent": 20, "populations": {}})
        with CaptureQueriesContext(connection) as statements:
            assert len(draw(here.curator)) == 1
        read = [q["sql"] for q in statements if q["sql"].startswith("SELECT") and '"criteria"' in q["sql"]]
        assert len(read) == 1  # that of ``draw``, which gets the new one


def test_the_populations_of_earlier_draws_are_copied_to_rows(here):
    items = [*accepted(here, "ann", "ben", 2), *accepted(here, "dan", "curator", 1)]
    teams: dict[str, dict[str, int]] = {}
    for item in items:
        teams.setdefault(str(item.team_id), {})[str(item.pk)] = 1
    given = {"benchmark": here.benchmark, "kind": "captions", "population": 3, "size": 1, "seed": b"0" * 16}
    old = Draw.objects.create(purpose="spot_check", criteria={"percent": 20, "teams": teams}, **given)
    inspection = Draw.objects.create(purpose="inspection", criteria={"package_id": 1}, **given)
    with connection.cursor() as cursor:
        cursor.execute(importlib.import_module("annotation.migrations.0014_populations_of_spot_checks").COPY)
    rows = PopulationItem.objects.values_list("draw_id", "item_id", "revision_no").order_by("item_id")
    assert list(rows) == [(old.pk, item.pk, 1) for item in items]
    old.refresh_from_db()
    assert old.criteria == {
        "percent": 20,
        "teams": teams,
        "populations": {team: len(revisions) for team, revisions in teams.items()},
    }
    inspection.refresh_from_db()
    assert inspection.criteria == {"package_id": 1}
    with pytest.raises(NothingToDraw):
        draw(here.curator)


class TestSheet:
    @pytest.fixture
    def drawn(self, here):
        """Drawn items that the curator edited, starred, and never saw."""
        ann, ben = member(here, "ann"), member(here, "ben")
        first, second, third = Image.objects.filter(team__name="thai").order_by("pk")[:3]
        edited = star(ben, submit(ann, submit(here.curator, made(ann, first), 77), 78))
        draw(here.curator)
        starred = star(here.curator, made(ann, second))
        draw(here.curator)
        unseen = star(ben, made(ann, third))
        draw(here.curator)
        return edited, starred, unseen

    def test_says_what_the_reader_did_on_an_item_earlier(self, here, drawn):
        def shown(who):
            rows = queries.spot_check_sheet(who, "cvqa", kind="captions")["items"]
            return [(row["id"], row["reader_edited"], row["reader_starred"]) for row in rows]

        edited, starred, unseen = (item.pk for item in drawn)
        assert shown(here.curator) == [(edited, True, False), (starred, False, True), (unseen, False, False)]
        assert shown(here.curator2) == [(pk, False, False) for pk in (edited, starred, unseen)]

    def test_shows_the_items_as_they_were_drawn(self, here, drawn):
        sheet = queries.spot_check_sheet(here.curator2, "cvqa", kind="captions")
        assert (sheet["kind"], sheet["total"], sheet["rules"]["kind"]) == ("captions", 3, "captions")
        row = sheet["items"][0]
        item = Item.objects.get(pk=row["id"])
        assert (row["revision_no"], row["label"], row["team"]["name"]) == (3, item.label, "thai")
        assert row["content"] == item.revisions.get(no=3).content
        assert (row["image"]["id"], row["author"]["id"], row["comments"]) == (item.image_id, member(here, "ann").pk, 0)

    def test_takes_the_same_statements_for_any_number_of_items(self, here, drawn, django_assert_num_queries):
        with django_assert_num_queries(3):
            assert len(to_judge(here.curator)) == 3
        judge(here.curator2, drawn[0])
        with django_assert_num_queries(3):
            assert len(to_judge(here.curator)) == 2

    def test_shows_fifty_at_once_and_counts_all(self, here, drawn, monkeypatch):
        monkeypatch.setattr(sys.modules["annotation.peer.queries.spot_checks"], "SHOWN", 2)
        sheet = queries.spot_check_sheet(here.curator, "cvqa", kind="captions")
        assert ([row["id"] for row in sheet["items"]], sheet["total"]) == ([item.pk for item in drawn[:2]], 3)


def test_the_sheet_names_no_author_where_the_track_is_blind():
    here = peer_world(blind=True, percent=100)
    star(member(here, "ben"), made(member(here, "ann")))
    draw(here.curator)
    [row] = queries.spot_check_sheet(here.curator, "cvqa", kind="captions")["items"]
    assert row["author"] is None
