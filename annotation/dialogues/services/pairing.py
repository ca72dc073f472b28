"""The lobby: who waits, and who is paired over which picture.

All pairing happens under one advisory lock, so that no one is paired twice and no picture goes to two
pairs. The person who waits longest is paired first; who questioned less so far questions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from annotation.bases.errors import BaseChanged
from annotation.bases.models import ItemBase
from annotation.bases.queries import bases_for, drawn_text
from annotation.bases.services import rest_on
from annotation.dialogues.access import check_part, parts_of
from annotation.dialogues.models import Dialogue, Waiting
from annotation.dialogues.queries import guidelines_of, settings_of
from annotation.dialogues.rules import ANSWER, FRESH_SECONDS, KIND, QUESTION, SEED_BYTES, drawn_caption
from annotation.dialogues.services.telling import tell_lobby
from annotation.items.models import FREES_SLOT, Item, ItemRevision
from annotation.items.queries import protocol_with, publishable
from annotation.items.services import acknowledged_guideline_id, add_items, lock_benchmark
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import work_of
from curation.core import audit
from curation.images.models import HAS_SEEN, Blindfold, Exposure, ExposureAll, Image, ImagePublic
from curation.people.access import benchmark_for, with_grants
from curation.people.models import Person

_PICTURES_TRIED = 20  # that a person turned out to have seen, in one go


def join_lobby(*, actor: Person, benchmark_slug: str, parts: Collection[str]) -> Benchmark:
    """Wait for a partner, and pair people where that is possible; repeated, give a sign of waiting still.

    Who is in an open dialogue does not wait. A repeat keeps the place in the line and pairs no one: the sweep does,
    where a picture has become free meanwhile.

    Raises:
        SeesEveryPicture: The actor wants to question alone, and can open every picture.
        GuidelineNotAcknowledged: The actor has not acknowledged the newest guidelines of dialogues.
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "lobby_join", KIND)
    protocol_with(benchmark, KIND)
    open_to = check_part(actor, benchmark, parts, "lobby_join")
    acknowledged_guideline_id(KIND, guidelines_of(benchmark.pk, actor.pk), None)
    if _wait(actor, benchmark, open_to):
        pair_waiting(benchmark)
    return benchmark


@transaction.atomic
def _wait(actor: Person, benchmark: Benchmark, parts: list[str]) -> bool:
    """Note that a person waits; return whether that is new."""
    if is_busy(actor.pk):
        return False
    is_new = not Waiting.objects.filter(_fresh(), person=actor, benchmark=benchmark, parts=parts).exists()
    Waiting.objects.bulk_create(
        [Waiting(person=actor, benchmark=benchmark, parts=parts)],
        update_conflicts=True,
        unique_fields=["person"],
        update_fields=["benchmark", "parts"],
    )
    Waiting.objects.filter(person=actor).update(seen_at=Now())
    if is_new:
        tell_lobby(benchmark)
    return is_new


@transaction.atomic
def leave_lobby(*, actor: Person, benchmark_slug: str) -> Benchmark:
    """Wait no longer; a dialogue that began at this moment stays open.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "lobby_leave", KIND)
    if Waiting.objects.filter(person=actor, benchmark=benchmark).delete()[0]:
        tell_lobby(benchmark)
    return benchmark


@transaction.atomic
def pair_waiting(benchmark: Benchmark) -> list[Dialogue]:
    """Pair the people who wait in a benchmark as far as there are pictures for them."""
    if Waiting.objects.filter(_fresh(), benchmark=benchmark).count() < 2:
        return []
    # The benchmark first: others wait for the pairing of all benchmarks, and must not wait for its imports and builds.
    benchmark = lock_benchmark(benchmark)
    lock_pairing()
    waiting = list(_present(benchmark))
    may = {person.pk: set(parts_of(person, benchmark)) for person in _people(row.person_id for row in waiting)}
    # Who was deactivated while they waited takes no part.
    parts = {row.person_id: set(row.parts) & may.get(row.person_id, set()) for row in waiting}
    made: list[Dialogue] = []
    left = [row.person_id for row in waiting]
    questioned = _questioned(benchmark, left)
    while len(left) > 1:
        first = left.pop(0)
        for second in left:
            order = (first, second) if questioned[first] <= questioned[second] else (second, first)
            dialogue = _pair(benchmark, order, parts)
            if dialogue is not None:
                made.append(dialogue)
                left.remove(second)
                break
    if made:
        tell_lobby(benchmark, also=[person for d in made for person in (d.questioner_id, d.answerer_id)])
    return made


def lock_pairing() -> None:
    """Wait until no one else begins or resumes a dialogue, and keep others from it until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtext('annotation.dialogues'))")


def _present(benchmark: Benchmark) -> QuerySet[Waiting]:
    busy = Dialogue.objects.filter(Q(questioner=OuterRef("person")) | Q(answerer=OuterRef("person")), state="open")
    rows = Waiting.objects.filter(_fresh(), benchmark=benchmark).exclude(Exists(busy))
    return rows.order_by("since", "person_id").select_for_update(no_key=True)


def _fresh() -> Q:
    """The condition on people who wait that they gave a sign of it lately."""
    return Q(seen_at__gte=timezone.now() - timedelta(seconds=FRESH_SECONDS))


def _people(ids: Iterable[int]) -> list[Person]:
    return with_grants(Person.objects.filter(pk__in=list(ids), is_active=True))


def is_busy(person_id: int) -> bool:
    """Whether a person is in an open dialogue, as either part."""
    party = Q(questioner_id=person_id) | Q(answerer_id=person_id)
    return Dialogue.objects.filter(party, state=Dialogue.State.OPEN).exists()


def _questioned(benchmark: Benchmark, people: Collection[int]) -> Counter[int]:
    """How many dialogues that were not left each person questioned in a benchmark."""
    rows = Dialogue.objects.filter(item__benchmark=benchmark, questioner_id__in=people)
    rows = rows.exclude(state=Dialogue.State.LEFT).order_by()
    return Counter(dict(rows.values_list("questioner_id").annotate(n=Count("pk"))))


def _pair(benchmark: Benchmark, order: tuple[int, int], parts: dict[int, set[str]]) -> Dialogue | None:
    """Begin a dialogue of two people who wait; the first of them questions, if there is a picture for that.

    Who can question no picture at all loses that part: a full lobby without pictures would read each pair's.
    """
    for questioner, answerer in (order, order[::-1]):
        if QUESTION in parts[questioner] and ANSWER in parts[answerer]:
            dialogue = _begin(benchmark, questioner, answerer)
            if dialogue is not None:
                return dialogue
            if not _unseen(benchmark, questioner).exists():
                parts[questioner].discard(QUESTION)
    return None


def _begin(benchmark: Benchmark, questioner: int, answerer: int) -> Dialogue | None:
    for image in _pictures(benchmark, questioner, answerer)[:_PICTURES_TRIED]:
        try:
            with transaction.atomic():
                return _begin_on(benchmark, image, questioner, answerer)
        except BaseChanged:
            continue
        except IntegrityError as error:  # sent to the questioner at this moment
            if HAS_SEEN not in str(error):
                raise
    return None


def _pictures(benchmark: Benchmark, questioner: int, answerer: int) -> QuerySet[Image]:
    """Pictures for a dialogue of two: unseen by the one, not hidden from the other, and not given up by either."""
    given_up = Dialogue.objects.filter(image_id=OuterRef("pk"), left_by_id=answerer)
    hidden = Blindfold.objects.filter(image_id=OuterRef("pk"), person_id=answerer)
    return _unseen(benchmark, questioner).exclude(Exists(given_up)).exclude(Exists(hidden)).order_by("number")


def _unseen(benchmark: Benchmark, questioner: int) -> QuerySet[Image]:
    """Pictures with accepted captions and no dialogue that a person neither saw nor gave up."""
    work = work_of(protocol_with(benchmark, KIND).content, KIND)
    of_image = Q(image_id=OuterRef("pk"))
    kept = Item.objects.filter(of_image, benchmark=benchmark, kind=KIND).exclude(excluded_for__in=FREES_SLOT)
    running = Dialogue.objects.filter(of_image, state__in=["open", "paused", "done"])
    given_up = Dialogue.objects.filter(of_image, left_by_id=questioner)
    # Of dialogues that were left: who got an answer, or was shown the picture.
    knows = Dialogue.objects.filter(of_image).filter(
        Q(questioner_id=questioner, turn_no__gte=2) | Q(answerer_id=questioner)
    )
    up_to = ExposureAll.objects.filter(person_id=questioner, benchmark=benchmark, up_to_image_id__gte=OuterRef("pk"))
    wrote = ItemRevision.objects.filter(Q(author_id=questioner) | Q(partner_id=questioner))
    rows = Image.objects.filter(
        publishable(subset=work.subset), Exists(bases_for(KIND).filter(of_image)), benchmark=benchmark
    ).exclude(contributor_id=questioner)
    # An item whose dialogue was left is taken up again.
    rows = rows.exclude(Exists(kept.exclude(state=Item.State.TODO))).exclude(Exists(running)).exclude(Exists(given_up))
    rows = rows.exclude(Exists(knows))
    rows = rows.exclude(Exists(Exposure.objects.filter(of_image, person_id=questioner))).exclude(Exists(up_to))
    rows = rows.exclude(Exists(ImagePublic.objects.filter(of_image)))
    rows = rows.exclude(Exists(wrote.filter(item__image_id=OuterRef("pk"))))
    # Packages and seats show texts about their pictures, whether or not a picture was opened.
    mine = PackageItem.objects.filter(item__image_id=OuterRef("pk"), active=True, package__assignee_id=questioner)
    rows = rows.exclude(Exists(mine.exclude(package__state=Package.State.WITHDRAWN)))
    had = Q(holder_id=questioner) | Q(lapsed_holder_id=questioner)
    return rows.exclude(Exists(Seat.objects.filter(had, item__image_id=OuterRef("pk"))))


def _begin_on(benchmark: Benchmark, image: Image, questioner: int, answerer: int) -> Dialogue:
    item = _item_on(benchmark, image)
    base = ItemBase.objects.get(item=item)
    content = ItemRevision.objects.values_list("content", flat=True).get(item=base.base_item_id, no=base.base_no)
    Blindfold.objects.create(image=image, person_id=questioner)
    dialogue = Dialogue.objects.create(
        item=item,
        image=image,
        questioner_id=questioner,
        answerer_id=answerer,
        caption=drawn_text(content, base.path),
        rounds=settings_of(benchmark).rounds,
    )
    Waiting.objects.filter(person_id__in=[questioner, answerer]).delete()
    audit.record(
        action="dialogue_begin",
        target_type="dialogue",
        target_id=dialogue.pk,
        label=item.label,
        actor_id=None,
        benchmark_id=benchmark.pk,
        state_to=dialogue.state,
        data={"item_id": item.pk, "questioner_id": questioner, "answerer_id": answerer},
    )
    return dialogue


def _item_on(benchmark: Benchmark, image: Image) -> Item:
    """The item of a picture whose dialogue was left, or a new one with a drawn caption."""
    kept = Item.objects.filter(benchmark=benchmark, kind=KIND, image=image, state=Item.State.TODO)
    item = kept.filter(base__current=True).first()
    if item is not None:
        return item
    if kept.exists():  # its captions are being changed
        raise BaseChanged
    base = bases_for(KIND).filter(image=image, accepted_no=F("revision_no")).order_by("pk").first()
    if base is None:
        raise BaseChanged
    [item] = add_items(benchmark, KIND, [(image.pk, 0)], track=Item.Track.PAIR)
    accepted = ItemRevision.objects.filter(item=base, no=F("item__accepted_no"))
    captions = accepted.values_list("content", flat=True).get()["captions"]
    seed = os.urandom(SEED_BYTES)
    rest_on(item, base, path=f"captions.{drawn_caption(seed, len(captions))}", seed=seed)
    return item
