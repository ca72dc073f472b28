"""Who takes part in dialogues: as which part, and in which dialogue."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from annotation.dialogues.errors import SeesEveryPicture
from annotation.dialogues.models import Dialogue
from annotation.dialogues.rules import ANSWER, KIND, QUESTION, part_of_turn
from annotation.dialogues.states import Relation
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Capability
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.operations import Reach
from curation.people.access import require
from curation.people.models import Person
from curation.people.rules import has_capability


def sees_everything(person: Person, benchmark_id: int) -> bool:
    """Whether a person can open every picture or every item of a benchmark."""
    return any(person.reach(benchmark_id, operation) is Reach.ALL for operation in ("image_show", "item_show"))


def parts_of(person: Person, benchmark: Benchmark) -> list[str]:
    """The parts that a person may take in dialogues; no one asks who can open every picture."""
    held = (
        (QUESTION, has_capability(person.grants, benchmark.pk, Capability.QUESTION, KIND)),
        (ANSWER, has_capability(person.grants, benchmark.pk, Capability.ANSWER, KIND)),
    )
    sees_all = sees_everything(person, benchmark.pk)
    return [part for part, may in held if may and not (part == QUESTION and sees_all)]


def check_part(person: Person, benchmark: Benchmark, parts: Collection[str], operation: str) -> list[str]:
    """Return those of the parts that a person may take now.

    Raises:
        SeesEveryPicture: They would question alone, and can open every picture.
        OperationNotAllowed: They may take none.
    """
    open_to = [part for part in parts_of(person, benchmark) if part in parts]
    if not open_to:
        if QUESTION in parts and sees_everything(person, benchmark.pk):
            raise SeesEveryPicture
        raise OperationNotAllowed(operation=operation)
    return open_to


def of_person(person: Person) -> Q:
    """The condition on dialogues that a person takes or took part in."""
    return Q(questioner=person) | Q(answerer=person)


def dialogue_for(person: Person, dialogue_id: int, operation: str, *, lock: bool = False) -> Dialogue:
    """A dialogue of the person's, locked on demand.

    Raises:
        NotFound: There is none, or it is other people's.
        OperationNotAllowed.
    """
    rows: QuerySet[Dialogue] = Dialogue.objects.select_related("item__benchmark")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    dialogue = rows.filter(of_person(person), pk=dialogue_id).first()
    if dialogue is None:
        raise NotFound
    require(person, dialogue.item.benchmark_id, operation, KIND)
    return dialogue


def part_in(person_id: int, dialogue: Dialogue) -> str:
    """The part that one of the two takes."""
    return QUESTION if person_id == dialogue.questioner_id else ANSWER


def partner_of(person_id: int, dialogue: Dialogue) -> int:
    """The other one of the two."""
    return dialogue.answerer_id if person_id == dialogue.questioner_id else dialogue.questioner_id


def relations(person: Person, dialogue: Dialogue) -> set[Relation]:
    """A party's relations to a dialogue."""
    on_turn = part_of_turn(dialogue.turn_no + 1) == part_in(person.pk, dialogue)
    return {Relation.PARTY, Relation.ON_TURN} if on_turn else {Relation.PARTY}
