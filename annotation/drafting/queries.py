"""Queries about drafting."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery, Sum

from annotation.drafting import access
from annotation.drafting.access import KIND
from annotation.drafting.errors import DraftingUnset
from annotation.drafting.models import CandidateDecision, Drafting
from annotation.drafting.rules import LISTED, difference, languages_of
from annotation.drafting.shapes import CandidateRow, DraftingRow, DraftingYield, PictureDraftings
from annotation.items.models import ItemRevision
from annotation.items.queries import kind_settings, protocol_content, tags_of_sides
from annotation.kinds.multiple_choice import DraftingSettings, MultipleChoiceSettings
from curation.benchmarks.models import Benchmark
from curation.calls.models import Call
from curation.calls.queries import amount
from curation.calls.rules import LONGEST_WAIT
from curation.core.jobs import last_seen
from curation.core.models import Job
from curation.images.models import Image
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.prompts.models import Prompt
from curation.prompts.queries import Key, shipped
from curation.wire.servers import QUEUE

#: The purpose of its calls.
PURPOSE: Final = "draft"
#: The task that sends a request to a model.
DRAFT: Final = "annotation.draft"
_OPEN: Final = (Job.State.QUEUED, Job.State.RUNNING)


def settings_of(image: Image) -> tuple[MultipleChoiceSettings, DraftingSettings, dict[str, str]]:
    """The kind's settings, those of drafting, and the language of each side of a content about a picture.

    Raises:
        DraftingUnset.
    """
    protocol_id = image.benchmark.protocol_id
    content = protocol_content(protocol_id) if protocol_id else {}
    if protocol_id is None or KIND not in content.get("kinds", {}):
        raise DraftingUnset
    of_kind = kind_settings(protocol_id, KIND)
    tags = tags_of_sides(protocol_id, image.team)
    has_both = languages_of(tags["local"], tags["translated"]) is not None
    if not isinstance(of_kind, MultipleChoiceSettings) or of_kind.drafting is None or not has_both:
        raise DraftingUnset
    return of_kind, of_kind.drafting, tags


def prompt_key(benchmark: Benchmark, name: str) -> Key | None:
    """The version of a prompt that drafts: the benchmark's newest, or else the first that ships; None without any."""
    own = Prompt.objects.filter(benchmark=benchmark, name=name).order_by("-pk").first()
    if own is not None:
        return Key(own.name, own.language, own.no)
    return min((key for key in shipped() if key.name == name), key=lambda key: key.no, default=None)


def open_draftings(person: Person) -> int:
    """How many drafts a person waits for, in all benchmarks."""
    return Job.objects.filter(queue=QUEUE, task=DRAFT, actor_id=person.pk, state__in=_OPEN).count()


def draftings(person: Person, image_id: int, *, open_only: bool = False) -> PictureDraftings:
    """List the newest drafts of a picture, or only those that are under way, which have no candidates yet.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = access.image_for(person, image_id, "drafting_list")
    of_image = Drafting.objects.filter(image=image, **({"job__state__in": _OPEN} if open_only else {}))
    rows = list(of_image.select_related("job", "concept").order_by("-pk")[:LISTED])
    decisions: dict[tuple[int, int], CandidateDecision] = {
        (decision.drafting_id, decision.no): decision
        for decision in CandidateDecision.objects.filter(drafting__in=rows).select_related("item")
    }
    names = ("drafting_request", "candidate_use", "candidate_discard")
    return {
        "draftings": [_row(person, row, decisions) for row in rows],
        "worker_alive": last_seen(QUEUE)["alive"],
        "available_actions": [name for name in names if person.may(image.benchmark_id, name, KIND)],
    }


def drafting_yield(person: Person, benchmark_slug: str) -> list[DraftingYield]:
    """Count the outcomes of a benchmark's drafted questions, for each version of a prompt and each model.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "drafting_yield", KIND)
    rows = Drafting.objects.filter(benchmark=benchmark).annotate(model=F("job__args__model"))
    of = ("prompt_id", "model")
    groups: dict[Any, _Yield] = {}
    for row in rows.values(*of, "prompt__name", "prompt__no", "prompt__language").annotate(
        n=Count("pk"), drafted=Sum(_length("candidates"))
    ):
        group = groups[row["prompt_id"], row["model"]] = _Yield(row)
        group.requests, group.candidates = row["n"], row["drafted"] or 0
    # From the ledger: calls without a usable reply also cost something, and no draft refers to them.
    calls = Call.objects.filter(benchmark=benchmark, purpose=PURPOSE, cost__gt=0)
    for prompt_id, model, currency, spent in calls.values_list(*of, "price__currency").annotate(spent=Sum("cost")):
        if (prompt_id, model) in groups:
            groups[prompt_id, model].cost, groups[prompt_id, model].currency = spent, currency
    failed = rows.filter(job__state=Job.State.FAILED).values_list(*of, "job__error_code").annotate(n=Count("pk"))
    # Each statement sees a later state of the database: a group that a draft made since has no row above.
    for prompt_id, model, code, n in failed.order_by("job__error_code"):
        if (prompt_id, model) in groups:
            groups[prompt_id, model].failed[code] = n
    decided = CandidateDecision.objects.filter(drafting__benchmark=benchmark).annotate(
        model=F("drafting__job__args__model")
    )
    discarded = decided.filter(fate="discarded").values_list("drafting__prompt_id", "model", "reason")
    for prompt_id, model, reason, n in discarded.annotate(n=Count("pk")).order_by("reason"):
        if (prompt_id, model) in groups:
            groups[prompt_id, model].discarded[reason] = n
    used = decided.filter(fate="used").annotate(written=Subquery(_written_from())).select_related("drafting")
    for decision in used.iterator(chunk_size=500):
        drafting: Any = decision.drafting
        if (drafting.prompt_id, decision.model) in groups:
            groups[drafting.prompt_id, decision.model].add(drafting.candidates[decision.no], decision.written)
    sees_cost = person.may(benchmark.pk, "spending_show")
    return [group.answer(sees_cost=sees_cost) for group in sorted(groups.values(), key=lambda group: group.order)]


def _written_from() -> QuerySet[Any]:
    """The content of the version that a person wrote from a candidate: the next one of theirs.

    None if they used another candidate for the item before it, whose texts took the place of these.
    """
    between = CandidateDecision.objects.filter(
        item_id=OuterRef("item_id"),
        person_id=OuterRef("author_id"),
        pk__gt=OuterRef(OuterRef("pk")),
        at__lte=OuterRef("created_at"),
    )
    theirs = ItemRevision.objects.filter(item_id=OuterRef("item_id"), author_id=OuterRef("person_id"))
    return theirs.filter(~Exists(between), created_at__gte=OuterRef("at")).order_by("no").values("content")[:1]


def _length(column: str) -> Func:
    return Func(column, function="jsonb_array_length", output_field=IntegerField())


class _Yield:
    """Counts of one version of a prompt and one model."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.prompt = f"{row['prompt__name']} {row['prompt__no']}"
        self.language, self.model = row["prompt__language"], row["model"]
        self.order = (row["prompt__name"], row["prompt__no"], self.language, self.model)
        self.requests = self.candidates = self.unchanged = self.unwritten = 0
        self.failed: dict[str, int] = {}
        self.discarded: dict[str, int] = {}
        self.changed: list[int] = []
        self.cost, self.currency = Decimal(0), None

    def add(self, candidate: dict[str, Any], written: dict[str, Any] | None) -> None:
        """Count a candidate that was used."""
        if written is None:
            self.unwritten += 1
        elif percent := difference(candidate, written):
            self.changed.append(percent)
        else:
            self.unchanged += 1

    def answer(self, *, sees_cost: bool) -> DraftingYield:
        """Return the counts as the API answers them."""
        shows_cost = sees_cost and self.currency is not None
        return {
            "prompt": self.prompt,
            "language": self.language,
            "model": self.model,
            "requests": self.requests,
            "failed": self.failed,
            "candidates": self.candidates,
            "unchanged": self.unchanged,
            "refined": len(self.changed),
            "changed_percent": round(sum(self.changed) / len(self.changed)) if self.changed else None,
            "unwritten": self.unwritten,
            "discarded": self.discarded,
            "cost": amount(self.cost) if shows_cost else None,
            "currency": self.currency if shows_cost else None,
        }


def changed_draftings(person: Person, drafting: Drafting) -> PictureDraftings:
    """The drafts of a picture after one was requested or decided on."""
    return draftings(person, drafting.image_id)


def _row(person: Person, row: Drafting, decisions: dict[tuple[int, int], CandidateDecision]) -> DraftingRow:
    is_open = row.job.state in _OPEN
    return {
        "id": row.pk,
        "concept": row.concept.local,
        "state": row.job.state,
        "error_code": row.job.error_code or None,
        "error_params": row.job.error_params,
        "limited_until": row.limited_since + LONGEST_WAIT if row.limited_since and is_open else None,
        "mine": row.actor_id == person.pk,
        "created_at": row.created_at,
        "candidates": [
            _candidate(no, content, decisions.get((row.pk, no))) for no, content in enumerate(row.candidates or ())
        ],
    }


def _candidate(no: int, content: Any, decision: CandidateDecision | None) -> CandidateRow:
    fate: Any = decision.fate if decision else None
    reason: Any = (decision.reason or None) if decision else None
    return {
        "no": no,
        "content": content,
        "fate": fate,
        "reason": reason,
        "item": decision.item.label if decision and decision.item else None,
        "item_id": decision.item_id if decision else None,
    }
