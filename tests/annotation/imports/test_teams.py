"""Importing texts for teams: each row's team, the slots of its picture, and who accepts it afterwards."""

import json
import uuid

import pytest
from django.db.models.functions import Now

from annotation.imports import services
from annotation.imports.errors import ImportDraftsNotInTrack
from annotation.imports.models import Import, ImportRow
from annotation.imports.services import running
from annotation.imports.tasks import run_import
from annotation.items.models import Item, ItemRevision
from annotation.packages.models import Package
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.seats.models import Seat
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OwnWork
from curation.people.models import Person, RoleGrant, Team
from tests.annotation.teams import create, discard, member, peer_world, picture_of, send_back, star, submit
from tests.protocols import names
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def here():
    return peer_world(maximum=2)


def upload(here, *rows, **more) -> Import:
    fields = {"name": "work.jsonl", "format": "auto", "kind": "captions", "target": "items", "reason": ""}
    fields |= {"actor": here.admin, "benchmark_slug": "cvqa", "client_key": uuid.uuid4()} | more
    return services.create_import(blocks=["\n".join(map(json.dumps, rows)).encode()], **fields)


def import_rows(here, *rows, **more) -> Import:
    imported = upload(here, *rows, **more)
    run_import(job_id=imported.job_id)
    imported.refresh_from_db()
    return imported


def row(texts: int, team: str = "thai", **more) -> dict:
    return {"image": picture_of(team).label, "team": team} | five_captions(texts) | more


def report(imported: Import) -> list[tuple]:
    return [(r.outcome, r.code) for r in ImportRow.objects.filter(import_of=imported).order_by("line")]


def first_fault(imported: Import) -> tuple:
    fault = ImportRow.objects.filter(import_of=imported).order_by("line").first()
    return fault.outcome, fault.code, fault.params


def team_id(name: str) -> int:
    return Team.objects.get(name=name).pk


def test_rows_become_made_items_of_their_team_that_a_colleague_stars(here):
    imported = import_rows(here, row(1), row(2), row(3, "urdu"))
    assert (report(imported), imported.counts["made"]) == ([("made", "")] * 3, 3)
    items = Item.objects.order_by("number").values_list("track", "team__name", "state", "slot", "accepted_no")
    assert list(items) == [
        ("peer", "thai", "made", 0, None),
        ("peer", "thai", "made", 1, None),
        ("peer", "urdu", "made", 0, None),
    ]
    assert set(ItemRevision.objects.values_list("origin", "author")) == {("import", here.admin.pk)}
    assert set(Seat.objects.values_list("purpose", "state", "group_id")) == {
        ("peer", "free", team_id("thai")),
        ("peer", "free", team_id("urdu")),
    }
    assert Package.objects.count() == 0
    ann, item = member(here, "ann"), Item.objects.get(number=1)
    pool = queries.claimed_pool(ann, peer.claim_items(actor=ann, benchmark_slug="cvqa", kind="captions"))
    assert [held["id"] for held in pool["items"]] == [item.pk]
    assert star(ann, item).state == "accepted"
    assert star(member(here, "dan"), Item.objects.get(number=3)).state == "accepted"  # alone in the team


def test_the_importer_never_accepts_what_they_imported(here):
    RoleGrant.objects.create(person=here.admin, benchmark=here.benchmark, role="curator")
    admin = Person.objects.get(pk=here.admin.pk)
    import_rows(here, row(1), actor=admin)
    with pytest.raises(OwnWork):
        star(admin, Item.objects.get())
    assert star(here.curator, Item.objects.get()).state == "accepted"


def test_every_member_may_rewrite_or_discard_an_imported_item_and_none_gets_credit_for_it(here):
    import_rows(here, row(1), row(2))
    first, second = Item.objects.order_by("number")
    ben, cay = member(here, "ben"), member(here, "cay")
    assert discard(ben, first).state == "excluded"
    assert send_back(cay, second).state == "returned"
    assert star(cay, submit(ben, second, 7)).state == "accepted"
    answer = queries.credit(here.admin, "cvqa")
    assert ({row["validated"] for row in answer["results"]}, answer["imported"]) == ({0}, 1)
    with pytest.raises(ActionNotAllowed):
        discard(ben, second)


def test_one_team_for_the_whole_file(here):
    rows = [{k: v for k, v in row(n).items() if k != "team"} for n in (1, 2)]
    imported = import_rows(here, *rows, team=team_id("thai"))
    assert (report(imported), imported.team.name) == ([("made", "")] * 2, "thai")
    assert first_fault(import_rows(here, *rows)) == ("refused", "team_not_named", {})


def test_the_pair_of_a_row_names_its_team(here):
    pair = {"pair": "thailand-thai", "country": names("Thailand"), "language": "th-TH", "language_name": names("Thai")}
    Team.objects.filter(name="thai").update(**pair, script="thai", continent="asia")
    label = picture_of("thai").label
    rows = [
        {"image": label, "pair": "thailand-thai"} | five_captions(1),
        {"image": label, "country": names("Thailand")["en"], "language": "th-TH"} | five_captions(2),
        {"image": label, "pair": "laos-lao"} | five_captions(3),
        {"image": label, "country": "Laos", "language": "lo-LA"} | five_captions(4),
    ]
    imported = import_rows(here, *rows)
    assert report(imported) == [("made", ""), ("made", ""), ("refused", "pair_unknown"), ("refused", "pair_unknown")]
    assert [r.params for r in ImportRow.objects.filter(outcome="refused").order_by("line")] == [
        {"pair": "laos-lao"},
        {"pair": "Laos (lo-LA)"},
    ]


def test_a_picture_of_another_team_and_an_unknown_team_are_errors_of_the_row(here):
    other = picture_of("urdu").label
    wrong = {"image": other, "team": "thai"} | five_captions(1)
    assert first_fault(import_rows(here, wrong)) == (
        "refused",
        "image_of_other_team",
        {"image": other, "team": "thai"},
    )
    assert first_fault(import_rows(here, row(1) | {"team": "lao"})) == ("refused", "team_unknown", {"team": "lao"})
    assert first_fault(import_rows(here, row(1), team=team_id("urdu"))) == (
        "refused",
        "team_differs",
        {"team": "thai", "chosen": "urdu"},
    )
    assert Item.objects.count() == 0


def test_no_picture_gets_more_items_than_the_protocol_allows(here):
    create(member(here, "ann"))
    imported = import_rows(here, row(1), row(2), row(3, slot=2))
    assert report(imported) == [("made", ""), ("refused", "picture_full"), ("refused", "picture_full")]
    assert ImportRow.objects.get(import_of=imported, line=2).params == {
        "image": picture_of("thai").label,
        "maximum": 2,
    }
    assert sorted(Item.objects.values_list("slot", flat=True)) == [0, 1]


def test_a_repeated_import_creates_nothing_also_after_colleagues_worked_on_the_items(here):
    rows = [row(1), row(1), row(2, "urdu"), row(3, "urdu")]
    assert report(import_rows(here, *rows)) == [("made", ""), ("unchanged", ""), ("made", ""), ("made", "")]
    first, second, _ = Item.objects.order_by("number")
    submit(member(here, "ben"), first, 8)
    discard(member(here, "dan"), second)
    assert report(import_rows(here, *rows)) == [
        ("refused", "item_written"),
        ("refused", "item_written"),
        ("refused", "item_set_aside"),
        ("unchanged", ""),
    ]
    assert (Item.objects.count(), ItemRevision.objects.count()) == (3, 4)


class _Lease:
    def __init__(self, import_id: int) -> None:
        self.args = {"import_id": import_id}

    def progress(self, done: int, total: int) -> None:
        """Nothing to keep."""


def test_an_import_that_was_interrupted_goes_on_after_its_last_row(here, monkeypatch):
    monkeypatch.setattr(running, "ROWS_PER_TRANSACTION", 1)
    imported = upload(here, row(1), row(2), row(3, "urdu"))
    write, written = running._write_item, []

    def fail_at_the_second(*args):
        if len(written) == 1:
            raise ZeroDivisionError
        written.append(args)
        return write(*args)

    monkeypatch.setattr(running, "_write_item", fail_at_the_second)
    with pytest.raises(ZeroDivisionError):
        running.run_import(_Lease(imported.pk))
    assert Item.objects.count() == 1
    monkeypatch.setattr(running, "_write_item", write)
    running.run_import(_Lease(imported.pk))
    running.run_import(_Lease(imported.pk))
    assert (report(imported), Item.objects.count()) == ([("made", "")] * 3, 3)


def test_drafts_and_teams_of_another_benchmark_are_refused_before_anything_is_stored(here):
    with pytest.raises(ImportDraftsNotInTrack) as refused:
        upload(here, row(1), target="drafts")
    assert refused.value.params == {"track": "peer"}
    with pytest.raises(NotFound):
        upload(here, row(1), team=10**6)
    assert Import.objects.count() == 0


@pytest.mark.parametrize("bad", ["\0", "\ud800", "\u202e"])
@pytest.mark.parametrize("name", ["team", "pair", "country", "language"])
def test_a_reference_to_a_team_with_a_character_that_no_column_stores_is_an_error_of_its_row(here, name, bad):
    named = {"country": "Laos", "language": "lo-LA", name: f"lao{bad}"}
    imported = import_rows(here, {"image": picture_of("thai").label} | named | five_captions(1), row(2))
    code = "team_unknown" if name == "team" else "pair_unknown"
    assert report(imported) == [("refused", code), ("made", "")]
    assert imported.finished_at is not None
    assert "lao\ufffd" in str(first_fault(imported)[2])


def test_a_team_that_was_closed_after_the_upload_gets_no_further_rows(here, monkeypatch):
    monkeypatch.setattr(running, "ROWS_PER_TRANSACTION", 1)
    imported = upload(here, *({k: v for k, v in row(n).items() if k != "team"} for n in (1, 2)), team=team_id("thai"))
    import_block = running._import_block

    def close_after_the_first(*args):
        import_block(*args)
        Team.objects.filter(name="thai").update(closed_at=Now(), lead=None)

    monkeypatch.setattr(running, "_import_block", close_after_the_first)
    run_import(job_id=imported.job_id)
    assert report(imported) == [("made", ""), ("refused", "team_closed")]
    assert ImportRow.objects.get(import_of=imported, line=2).params == {"team": "thai"}
    assert Item.objects.count() == 1


def test_a_repeat_of_the_request_names_the_same_team_or_none(here):
    key, rows = uuid.uuid4(), [row(1)]
    upload(here, *rows, client_key=key, team=team_id("thai"))
    for team in (None, team_id("urdu")):
        with pytest.raises(ClientKeyReused):
            upload(here, *rows, client_key=key, team=team)
    upload(here, *rows, client_key=(other := uuid.uuid4()))
    with pytest.raises(ClientKeyReused):
        upload(here, *rows, client_key=other, team=team_id("thai"))
    assert upload(here, *rows, client_key=other).team is None
