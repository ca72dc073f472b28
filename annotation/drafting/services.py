"""Asking a model for questions about a concept, and deciding on what it drafts.

This room can show a model no picture: it imports neither stores nor renditions nor the transport of requests, and its
requests have no place for one (an import contract in ``pyproject.toml``).
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from annotation.concepts.models import Concept
from annotation.drafting import access, queries
from annotation.drafting.errors import (
    FAULTS,
    CandidateDecided,
    CandidateElsewhere,
    DraftingFull,
    DraftingPromptUnfit,
    DraftingUnset,
    DraftOutdated,
    DraftRefused,
)
from annotation.drafting.models import CandidateDecision, Drafting
from annotation.drafting.rules import MAX_TOKENS, MOST_OPEN, ReplyForm, Unusable, languages_of, read_reply, topic
from annotation.tracks.access import check_may_write, item_for
from curation.calls import services as calls
from curation.calls.errors import CallLimited, NoBudget
from curation.calls.models import Call
from curation.calls.queries import amount, budget_left, price_of, server_of
from curation.calls.services import ask_text
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import NotFound, OperationNotAllowed
from curation.images.models import image_label
from curation.people.errors import ConsentMissing
from curation.people.models import Person
from curation.prompts.rules import Body, render, text_request
from curation.prompts.services import stored_prompt
from curation.wire import text
from curation.wire.servers import QUEUE
from curation.wire.text import TextRequest

_VARIABLES: Final = ["topic"]  # what the prompt may use
# Seconds that a worker waits by itself; for longer pauses the request is put off.
_SHORT_PAUSE: Final = 5.0


@transaction.atomic
def request_drafting(*, actor: Person, image_id: int, concept: int, client_key: UUID) -> Drafting:
    """Have a worker of the queue ``served`` ask the protocol's model for questions about a concept.

    Raises:
        DraftingUnset: The protocol sets no drafting.
        DraftingPromptUnfit: The prompt's version needs values that a concept does not have.
        DraftingFull: The actor waits for as many drafts as one may.
        ModelNotOffered: No server offers the model.
        NoBudget: No budget covers the highest cost; nothing is sent.
        PromptTooLong, ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    image = access.image_for(actor, image_id, "drafting_request")
    # A person's requests run one after the other: those with one key, and those that count towards the limit.
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=actor.pk)
    decision = Decision(
        actor_id=actor.pk,
        action="drafting_request",
        client_key=client_key,
        benchmark_id=image.benchmark_id,
        label=image_label(image.number),
    )
    if earlier := decision.earlier(image_id=image_id, concept=concept):
        return Drafting.objects.get(pk=earlier.target_id)
    about = Concept.objects.filter(pk=concept, image=image, retired_at=None).first()
    if about is None:
        raise NotFound
    _, drafting, _ = queries.settings_of(image)
    if (waiting := queries.open_draftings(actor)) >= MOST_OPEN:
        raise DraftingFull(open=waiting, maximum=MOST_OPEN)
    key = queries.prompt_key(image.benchmark, drafting.prompt)
    if key is None:
        raise DraftingUnset
    server, prompt = server_of(drafting.model), stored_prompt(image.benchmark, key)
    if prompt.body["variables"] != _VARIABLES:
        raise DraftingPromptUnfit(prompt=prompt.name, no=prompt.no)
    request = _request(about, prompt.body)
    price = price_of(server, drafting.model)
    if price is not None:
        body = text.body_of(request, drafting.model, settings.MODEL_SERVERS[server])
        estimate, left = price.highest_cost(body, MAX_TOKENS, 0), budget_left(image.benchmark, price)
        if left is None or estimate > left:
            raise NoBudget(estimate=amount(estimate), currency=price.currency)
    job = jobs.enqueue(
        task=queries.DRAFT,
        args={"server": server, "model": drafting.model},
        dedupe_key=f"draft {actor.pk} {client_key}",
        queue=QUEUE,
        benchmark_id=image.benchmark_id,
        actor_id=actor.pk,
    )
    row = Drafting.objects.create(
        benchmark=image.benchmark, image=image, concept=about, actor=actor, prompt=prompt, job=job
    )
    decision.row = row
    decision.record(image_id=image_id, concept=concept)
    return row


def _request(concept: Concept, body: dict[str, object]) -> TextRequest:
    """The request: the prompt and the concept's two names, nothing of the picture."""
    messages = render(Body.model_validate(body), {"topic": topic((concept.local, concept.translated))}, picture=False)
    request = text_request(messages, max_tokens=MAX_TOKENS)
    return request.model_copy(update={"reply": ReplyForm})


def is_due(job_id: int) -> bool:
    """Whether the request of a job is to be sent now; one that its server limits waits for its next try."""
    return calls.is_due(Drafting.objects.filter(job_id=job_id))


def draft(lease: jobs.Lease) -> None:
    """Ask the model and store all questions of its reply, or none; a job's handler, safe to run twice.

    A reply that was paid for and not stored, because the worker was killed, comes from the ledger again.

    Raises:
        Postponed: The server limits requests; this one is sent again later.
        DraftMalformed, DraftHalfBilingual, DraftCutOff, DraftRefused: The reply is of no use.
        DraftingUnset: The protocol sets no drafting any more.
        DraftOutdated: The concept was retired, or the actor may no longer draft for the picture; nothing is sent.
        ModelNotOffered, NoBudget, CallWaits, CallFailed, CallInDoubt: There is no reply.
    """
    row = Drafting.objects.select_related("image__benchmark", "image__team", "concept", "prompt", "actor").get(
        job=lease.job
    )
    of_kind, drafting, tags = queries.settings_of(row.image)
    _check_still_allowed(row)
    try:
        call = ask_text(
            _request(row.concept, row.prompt.body),
            benchmark_id=row.benchmark_id,
            purpose=queries.PURPOSE,
            server=lease.args["server"],
            model=lease.args["model"],
            # Each draft of a concept gets questions of its own.
            take=str(row.pk),
            actor_id=row.actor_id,
            prompt_id=row.prompt_id,
            longest_pause=_SHORT_PAUSE,
        )
    except CallLimited as error:
        calls.postpone(row, error)
    Drafting.objects.filter(pk=row.pk).update(call=call)
    # A reply may also be cut off before its first letter, by a model that thinks first.
    if call.state == Call.State.REFUSED or (call.finish != "length" and not (call.reply or "").strip()):
        raise DraftRefused
    sides = languages_of(tags["local"], tags["translated"])
    if sides is None:
        raise DraftingUnset
    try:
        candidates = read_reply(
            call.reply or "",
            finish=call.finish,
            tags=tags,
            sides=sides,
            options=of_kind.options,
            minimum=drafting.candidates_minimum,
        )
    except Unusable as error:
        raise FAULTS[error.fault] from error
    Drafting.objects.filter(pk=row.pk, candidates__isnull=True).update(candidates=candidates)


def _check_still_allowed(row: Drafting) -> None:
    if row.concept.retired_at is not None:
        raise DraftOutdated
    try:
        access.image_for(row.actor, row.image_id, "drafting_request")
    except (NotFound, OperationNotAllowed, ConsentMissing) as error:
        raise DraftOutdated from error


@transaction.atomic
def use_candidate(*, actor: Person, drafting_id: int, no: int, item: int, client_key: UUID) -> Drafting:
    """Note that a candidate is what an item's question is written from; its text is typed and submitted as any other.

    Raises:
        CandidateDecided: It was used or discarded.
        CandidateElsewhere: The item is on another picture, or of another kind.
        ActionNotAllowed: The actor may not write the item now.
        ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    row = access.lock_drafting_for(actor, drafting_id, "candidate_use")
    decision = _decision(actor, row, "candidate_use", client_key)
    if decision.is_repeat(no=no, item=item):
        return row
    written = item_for(actor, item, "candidate_use")
    if written.image_id != row.image_id or written.kind != access.KIND:
        raise CandidateElsewhere
    check_may_write(actor, written, "candidate_use")
    _decide(row, no, CandidateDecision(fate="used", item=written, person=actor))
    decision.record(no=no, item=item)
    return row


@transaction.atomic
def discard_candidate(*, actor: Person, drafting_id: int, no: int, reason: str, client_key: UUID) -> Drafting:
    """Discard a candidate for a reason.

    Raises:
        CandidateDecided: It was used or discarded.
        ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    row = access.lock_drafting_for(actor, drafting_id, "candidate_discard")
    decision = _decision(actor, row, "candidate_discard", client_key)
    if decision.is_repeat(no=no, reason=reason):
        return row
    _decide(row, no, CandidateDecision(fate="discarded", reason=reason, person=actor))
    decision.record(no=no, reason=reason)
    return row


def _decision(actor: Person, row: Drafting, action: str, client_key: UUID) -> Decision:
    label = image_label(row.image.number)
    return Decision(
        actor_id=actor.pk, action=action, row=row, client_key=client_key, benchmark_id=row.benchmark_id, label=label
    )


def _decide(row: Drafting, no: int, decision: CandidateDecision) -> None:
    if not 0 <= no < len(row.candidates or ()):
        raise NotFound
    if CandidateDecision.objects.filter(drafting=row, no=no).exists():
        raise CandidateDecided
    decision.drafting, decision.no = row, no
    decision.save(force_insert=True)
