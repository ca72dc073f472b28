"""Reading a reply in place of the rules."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction

from curation.core import jobs
from curation.core.decisions import Decision, digest_of
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.runs import access
from evaluation.runs.models import Reply, ReplyOverride
from evaluation.samples.errors import OverrideNoLetter, OverrideNoLetters, ReplyNotReadable
from evaluation.samples.queries import require_results
from evaluation.samples.queries.showing import is_readable
from evaluation.samples.rules import Form, OtherLetters, form_of, override_answer
from evaluation.sets.models import Entry
from evaluation.sets.rules import entry_of
from evaluation.suites.rules import SUITES


@transaction.atomic
def override_reply(
    *, actor: Person, run_id: int, ordinal: int, answer: str | None, reason: str, client_key: UUID
) -> ReplyOverride:
    """Replace what rules read in a reply by what a person reads; a job then computes the run's scores again.

    The scores as read stay, and those with overrides stand beside them. The newest override of a reply counts.

    Args:
        actor: Who reads it.
        run_id: A scored run over an item set.
        ordinal: The entry's number.
        answer: A letter of the options, several or a short text, as the suite has it; None: no answer.
        reason: Why.
        client_key: Makes a repeat harmless.

    Raises:
        ReplyNotReadable: There is no text in which an answer is read.
        OverrideNoLetter, OverrideNoLetters: The answer has other letters than the options.
        RunNotScoredYet, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    run = access.run_of_questions_for(actor, run_id, "prediction_override")
    run = access.lock_run_for(actor, run.pk, "prediction_override")
    decision = Decision(actor_id=actor.pk, action="prediction_override", row=run, client_key=client_key)
    entry = Entry.objects.filter(set_id=run.set_id, no=ordinal).first()
    if entry is None:
        raise NotFound
    request: dict[str, Any] = {"entry": entry.pk, "texts": digest_of(answer, reason)}
    if decision.is_repeat(**request):
        return ReplyOverride.objects.select_related("run__system", "run__set", "entry").get(
            person=actor, client_key=client_key
        )
    require_results(run.pk)
    sent = entry_of(entry.key, entry.line, entry.texts[run.settings["side"]])
    form = form_of(SUITES[run.suite], sent)
    reply = Reply.objects.filter(run=run, entry=entry).first()
    if form is None or reply is None or not is_readable(reply):
        raise ReplyNotReadable
    override = ReplyOverride.objects.create(
        run=run,
        entry=entry,
        variant=reply.variant,
        sample=reply.sample,
        answer=_read(form, answer),
        reason=reason,
        person=actor,
        client_key=client_key,
    )
    decision.record(**request, override=override.pk)
    transaction.on_commit(lambda: jobs.send("evaluation.sweep_scores"))
    return override


def _read(form: Form, answer: str | None) -> str | None:
    try:
        return override_answer(form, answer)
    except OtherLetters as error:
        refusal = OverrideNoLetter if form.form == "letter" else OverrideNoLetters
        raise refusal(letters=", ".join(form.letters)) from error
