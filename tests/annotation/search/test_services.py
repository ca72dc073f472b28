"""The index follows the revisions: queued by a trigger, written by the sweep, found whatever the spelling."""

from __future__ import annotations

import random
import threading
import uuid

import pytest
from django.db import connection, transaction

from annotation.items.models import Item, ItemRevision
from annotation.search import queries, services
from annotation.search.models import ItemText, TextQueue
from annotation.search.queries import Hits
from annotation.search.rules import grams
from curation.core.folding import fold, words_of
from tests.annotation.track import new_world, submitted_package
from tests.people import World
from tests.shared import shared


@shared
def here() -> World:
    """Four items of captions, in one package."""
    return new_world(pictures=4, size=4)


def revise(here: World, item: Item, *captions: str) -> None:
    """Write a revision as the database sees it, whatever the kind's rules say of the texts."""
    item.refresh_from_db()
    ItemRevision.objects.create(
        item=item, no=item.revision_no + 1, author=here.annotator, origin="annotator", protocol=here.benchmark.protocol,
        content={"captions": list(captions)}, client_key=uuid.uuid4(),
    )  # fmt: skip
    Item.objects.filter(pk=item.pk).update(revision_no=item.revision_no + 1)


def items() -> list[Item]:
    return list(Item.objects.order_by("pk"))


def hits(here: World, query: str, **more) -> list[int]:
    return queries.items_with(here.benchmark.pk, words_of(query), ["captions"], **{"limit": 50} | more).ids


@pytest.mark.django_db
def test_a_submission_only_queues_and_the_sweep_indexes(here):
    package = submitted_package(here)
    assert TextQueue.objects.count() == 4
    assert ItemText.objects.count() == 0
    assert services.sweep() == 4
    assert TextQueue.objects.count() == 0
    first = items()[0]
    row = ItemText.objects.get(item=first)
    texts = [fold(text) for text in first.revisions.get().content["captions"]]
    assert (row.benchmark_id, row.kind, row.revision_no) == (package.benchmark_id, "captions", 1)
    assert row.text == "\n".join(texts)
    assert row.grams == grams(texts)
    assert services.sweep() == 0


@pytest.mark.django_db
def test_many_revisions_of_one_statement_are_all_queued_and_the_newest_is_indexed_once(here):
    one, two, *_ = items()
    for n in (1, 2, 3):
        revise(here, one, f"第{n}版灯笼")
    revise(here, two, "舞狮")
    assert TextQueue.objects.count() == 4
    assert services.sweep() == 4
    assert dict(ItemText.objects.values_list("item_id", "text")) == {one.pk: "第3版灯笼", two.pk: "舞狮"}
    assert hits(here, "第1版") == []
    assert hits(here, "第3版") == [one.pk]


@pytest.mark.django_db
def test_an_older_revision_never_replaces_a_newer_one(here):
    one = items()[0]
    revise(here, one, "第1版")
    services.sweep()
    ItemText.objects.update(revision_no=2, text="第2版")
    TextQueue.objects.create(item=one)
    services.sweep()
    assert ItemText.objects.get().text == "第2版"


@pytest.mark.django_db
def test_more_than_a_batch_takes_several_and_a_sweep_has_an_end(here, monkeypatch):
    monkeypatch.setattr(services, "BATCH", 1)
    monkeypatch.setattr(services, "PER_SWEEP", 3)
    for item in items():
        revise(here, item, "灯笼")
    assert [services.sweep(), services.sweep(), services.sweep()] == [3, 1, 0]
    assert ItemText.objects.count() == 4


@pytest.mark.django_db
def test_a_text_that_is_rolled_back_is_not_queued(here):
    with transaction.atomic():
        revise(here, items()[0], "灯笼")
        transaction.set_rollback(True)
    assert services.sweep() == 0


@pytest.mark.django_db(transaction=True)
def test_a_submission_does_not_wait_for_a_sweep_and_two_sweeps_do_not_wait_for_each_other(here):
    one = items()[0]
    revise(here, one, "第1版")
    handled = []

    def beside():
        try:
            with connection.cursor() as cursor:
                cursor.execute("set lock_timeout = '5s'")
            handled.append(services.sweep())
            revise(here, one, "第2版")
        finally:
            connection.close()

    with transaction.atomic():
        assert services.sweep() == 1
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join(20)
        assert handled == [0]
        assert TextQueue.objects.count() == 1
    assert services.sweep() == 1
    assert ItemText.objects.get().text == "第2版"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("門口掛著兩盞紅燈籠", "两盏红灯笼"),
        ("门口挂着两盏红灯笼", "兩盞紅燈籠"),
        ("𠮷野家的招牌", "𠮷野"),
        ("𠮷野家的招牌", "𠮷"),
        ("写着ＡＢＣ的牌子", "abc"),
        ("写着abc的牌子", "ＡＢＣ"),
        ("一只🦁和👨‍👩‍👧", "🦁和👨‍👩‍👧"),
        ("100%_的\\棉", "100%_"),
        ("100%_的\\棉", "\\棉"),
        ("a red Lantern on the wall", "WALL red"),
    ],
)
def test_texts_are_found_in_any_spelling(here, text, query):
    one, two, *_ = items()
    revise(here, one, "别的", text)
    revise(here, two, "100x的棉", "两只狗")
    services.sweep()
    assert hits(here, query) == [one.pk]


@pytest.mark.django_db
def test_all_words_are_needed_and_pairs_do_not_cross_texts(here):
    one, two, *_ = items()
    revise(here, one, "红色的墙", "灯笼")
    revise(here, two, "红色的墙", "舞狮")
    services.sweep()
    assert hits(here, "红色 灯笼") == [one.pk]
    assert hits(here, "墙灯") == []


@pytest.mark.django_db
def test_other_kinds_and_benchmarks_are_left_out(here):
    one, two, *_ = items()
    revise(here, one, "灯笼")
    revise(here, two, "灯笼")
    services.sweep()
    ItemText.objects.filter(item=two).update(kind="vqa")
    assert hits(here, "灯笼") == [one.pk]
    assert queries.items_with(here.benchmark.pk + 1, ["灯笼"], ["captions"], limit=50).ids == []


@pytest.mark.django_db
@pytest.mark.parametrize("newest", [0, 1, 2, 20_000])
@pytest.mark.parametrize("enough", [1, 50])
def test_both_steps_agree_with_reading_every_text(here, monkeypatch, newest, enough):
    chance = random.Random(newest + enough)
    for item in items():
        revise(here, item, "".join(chance.choices("灯笼红", k=6)), "".join(chance.choices("ab ", k=6)))
    services.sweep()
    monkeypatch.setattr(queries, "NEWEST", newest)
    monkeypatch.setattr(queries, "ENOUGH", enough)
    for query in ("灯笼", "红灯", "ab", "灯笼 ab", "笼红灯"):
        every = [
            pk
            for pk, text in ItemText.objects.order_by("-pk").values_list("pk", "text")
            if all(word in text for word in words_of(query))
        ]
        seen: list[int] = []
        before = None
        while True:
            page = queries.items_with(here.benchmark.pk, words_of(query), ["captions"], before=before, limit=2)
            seen += page.ids
            if page.complete or not page.ids:
                break
            before = page.ids[-1]
        assert seen == every


@pytest.mark.django_db
def test_a_single_character_searches_the_newest_items_and_says_so(here, monkeypatch):
    one, *_, last = items()
    revise(here, one, "灯笼")
    revise(here, last, "舞狮")
    services.sweep()
    single = queries.items_with(here.benchmark.pk, ["灯"], ["captions"], limit=50)
    assert (single.ids, single.complete) == ([one.pk], True)
    monkeypatch.setattr(queries, "NEWEST_ALONE", 1)
    single = queries.items_with(here.benchmark.pk, ["灯"], ["captions"], limit=50)
    assert (single.ids, single.complete) == ([], False)


@pytest.mark.django_db
def test_the_index_is_asked_only_for_words_that_the_newest_items_rarely_have(
    here, monkeypatch, django_assert_num_queries
):
    for n, item in enumerate(items()):
        revise(here, item, f"第{n}盏灯笼")
    services.sweep()
    monkeypatch.setattr(queries, "NEWEST", 3)
    monkeypatch.setattr(queries, "ENOUGH", 3)
    oldest, *others = [item.pk for item in items()]
    with django_assert_num_queries(1):
        assert queries.items_with(here.benchmark.pk, ["第0"], ["captions"], limit=9) == Hits([oldest], complete=True)
    with django_assert_num_queries(2):
        few = queries.items_with(here.benchmark.pk, ["灯笼"], ["captions"], limit=9)
    assert few == Hits(others[::-1], complete=False)
    assert queries.items_with(here.benchmark.pk, ["灯笼"], ["captions"], before=others[0], limit=9) == Hits(
        [oldest], complete=True
    )


@pytest.mark.django_db
def test_labels_and_numbers_name_items(here):
    one, two, *_ = items()
    revise(here, one, "第2盏灯笼")
    services.sweep()
    pk, kinds = here.benchmark.pk, ["captions"]
    assert [queries.matching(pk, typed, kinds, limit=9).ids for typed in ("cap-2", "CAP-000002", " cap 2 ")] == [
        [two.pk]
    ] * 3
    assert queries.matching(pk, "2", kinds, limit=9).ids == [two.pk, one.pk]
    assert queries.matching(pk, "vqa-2", kinds, limit=9).ids == []
    assert queries.matching(pk, "cap-2", ["vqa"], limit=9).ids == []
    assert queries.matching(pk, "cap-2", kinds, before=two.pk, limit=9).ids == []
    assert queries.matching(pk, "\u200b", kinds, limit=9) == Hits([], complete=True)
