"""Proposing, deciding and freezing, with everything that is refused."""

import json
import threading
import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.items.queries import categories_of
from curation.benchmarks.errors import CategoriesNotFrozen
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.board import queries, services
from curation.board.errors import (
    BoardAlreadySubmitted,
    BoardDraftIncomplete,
    BoardDraftOpen,
    BoardFieldUnknown,
    BoardFrozen,
    BoardMissing,
    BoardNameMissing,
    BoardNamesIncomplete,
    BoardNameTaken,
    BoardNothingNew,
    BoardProposalsSeen,
    BoardReasonMissing,
    BoardTargetUnknown,
    BoardUnfinished,
)
from curation.board.models import Board, BoardDraft, BoardEntry, BoardEvent, BoardProposal
from curation.board.rules import LONGEST_KEY
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, StaleRow
from curation.core.models import AuditEvent
from curation.images.services import create_upload
from curation.people.models import Notice
from curation.taxonomy.models import Category
from curation.taxonomy.queries import lists_in_force
from curation.taxonomy.services import create_benchmark, create_list
from tests.people import Role, person
from tests.shared import shared

ALL = ["common", "representative", "physical", "concrete"]
SLUG = "decided"
NAMES = {"food": ("食物", "Food"), "music": ("音乐", "Music")}
FIELDS = [{"code": code, "name": {"zh-Hans": zh, "zh-Hant": zh, "en": en}} for code, (zh, en) in NAMES.items()]
BOARD = {"proposers": 3, "per_field": {"minimum": 1, "maximum": 2}, "semantic_fields": FIELDS}


def name(zh, en=None, hant=None):
    return {"zh-Hans": zh} | ({"en": en} if en else {}) | ({"zh-Hant": hant} if hant else {})


def row(field, zh, en=None, vouched=ALL):
    return {"field": field, "name": name(zh, en), "vouched": vouched}


@shared
def owner():
    return person("owner", None, Role.OWNER)


@shared
def here(owner):
    """A benchmark whose categories a board decides on, with two curators and three proposers."""
    made = create_benchmark(
        actor=owner,
        slug=SLUG,
        title={"zh-Hans": "评议", "zh-Hant": "評議", "en": "Decided"},
        preset="cvlue",
        categories={"board": BOARD},
        client_key=uuid.uuid4(),
    )
    people = {
        n: person(n, made, Role.CURATOR if n.startswith("cur") else Role.CONTRIBUTOR)
        for n in ("curator", "curator2", "li", "wang", "zhao")
    }
    return {"benchmark": made, "owner": owner, **people}


def submit(who, *rows):
    services.save_draft(actor=who, benchmark_slug=SLUG, revision=0, rows=rows)
    return services.submit_proposals(actor=who, benchmark_slug=SLUG, client_key=uuid.uuid4())


@shared
def proposed(here):
    """Two people proposed."""
    submit(here["li"], row("food", "月饼", "mooncake"), row("music", "二胡", "erhu"))
    submit(here["wang"], row("food", "月餅", "moon cake"), row("music", "琵琶", "pipa"))
    return here


def page(who):
    return queries.board_page(who, SLUG)


def entry(zh):
    return BoardEntry.objects.get(name__contains={"zh-Hans": zh})


def decide(who, zh, action, reason="", **more):
    found = entry(zh)
    given = {"revision": found.revision, "client_key": uuid.uuid4()} | more
    return services.decide(actor=who, entry_id=found.pk, action=action, reason=reason, **given)


def test_proposals_are_seen_by_nobody_else_before_they_are_submitted(here):
    li, curator = here["li"], here["curator"]
    services.save_draft(actor=li, benchmark_slug=SLUG, revision=0, rows=[row("food", "月饼")])
    assert not BoardEntry.objects.exists()
    assert not BoardProposal.objects.exists()
    assert [one["name"] for one in page(li)["draft"]["rows"]] == [{"zh-Hans": "月饼"}]
    assert page(li)["is_hidden"]
    assert (page(curator)["entries"], page(curator)["is_hidden"]) == ([], False)
    assert "月饼" not in str(page(curator))
    assert "月饼" not in str(page(here["wang"]))


def test_proposers_see_only_their_own_until_they_submit(proposed):
    zhao = proposed["zhao"]
    hidden = page(zhao)
    assert (hidden["is_hidden"], hidden["entries"], hidden["progress"]) == (True, [], [])
    assert (hidden["agreement"]["entries"], hidden["available_actions"]) == (
        0,
        ["category_board_draft", "category_board_submit"],
    )
    with pytest.raises(NotFound):
        queries.entry_page(zhao, entry("月饼").pk)
    submit(zhao, row("food", "粽子", "zongzi"), row("music", "二胡"))
    shown = page(zhao)
    assert [one["name"]["zh-Hans"] for one in shown["entries"]] == ["月饼", "粽子", "二胡", "琵琶"]


def test_who_proposed_what_and_how_far_they_agree(proposed):
    shown = page(proposed["curator"])
    mooncake = shown["entries"][0]
    # One category, spelt in two ways; the name of the first stays, and each proposer's is kept.
    assert mooncake["name"] == {"zh-Hans": "月饼", "zh-Hant": "月餅", "en": "mooncake"}
    assert [(one["person"]["name"], one["name"]["en"]) for one in mooncake["proposers"]] == [
        ("li 名", "mooncake"),
        ("wang 名", "moon cake"),
    ]
    assert shown["agreement"] == {"proposers": 2, "entries": 3, "shared": 1, "jaccard": pytest.approx(1 / 3)}
    assert [one["submitted_at"] is not None for one in shown["progress"]] == [True, True]
    assert [one["computed_group"] for one in shown["entries"]] == ["closest", "closest", "moderate"]


def test_a_curator_who_could_see_others_proposes_nothing_any_more(proposed):
    curator, rows = proposed["curator"], [row("food", "粽子")]
    assert not {"category_board_draft", "category_board_submit"} & set(page(curator)["available_actions"])
    with pytest.raises(BoardProposalsSeen):
        services.save_draft(actor=curator, benchmark_slug=SLUG, revision=0, rows=rows)
    assert not BoardDraft.objects.filter(person=curator).exists()
    services.save_draft(actor=proposed["zhao"], benchmark_slug=SLUG, revision=0, rows=rows)  # who sees none yet


def test_a_curator_with_proposals_of_their_own_decides_after_submitting(here):
    curator = here["curator"]
    services.save_draft(actor=curator, benchmark_slug=SLUG, revision=0, rows=[row("food", "粽子")])
    submit(here["li"], row("food", "月饼", "mooncake"), row("music", "二胡", "erhu"))
    assert page(curator)["is_hidden"]
    with pytest.raises(BoardDraftOpen):
        decide(curator, "月饼", "keep")
    with pytest.raises(BoardDraftOpen):
        services.freeze_board(actor=curator, benchmark_slug=SLUG, revision=0, client_key=uuid.uuid4())
    services.save_draft(actor=curator, benchmark_slug=SLUG, revision=1, rows=[])
    assert decide(curator, "月饼", "keep").state == "kept"
    with pytest.raises(BoardProposalsSeen):
        services.save_draft(actor=curator, benchmark_slug=SLUG, revision=2, rows=[row("food", "汤圆")])


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([row("food", "月饼")], ("music", None, "too_few")),
        (
            [row("food", "月饼"), row("food", "粽子"), row("food", "汤圆"), row("music", "鼓")],
            ("food", None, "too_many"),
        ),
        ([row("food", "月饼", vouched=ALL[:3]), row("music", "鼓")], ("food", 0, "not_vouched")),
        ([row("food", "月饼"), row("food", "月餅"), row("music", "鼓")], ("food", 1, "name_twice")),
        ([row("food", "", "mooncake"), row("music", "鼓")], ("food", 0, "name_missing")),
        ([row("food", "月饼"), row("music", "鼓"), row("sport", "球")], ("sport", 2, "field_unknown")),
    ],
)
def test_incomplete_proposals_are_not_submitted(here, rows, fault):
    with pytest.raises(BoardDraftIncomplete) as refused:
        submit(here["li"], *rows)
    assert [(one["field"], one["row"], one["code"]) for one in refused.value.params["faults"]] == [fault]
    assert not BoardEntry.objects.exists()


def test_proposals_are_submitted_once(here):
    rows = [row("food", "月饼"), row("music", "鼓")]
    key = uuid.uuid4()
    services.save_draft(actor=here["li"], benchmark_slug=SLUG, revision=0, rows=rows)
    for _ in range(2):
        services.submit_proposals(actor=here["li"], benchmark_slug=SLUG, client_key=key)
    assert BoardProposal.objects.count() == 2
    with pytest.raises(BoardAlreadySubmitted):
        services.submit_proposals(actor=here["li"], benchmark_slug=SLUG, client_key=uuid.uuid4())
    with pytest.raises(BoardAlreadySubmitted):
        services.save_draft(actor=here["li"], benchmark_slug=SLUG, revision=2, rows=rows)


def test_a_draft_edited_in_two_windows_is_not_overwritten(here):
    services.save_draft(actor=here["li"], benchmark_slug=SLUG, revision=0, rows=[row("food", "月饼")])
    with pytest.raises(StaleRow):
        services.save_draft(actor=here["li"], benchmark_slug=SLUG, revision=0, rows=[])
    assert page(here["li"])["draft"]["revision"] == 1


# --- The database


def test_the_database_refuses_a_proposal_without_all_vouchings(proposed):
    with pytest.raises(IntegrityError, match="board_proposal_vouched"), transaction.atomic():
        BoardProposal.objects.create(entry=entry("月饼"), person=proposed["zhao"], name={}, vouched=ALL[:3])
    assert BoardProposal.objects.count() == 4


@pytest.mark.parametrize("reason", ["", "  \n"])
@pytest.mark.parametrize("action", ["remove", "replace", "merge", "add", "rename", "regroup", "reopen"])
def test_the_database_refuses_a_decision_without_a_reason(proposed, action, reason):
    with pytest.raises(IntegrityError, match="board_event_says_why"), transaction.atomic():
        BoardEvent.objects.create(entry=entry("月饼"), no=9, by=proposed["curator"], action=action, reason=reason)


def test_the_database_keeps_the_history(proposed):
    for statement in ("update curation_boardevent set reason = 'x'", "delete from curation_boardproposal"):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.mark.parametrize("state", ["removed", "kept"])
def test_the_database_refuses_a_state_without_its_decision(proposed, state):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        with pytest.raises(IntegrityError, match="follows from no decision"), transaction.atomic():
            BoardEntry.objects.filter(pk=entry("月饼").pk).update(state=state)
        cursor.execute("set constraints all deferred")
    assert entry("月饼").state == "proposed"


# --- Decisions


def test_every_decision_is_in_the_history_with_its_reason(proposed):
    curator, second = proposed["curator"], proposed["curator2"]
    decide(curator, "月饼", "keep")
    decide(second, "月饼", "rename", "标准写法", name=name("月饼", "moon cake"))
    decide(curator, "月饼", "regroup", "哪里都有", group="moderate")
    decide(second, "月饼", "remove", "界限不清", usual="unclear")
    decide(curator, "月饼", "reopen", "误删")
    shown = queries.entry_page(proposed["li"], entry("月饼").pk)
    assert [(one["action"], one["by"]["name"], one["reason"]) for one in shown["history"]] == [
        ("propose", "li 名", ""),
        ("propose", "wang 名", ""),
        ("keep", "curator 名", ""),
        ("rename", "curator2 名", "标准写法"),
        ("regroup", "curator 名", "哪里都有"),
        ("remove", "curator2 名", "界限不清"),
        ("reopen", "curator 名", "误删"),
    ]
    assert (shown["state"], shown["group"], shown["computed_group"]) == ("proposed", "moderate", "closest")
    assert shown["name"] == name("月饼", "moon cake", "月餅")
    # A usual reason has its code beside the giver's words.
    assert [one["data"] for one in shown["history"][-2:]] == [{"usual": "unclear"}, {}]


def test_a_usual_reason_is_kept_with_whatever_it_decides(proposed):
    curator = proposed["curator"]
    more = {"name": name("柳琴", "liuqin"), "usual": "more_concrete"}
    decide(curator, "二胡", "merge", "同物异名", into=entry("琵琶").pk, usual="same_thing")
    decide(curator, "琵琶", "replace", "更具体", **more)
    body = {"field": "music", "name": name("鼓", "drum"), "reason": "重要而遗漏", "usual": "important"}
    services.add_entry(actor=curator, benchmark_slug=SLUG, client_key=uuid.uuid4(), **body)
    events = BoardEvent.objects.exclude(action="propose").order_by("pk")
    assert [(one.entry.name["zh-Hans"], one.action, one.data.get("usual")) for one in events] == [
        ("二胡", "merge", "same_thing"),
        ("柳琴", "add", "more_concrete"),
        ("二胡", "merge", "more_concrete"),
        ("琵琶", "replace", "more_concrete"),
        ("鼓", "add", "important"),
    ]


def test_a_removal_needs_a_reason(proposed):
    for action in ("remove", "merge", "replace", "rename", "regroup"):
        with pytest.raises(BoardReasonMissing):
            decide(proposed["curator"], "月饼", action, " ", into=entry("二胡").pk)
    assert entry("月饼").state == "proposed"
    assert not BoardEvent.objects.exclude(action="propose").exists()


def test_an_english_name_is_kept_without_full_width_letters(here):
    submit(here["li"], row("food", "烤鸭", " Ｐｅｋｉｎｇ　Ｄｕｃｋ "), row("music", "𠮷他🎸"))
    assert (entry("烤鸭").name["en"], entry("𠮷他🎸").name["zh-Hans"]) == ("Peking Duck", "𠮷他🎸")


def test_a_merged_category_gives_its_proposers_to_the_other(proposed):
    decide(proposed["curator"], "琵琶", "merge", "同类乐器", into=entry("二胡").pk)
    merged = entry("琵琶")
    assert (merged.state, merged.into_id) == ("merged", entry("二胡").pk)
    shown = page(proposed["curator"])
    # Both proposed mooncake and what is now one instrument.
    assert (shown["agreement"]["jaccard"], shown["agreement"]["shared"]) == (1, 2)
    decide(proposed["curator"], "琵琶", "reopen", "并错了")
    assert (entry("琵琶").state, entry("琵琶").into_id) == ("proposed", None)


def test_a_later_proposal_adds_the_names_that_are_missing_and_says_so(here):
    submit(here["li"], row("food", "月饼"), row("music", "二胡", "erhu"))
    submit(here["wang"], row("food", "月饼", "mooncake"), row("music", "二胡", "fiddle"))
    assert (entry("月饼").name, entry("二胡").name) == (
        name("月饼", "mooncake", "月餅"),
        name("二胡", "erhu", "二胡"),
    )
    # What was converted is in the history, for a curator to read.
    assert [e.data for e in entry("月饼").events.order_by("no")] == [
        {"converted": {"zh-Hant": "月餅"}},
        {"named": {"en": "mooncake"}},
    ]
    assert [e.data for e in entry("二胡").events.order_by("no")] == [{}, {}]
    assert BoardProposal.objects.filter(entry=entry("月饼")).first().name == name("月饼")


def test_merges_follow_each_other(proposed):
    submit(proposed["zhao"], row("food", "粽子"), row("music", "古筝"))
    decide(proposed["curator"], "古筝", "merge", "x", into=entry("琵琶").pk)
    before = entry("古筝").revision
    decide(proposed["curator"], "琵琶", "merge", "同类乐器", into=entry("二胡").pk)
    followed = entry("古筝")
    assert followed.revision == before + 1
    event = followed.events.order_by("no").last()
    assert (event.action, event.reason) == ("merge", "同类乐器")
    assert event.data == {"into": entry("二胡").pk, "following": entry("琵琶").pk}
    assert {entry("古筝").into_id, entry("琵琶").into_id} == {entry("二胡").pk}
    for unknown in (None, 0, entry("二胡").pk, entry("琵琶").pk):
        with pytest.raises(BoardTargetUnknown):
            decide(proposed["curator"], "二胡", "merge", "x", into=unknown)


def test_a_more_concrete_category_replaces_another(proposed):
    decide(proposed["curator"], "二胡", "replace", "更具体", name=name("京胡", "jinghu"))
    assert (entry("二胡").state, entry("京胡").state, entry("二胡").into_id) == ("merged", "kept", entry("京胡").pk)
    with pytest.raises(BoardNameTaken) as refused:
        decide(proposed["curator"], "琵琶", "rename", "x", name=name("京胡"))
    assert (refused.value.params["entry"], refused.value.params["name"]) == (entry("京胡").pk, "京胡 · jinghu")
    with pytest.raises(BoardNameMissing):
        decide(proposed["curator"], "琵琶", "rename", "x", name={})


def test_moves_that_a_state_lacks_are_refused(proposed):
    decide(proposed["curator"], "月饼", "remove", "x")
    for action in ("keep", "remove", "merge", "rename"):
        with pytest.raises(ActionNotAllowed):
            decide(proposed["curator"], "月饼", action, "x", into=entry("二胡").pk, name=name("饼"))


def test_of_two_curators_the_second_sees_what_the_first_decided(proposed):
    seen = entry("月饼").revision
    decide(proposed["curator"], "月饼", "keep", revision=seen)
    with pytest.raises(StaleRow):
        decide(proposed["curator2"], "月饼", "remove", "界限不清", revision=seen)
    for curator in (proposed["curator"], proposed["curator2"]):
        mooncake = page(curator)["entries"][0]
        assert (mooncake["state"], mooncake["decision"]["by"]["name"]) == ("kept", "curator 名")


def test_a_repeat_of_a_decision_changes_nothing(proposed):
    key, seen = uuid.uuid4(), entry("月饼").revision
    for _ in range(2):
        decide(proposed["curator"], "月饼", "keep", revision=seen, client_key=key)
    assert BoardEvent.objects.filter(action="keep").count() == 1
    with pytest.raises(ClientKeyReused):
        decide(proposed["curator"], "月饼", "remove", "x", revision=seen + 1, client_key=key)


def test_a_key_is_for_one_decision_only(proposed):
    key, seen = uuid.uuid4(), entry("二胡").revision
    merge = {"revision": seen, "client_key": key, "into": entry("琵琶").pk}
    decide(proposed["curator"], "二胡", "merge", "同类", **merge)
    before = list(BoardEvent.objects.values())
    with pytest.raises(ClientKeyReused):
        decide(proposed["curator"], "二胡", "merge", "同类", **merge | {"into": entry("月饼").pk})
    with pytest.raises(ClientKeyReused):
        decide(proposed["curator"], "二胡", "merge", "别的理由", **merge)
    decide(proposed["curator"], "二胡", "merge", "同类", **merge)
    assert list(BoardEvent.objects.values()) == before


def test_the_audit_log_has_no_names_of_categories(proposed):
    given = {"actor": proposed["curator"], "benchmark_slug": SLUG, "field": "food", "reason": "补充"}
    services.add_entry(**given, name=name("臭豆腐"), client_key=uuid.uuid4())
    decide(proposed["curator"], "臭豆腐", "rename", "译名", name=name("臭豆腐", "stinky tofu", "臭豆腐"))
    logged = json.dumps([event.data for event in AuditEvent.objects.all()], ensure_ascii=False)
    assert "臭豆腐" not in logged
    assert "tofu" not in logged


@pytest.mark.parametrize("nothing", ["\u200b", "\u3164", " \u2800 "])
def test_what_shows_nothing_is_no_reason_and_no_name(proposed, nothing):
    with pytest.raises(BoardReasonMissing):
        decide(proposed["curator"], "月饼", "remove", nothing)
    given = {"actor": proposed["curator"], "benchmark_slug": SLUG, "field": "food", "client_key": uuid.uuid4()}
    with pytest.raises(BoardReasonMissing):
        services.add_entry(**given, name=name("粽子"), reason=nothing)
    with pytest.raises(BoardNameMissing):
        services.add_entry(**given, name=name(nothing), reason="补充")
    services.save_draft(actor=proposed["zhao"], benchmark_slug=SLUG, revision=0, rows=[row("food", nothing)])
    faults = [fault["code"] for fault in page(proposed["zhao"])["draft"]["faults"]]
    assert "name_missing" in faults


def test_names_whose_letters_are_many_when_folded_are_stored(proposed):
    long = "\ufdfa" * 60
    submit(proposed["zhao"], row("food", long), row("music", "锣"))
    assert len(entry(long).key) == LONGEST_KEY


def test_long_names_that_begin_alike_have_short_names_of_their_own(settled):
    for n in range(11):
        given = {"actor": settled["curator"], "benchmark_slug": SLUG, "field": "food", "reason": "补充"}
        services.add_entry(**given, name=name(f"重{n}", "1" * 60, f"重{n}"), client_key=uuid.uuid4())
    freeze(settled["curator"])
    slugs = BoardEntry.objects.filter(name__en="1" * 60).order_by("pk").values_list("slug", flat=True)
    assert [slugs[0], slugs[10]] == [f"c_{'1' * 56}", f"c_{'1' * 56}_11"]


def test_proposers_do_not_decide(proposed):
    with pytest.raises(OperationNotAllowed):
        decide(proposed["li"], "月饼", "keep")
    with pytest.raises(NotFound):
        decide(person("nobody", None), "月饼", "keep")


def test_an_existing_list_proposes_too(proposed):
    owner, curator = proposed["owner"], proposed["curator"]
    text = "zh,en,field_zh-Hans,field_en\n月饼,mooncake,食物,Food\n古筝,guzheng,音乐,Music\n"
    given = {"actor": owner, "benchmark_slug": SLUG, "base_version": 0, "form": "csv"}
    create_list(**given, name="marvl", text=text, client_key=uuid.uuid4())
    services.import_list(actor=curator, benchmark_slug=SLUG, name="marvl", version=1, client_key=uuid.uuid4())
    shown = {one["name"]["zh-Hans"]: one["proposers"] for one in page(curator)["entries"]}
    assert [(one["person"] and one["person"]["name"], one["list"]) for one in shown["月饼"]] == [
        ("li 名", ""),
        ("wang 名", ""),
        (None, "marvl 1"),
    ]
    assert [one["list"] for one in shown["古筝"]] == ["marvl 1"]
    assert page(curator)["agreement"]["proposers"] == 3
    with pytest.raises(BoardFieldUnknown) as refused:
        services.import_list(actor=curator, benchmark_slug=SLUG, name="vistai", version=1, client_key=uuid.uuid4())
    fields = refused.value.params["fields"].split(", ")
    assert (len(fields), "医药卫生 (Medicine and Health)" in fields) == (5, True), fields
    assert "(" in refused.value.params["known"]


def test_a_lists_corrected_groups_come_with_it(proposed):
    rows = ("zh,en,field_zh-Hans,field_en,group,reason", "鼓,drum,音乐,Music,closest,唐鼓")
    text = "\n".join([*rows, "月饼,mooncake,食物,Food,coco,像蛋糕"])
    given = {"actor": proposed["owner"], "benchmark_slug": SLUG, "base_version": 0, "form": "csv"}
    create_list(**given, name="marvl", text=text, client_key=uuid.uuid4())
    services.import_list(
        actor=proposed["curator"], benchmark_slug=SLUG, name="marvl", version=1, client_key=uuid.uuid4()
    )
    shown = queries.entry_page(proposed["curator"], entry("鼓").pk)
    assert (shown["group"], shown["computed_group"]) == ("closest", "moderate")
    assert [(one["action"], one["reason"], one["data"]) for one in shown["history"]] == [
        ("propose", "", {"list": "marvl 1"}),
        ("regroup", "唐鼓", {"before": "", "after": "closest", "list": "marvl 1"}),
    ]
    assert entry("月饼").group == ""  # people proposed it before


# --- Freezing


def in_force(here):
    """The version of the categories' list that the benchmark's current protocol names."""
    here["benchmark"].refresh_from_db()
    return lists_in_force(here["benchmark"].protocol_id)[""]


def freeze(who, revision=None):
    now = Board.objects.get().revision if revision is None else revision
    return services.freeze_board(actor=who, benchmark_slug=SLUG, revision=now, client_key=uuid.uuid4())


@shared
def settled(proposed):
    """Everything is decided."""
    decide(proposed["curator"], "月饼", "keep")
    decide(proposed["curator"], "二胡", "keep")
    decide(proposed["curator"], "琵琶", "regroup", "WordNet 中只有负子蟾", group="closest")
    decide(proposed["curator"], "琵琶", "keep")
    return proposed


def test_an_unfinished_board_is_not_frozen(proposed):
    submit(proposed["zhao"], row("food", "粽子"), row("music", "二胡"))
    decide(proposed["curator"], "粽子", "keep")
    with pytest.raises(BoardUnfinished) as refused:
        freeze(proposed["curator"])
    params = refused.value.params
    assert (refused.value.status, refused.value.code) == (409, "board_unfinished")
    assert (params["undecided"], params["unnamed"], params["kept"], params["entries"]) == (3, 1, 1, [entry("粽子").pk])
    assert Board.objects.get().state == "open"


def test_freezing_makes_a_version_of_the_list_and_opens_the_upload(settled):
    benchmark, curator = settled["benchmark"], settled["curator"]
    upload = {"actor": settled["li"], "benchmark_slug": SLUG, "filename": "a.jpg", "length": 9}
    with pytest.raises(CategoriesNotFrozen):
        create_upload(**upload, client_key=uuid.uuid4())
    freeze(curator)
    rows = Category.objects.filter(benchmark=benchmark).order_by("number")
    assert [(row.number, row.slug, row.field, row.distance) for row in rows] == [
        (1, "mooncake", "food", "closest"),
        (2, "erhu", "music", "closest"),
        (3, "pipa", "music", "closest"),
    ]
    version = in_force(settled)
    assert (version.name, version.version, version.origin, version.created_by) == ("board", 1, "board", curator)
    reasons = [one.get("reason") for field in version.content["fields"] for one in field["categories"]]
    assert reasons == [None, None, "WordNet 中只有负子蟾"]
    assert create_upload(**upload, client_key=uuid.uuid4()).upload.bytes == 9
    notices = Notice.objects.filter(code="board_frozen", benchmark=benchmark)
    assert {"li 名", "curator2 名"} <= set(notices.values_list("person__name", flat=True))


def test_a_frozen_board_only_grows(settled):
    curator = settled["curator"]
    freeze(curator)
    with pytest.raises(BoardFrozen):
        decide(curator, "月饼", "remove", "x")
    with pytest.raises(BoardFrozen):
        services.save_draft(actor=settled["zhao"], benchmark_slug=SLUG, revision=0, rows=[])
    with pytest.raises(BoardNothingNew):
        freeze(curator)
    with pytest.raises(IntegrityError, match="frozen"), transaction.atomic():
        BoardEvent.objects.create(entry=entry("月饼"), no=9, by=curator, action="remove", reason="x")
    services.add_entry(
        actor=curator,
        benchmark_slug=SLUG,
        field="food",
        name=name("粽子", "zongzi", "粽子"),
        reason="端午",
        client_key=uuid.uuid4(),
    )
    assert page(curator)["new_entries"] == 1
    freeze(curator)
    rows = Category.objects.filter(benchmark=settled["benchmark"]).order_by("number")
    assert [(row.number, row.slug) for row in rows] == [(1, "mooncake"), (2, "erhu"), (3, "pipa"), (4, "zongzi")]
    assert in_force(settled).version == 2
    # Each version of the list is that of a version of the protocol with the same text; what was done keeps its own.
    versions = ProtocolVersion.objects.filter(benchmark=settled["benchmark"]).order_by("version")
    assert [(one.version, one.created_by, one.content) for one in versions] == [
        (1, settled["owner"], versions[0].content),
        (2, curator, versions[0].content),
        (3, curator, versions[0].content),
    ]
    codes = [[choice.code for choice in categories_of(one.pk)] for one in versions]
    old = ["mooncake", "erhu", "pipa"]
    assert codes[1:] == [old, [*old, "zongzi"]]


def test_what_was_added_to_a_frozen_board_is_complete_and_can_be_corrected(settled):
    curator = settled["curator"]
    freeze(curator)
    given = {"actor": curator, "benchmark_slug": SLUG, "field": "food", "reason": "元宵"}
    with pytest.raises(BoardNamesIncomplete):
        services.add_entry(**given, name=name("汤圆"), client_key=uuid.uuid4())
    assert not BoardEntry.objects.filter(name__contains={"zh-Hans": "汤圆"}).exists()
    for zh, en in (("汤园", "tangyuan"), ("粽子", "zongzi")):
        services.add_entry(**given, name=name(zh, en, zh), client_key=uuid.uuid4())
    with pytest.raises(BoardNamesIncomplete):
        decide(curator, "汤园", "rename", "错字", name=name("汤圆"))
    decide(curator, "汤园", "rename", "错字", name=name("汤圆", "tangyuan", "湯圓"))
    decide(curator, "粽子", "remove", "重复")
    assert page(curator)["new_entries"] == 1
    freeze(curator)
    rows = Category.objects.filter(benchmark=settled["benchmark"]).order_by("number")
    assert [row.slug for row in rows] == ["mooncake", "erhu", "pipa", "tangyuan"]
    for action in ("rename", "remove"):
        with pytest.raises(BoardFrozen):
            decide(curator, "汤圆", action, "x", name=name("元宵", "yuanxiao", "元宵"))


def test_everybody_sees_a_frozen_board_and_those_with_open_drafts_decide(settled):
    rows = [{"field": "food", "name": name("粽子"), "vouched": list(ALL)}]  # begun before others submitted
    BoardDraft.objects.create(board=Board.objects.get(), person=settled["curator2"], rows=rows)
    services.save_draft(actor=settled["zhao"], benchmark_slug=SLUG, revision=0, rows=[row("food", "粽子")])
    freeze(settled["curator"])
    assert [len(page(settled[who])["entries"]) for who in ("curator2", "zhao")] == [3, 3]
    assert page(settled["zhao"])["new_entries"] == 0
    assert decide(settled["curator2"], "月饼", "regroup", "英文词典已收", group="moderate").group == "moderate"


def test_a_field_of_kept_categories_is_not_lost(settled):
    curator, benchmark = settled["curator"], settled["benchmark"]
    freeze(curator)
    benchmark.refresh_from_db()
    newer = ProtocolVersion.objects.get(pk=benchmark.protocol_id)
    board = newer.content["taxonomy"]["board"]
    board["fields"] = [one for one in board["fields"] if one["code"] == "food"]
    newer.pk, newer.version = None, newer.version + 1
    newer.save(force_insert=True)
    Benchmark.objects.filter(pk=benchmark.pk).update(protocol=newer)
    given = {"actor": curator, "benchmark_slug": SLUG, "field": "food", "name": name("粽子", "zongzi", "粽子")}
    services.add_entry(**given, reason="端午", client_key=uuid.uuid4())
    with pytest.raises(BoardFieldUnknown) as refused:
        freeze(curator)
    assert refused.value.params["fields"] == "music"
    assert Category.objects.filter(benchmark=benchmark).count() == 3


def test_a_group_is_corrected_after_freezing_and_the_next_version_has_it(settled):
    curator, benchmark = settled["curator"], settled["benchmark"]
    freeze(curator)
    before = in_force(settled).content
    assert [one["actions"] for one in page(curator)["entries"] if one["state"] == "kept"] == [["regroup"]] * 3
    with pytest.raises(BoardReasonMissing):
        decide(curator, "月饼", "regroup", " ", group="moderate")
    assert (entry("月饼").group, page(curator)["new_groups"]) == ("", 0)
    decide(curator, "月饼", "regroup", "英文词典已收", group="moderate")
    assert (page(curator)["new_entries"], page(curator)["new_groups"]) == (0, 1)
    distances = Category.objects.filter(benchmark=benchmark).order_by("number").values_list("slug", "distance")
    assert list(distances) == [("mooncake", "closest"), ("erhu", "closest"), ("pipa", "closest")]
    freeze(curator)
    assert list(distances.all()) == [("mooncake", "moderate"), ("erhu", "closest"), ("pipa", "closest")]
    version = in_force(settled)
    (mooncake,) = [one for field in version.content["fields"] for one in field["categories"] if one["number"] == 1]
    assert (version.version, mooncake.pop("group"), mooncake.pop("reason")) == (2, "moderate", "英文词典已收")
    (first,) = [one for field in before["fields"] for one in field["categories"] if one["number"] == 1]
    assert (first.pop("group"), first) == ("closest", mooncake)
    history = BoardEvent.objects.filter(entry=entry("月饼")).order_by("-no").first()
    assert (history.action, history.by, history.reason) == ("regroup", curator, "英文词典已收")
    assert page(curator)["new_groups"] == 0
    with pytest.raises(BoardNothingNew):
        freeze(curator)


def test_nobody_freezes_what_they_did_not_see(settled):
    seen = Board.objects.get().revision
    decide(settled["curator2"], "月饼", "regroup", "x", group="moderate")
    with pytest.raises(StaleRow):
        freeze(settled["curator"], seen)
    assert Board.objects.get().state == "open"


def test_without_settings_there_is_no_board(owner):
    create_benchmark(
        actor=owner,
        slug="plain",
        title={"zh-Hans": "x", "zh-Hant": "x", "en": "x"},
        preset="cvlue",
        client_key=uuid.uuid4(),
    )
    with pytest.raises(BoardMissing):
        queries.board_page(owner, "plain")


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_the_same_moment_one_is_refused():
    owner = person("owner", None, Role.OWNER)
    create_benchmark(
        actor=owner,
        slug=SLUG,
        title={"zh-Hans": "x", "zh-Hant": "x", "en": "x"},
        preset="cvlue",
        categories={"board": BOARD},
        client_key=uuid.uuid4(),
    )
    benchmark = Board.objects.model._meta.get_field("benchmark").related_model.objects.get(slug=SLUG)
    curators = [person(n, benchmark, Role.CURATOR) for n in ("curator", "curator2")]
    submit(person("li", benchmark, Role.CONTRIBUTOR), row("food", "月饼"), row("music", "鼓"))
    barrier, results = threading.Barrier(2), []

    def run(who, action):
        barrier.wait()
        try:
            results.append(decide(who, "月饼", action, "理由", revision=0).state)
        except StaleRow:
            results.append("stale")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=given) for given in zip(curators, ("keep", "remove"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count("stale") == 1
    assert entry("月饼").state in results
    assert BoardEvent.objects.filter(entry=entry("月饼")).exclude(action="propose").count() == 1
