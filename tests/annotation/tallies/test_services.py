"""What is kept equals what is there, whatever is written, by whomever at once, and however it ends."""

from __future__ import annotations

import random
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Max, Sum

from annotation.items.models import Item
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from annotation.tallies import models, queries, services
from annotation.tallies.models import PictureItems, Tally
from curation.benchmarks.models import Benchmark
from curation.calls.models import CallTotal
from curation.images.models import Image
from curation.images.services import check_picture_bytes
from curation.taxonomy.models import Category
from tests.annotation.track import new_world
from tests.people import World
from tests.protocols import names
from tests.shared import shared

ITEM_STATES = ("todo", "made", "skipped", "returned", "excluded")


def in_state(state: str) -> dict[str, object]:
    return {"state": state, "accepted_no": None, "excluded_for": "picture" if state == "excluded" else ""}


@shared
def here() -> World:
    """Two packages of two items on four pictures, two categories, some seats."""
    made = new_world(pictures=4, size=2)
    for number, slug in enumerate(("lantern", "tiger"), 1):
        Category.objects.create(
            benchmark=made.benchmark, slug=slug, number=number, name=names(slug), field="f", field_name=names("f")
        )
    for rank, item in enumerate(Item.objects.order_by("pk"), 1):
        Seat.objects.create(
            benchmark=made.benchmark, kind="captions", purpose="review", item=item, group_id=1, round=1, no=1, rank=rank
        )
    return made


def write_something(here: World, chance: random.Random) -> None:
    """One of the ways in which rows come, move and go; single ones and many."""
    some = Item.objects.filter(pk__in=chance.sample(list(Item.objects.values_list("pk", flat=True)), 2))
    number = Image.objects.count() + 1
    fresh = 2 + (Item.objects.aggregate(n=Max("number"))["n"] or 0)
    ways = [
        lambda: some.update(**in_state(chance.choice(ITEM_STATES))),
        lambda: some.update(**in_state("accepted") | {"accepted_no": 0}),
        lambda: some.update(**in_state("excluded") | {"excluded_for": chance.choice(("discard", "decision"))}),
        lambda: some.update(revision_no=3),
        lambda: PackageItem.objects.filter(item__in=some).update(active=chance.choice((True, False))),
        lambda: some.filter(memberships=None, seats=None).delete(),
        lambda: Package.objects.update(state=chance.choice(("available", "withdrawn"))),
        lambda: Seat.objects.filter(state="free").update(state="done", holder=here.senior),
        lambda: Seat.objects.update(state="free", holder=None),
        lambda: Seat.objects.filter(rank=chance.randint(1, 4)).delete(),
        lambda: Image.objects.filter(number__lte=chance.randint(1, 4)).update(
            category=chance.choice([None, *Category.objects.all()]),
            subset=chance.choice(["", "A", "B"]),
            state=chance.choice(("received", "accepted", "withdrawn")),
            pii_clear_by=chance.choice([None, here.curator]),
        ),
        lambda: Image.objects.create(
            benchmark=here.benchmark, number=number, sha256=f"{number:064x}", phash=number, width=8, height=8,
            contributor=here.contributor, source={}, licence="own-work", client_key=uuid.uuid4(),
        ),
        lambda: Item.objects.bulk_create(
            Item(
                benchmark=here.benchmark, kind=chance.choice(("captions", "vqa")), image=image, slot=fresh,
                number=fresh + n,
            )
            for n, image in enumerate(Image.objects.exclude(pii_clear_by=None).order_by("number")[:2])
        ),
        lambda: services.fold(slack=0),
    ]  # fmt: skip
    chance.choice(ways)()


def rows_kept() -> dict[tuple[str, str], int]:
    found = Tally.objects.order_by().values_list("of", "state").annotate(total=Sum("n"))
    return {(of, state): n for of, state, n in found if n}


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_numbers_follow_every_write_and_every_way_back(here, seed):
    chance = random.Random(seed)
    for _ in range(40):
        if chance.random() < 0.25:
            before = rows_kept()
            with transaction.atomic():
                write_something(here, chance)
                write_something(here, chance)
                transaction.set_rollback(True)
            assert rows_kept() == before
        else:
            write_something(here, chance)
        assert services.check(repair=False) == []
    assert queries.counts(here.benchmark.pk, "state", of="item", kind__in=["captions", "vqa"]) == {
        state: n
        for state in Item.State.values
        if (n := Item.objects.filter(benchmark=here.benchmark, state=state).count())
    }


@pytest.mark.django_db(transaction=True)
def test_people_at_once_lose_and_double_nothing_while_rows_are_put_together(here):
    items = list(Item.objects.order_by("pk").values_list("pk", flat=True))

    def work(n):
        chance = random.Random(n)
        try:
            for _ in range(15):
                with transaction.atomic():
                    Item.objects.filter(pk=items[n % 4]).update(**in_state(chance.choice(ITEM_STATES)))
                    Image.objects.filter(number=1 + n % 4).update(subset=chance.choice(["", "A", "B"]))
                    transaction.set_rollback(chance.random() < 0.3)
                if n in (0, 1):
                    services.fold(slack=0)
                if n == 2:
                    services.check(repair=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(work, range(8)))
    assert services.check(repair=False) == []
    services.fold(slack=0)
    assert services.check(repair=False) == []
    assert Tally.objects.count() <= 2 * len(Tally.objects.values_list("of", "kind", "state", "subset").distinct())


@pytest.mark.django_db(transaction=True)
def test_transactions_do_not_wait_for_each_other(here):
    """Another transaction moves items of the same states, folds, and does not end; ours neither waits nor fails."""
    first, second = Item.objects.order_by("pk")[:2]
    moved, done = threading.Event(), threading.Event()

    def hold():
        try:
            with transaction.atomic():
                Item.objects.filter(pk=first.pk).update(state="made")
                services.fold(slack=0)
                moved.set()
                done.wait(20)
        finally:
            connection.close()

    other = threading.Thread(target=hold)
    other.start()
    try:
        assert moved.wait(20)
        with connection.cursor() as cursor:
            cursor.execute("set lock_timeout = '1s'")
        Item.objects.filter(pk=second.pk).update(state="made")
        services.fold(slack=0)
        assert queries.counts(here.benchmark.pk, "state", of="item") == {"todo": 3, "made": 1}
    finally:
        done.set()
        other.join()
        with connection.cursor() as cursor:
            cursor.execute("reset lock_timeout")
    assert queries.counts(here.benchmark.pk, "state", of="item") == {"todo": 2, "made": 2}
    assert services.check(repair=False) == []


@pytest.mark.django_db
def test_rows_of_a_group_are_merged_once_there_are_too_many(here):
    item = Item.objects.order_by("pk")[0]
    for n in range(6):
        Item.objects.filter(pk=item.pk).update(state=ITEM_STATES[n % 2])
    kept, rows = rows_kept(), Tally.objects.filter(of="item").count()
    assert services.fold() == 0  # few enough
    assert services.fold(slack=0) > 0
    assert (rows_kept(), Tally.objects.filter(of="item").count() < rows) == (kept, True)
    assert services.fold(slack=0) == 0


@pytest.mark.django_db
def test_the_command_finds_what_is_wrong_and_mends_it(here, capsys):
    check_picture_bytes(repair=True)  # the rows of these pictures were not made by uploads
    call_command("check_counts")
    assert capsys.readouterr().out == "all counts are right\n"
    connection.cursor().execute("update annotation_tally set n = n + 1 where of = 'item' and state = 'todo'")
    with pytest.raises(SystemExit) as ended:
        call_command("check_counts")
    assert ended.value.code == 1
    assert '"state": "todo"' in capsys.readouterr().out
    PictureItems.objects.filter(image__number=1).update(items=7)
    Item.objects.filter(number=1).update(packed=False)
    connection.cursor().execute("update curation_benchmark set picture_bytes = picture_bytes + 7")
    connection.cursor().execute("set local session_replication_role = replica")
    CallTotal.objects.create(
        benchmark=Benchmark.objects.get(),
        server="s",
        model="m",
        state="failed",
        calls=3,
        tokens_in=0,
        tokens_out=0,
        cost=0,
    )
    connection.cursor().execute("set local session_replication_role = origin")
    call_command("check_counts", "--repair")
    printed = capsys.readouterr().out
    assert '"of": "picture_bytes", "n": -7}' in printed
    assert '"of": "call", ' in printed
    assert '"of": "picture_items", "image_id": ' in printed
    assert '"of": "packed", "id": ' in printed
    assert printed.endswith("5 repaired\n")
    call_command("check_counts")
    assert capsys.readouterr().out == "all counts are right\n"
    assert services.check(repair=False) == []
    assert queries.counts(here.benchmark.pk, "state", of="item") == {"todo": 4}


@pytest.mark.django_db
def test_the_triggers_of_pictures_say_what_the_others_say():
    """They are written out in a migration, because pictures belong to a lower app."""
    with connection.cursor() as cursor:
        cursor.execute("select proname, prosrc from pg_proc where proname like 'annotation_count_pictures_%'")
        found = {name.rpartition("_")[2]: " ".join(source.split()) for name, source in cursor.fetchall()}
    assert {name: models.changes("image", *rows) in found[name] for name, rows in {
        "new": ("new_rows",), "moved": ("new_rows", "old_rows"), "gone": ("old_rows",),
    }.items()} == {"new": True, "moved": True, "gone": True}  # fmt: skip
