"""One entry with the reply of a run, what was read in it, and the results of other runs."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from django.db.models import F
from django.db.models.functions import Left

from curation.core.errors import NotFound
from curation.images.models import Rendition, media_url
from curation.people.models import Person
from evaluation.profiles.registry import PROFILES
from evaluation.runs import access
from evaluation.runs.errors import RunPromptMissing
from evaluation.runs.models import Reply, ReplyFailure, ReplyOverride, Run
from evaluation.runs.queries import prediction_row, sent_messages
from evaluation.runs.rules import LONGEST_OVERRIDE
from evaluation.samples.queries.listing import run_answer, scored_runs
from evaluation.samples.queries.results import (
    Scored,
    corrected_results,
    filtered,
    require_results,
    result_answer,
    results_as_read,
    results_with_overrides,
)
from evaluation.samples.rules import (
    LONGEST_REPLY,
    LONGEST_TEXT,
    SampleFilters,
    answer_text,
    evidence,
    form_of,
    result_of,
    shares,
    text_of_entry,
)
from evaluation.samples.shapes import (
    Prediction,
    PredictionCandidate,
    PredictionForm,
    PredictionMessage,
    PredictionOption,
    PredictionOther,
    PredictionOverride,
    PredictionPicture,
    PredictionPiece,
    PredictionReply,
)
from evaluation.scoring.models import EntryResult
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.rules import entry_of
from evaluation.suites.rules import SUITES, Entry

# Other runs beside the one that is displayed, the newest.
_MOST_OTHERS = 50
# Overrides of a reply that are listed, the newest.
_MOST_OVERRIDES = 50


class _Displayed(NamedTuple):
    """An entry of a run with its result."""

    run: Run
    scored: Scored
    row: EntryResult
    stored: StoredEntry
    entry: Entry
    reply: Reply | None


def prediction(person: Person, run_id: int, ordinal: int, *, filters: SampleFilters) -> Prediction:
    """Show an entry of a scored run: prompt, reply with what was read, right answer, the results of other runs.

    Raises:
        NotFound, OperationNotAllowed, RunNotScoredYet, RunsOfOtherSets.
    """
    run = access.run_of_questions_for(person, run_id, "prediction_show")
    return _prediction(person, run, ordinal, filters)


def overridden_prediction(person: Person, override: ReplyOverride) -> Prediction:
    """As :func:`prediction`, for a reply that the person has just read."""
    return _prediction(person, override.run, override.entry.no, SampleFilters())


def _prediction(person: Person, run: Run, no: int, filters: SampleFilters) -> Prediction:
    scored = require_results(run.pk)
    row = EntryResult.objects.filter(report_id=scored.report_id, no=no).select_related("entry__picture").first()
    if row is None:
        raise NotFound
    entry = entry_of(row.entry.key, row.entry.line, row.entry.texts[run.settings["side"]])
    reply = Reply.objects.filter(run=run, entry=row.entry).first()
    displayed = _Displayed(run, scored, row, row.entry, entry, reply)
    same = filtered(run, scored, filters)
    form = _form(displayed)
    may_override = form is not None and person.may(run.benchmark_id, "prediction_override")
    return {
        "run": run_answer(run),
        "set": {"id": run.set.pk, "name": run.set.name, "origin": run.set.origin},
        "profile": scored.profile,
        "no": no,
        "key": row.entry.key,
        "tags": row.entry.tags,
        "text": text_of_entry(entry),
        "options": _options(displayed),
        "right": answer_text(row.entry.gold),
        "picture": _picture(displayed),
        "messages": _messages(displayed),
        "reply": _reply(displayed),
        "result": result_answer(row),
        "corrected": corrected_results(run.pk, scored, [no]).get(no),
        "overrides": _overrides(displayed),
        "form": form,
        "others": _others(displayed),
        "previous": same.filter(no__lt=no).order_by("-no").values_list("no", flat=True).first(),
        "next": same.filter(no__gt=no).order_by("no").values_list("no", flat=True).first(),
        "available_actions": ["prediction_override"] if may_override else [],
    }


def _form(displayed: _Displayed) -> PredictionForm | None:
    """How a person says what the reply answers; None where they cannot."""
    form = form_of(SUITES[displayed.run.suite], displayed.entry)
    if form is None or not is_readable(displayed.reply):
        return None
    return {"expects": form.form, "letters": form.letters, "maximum": LONGEST_OVERRIDE}


def is_readable(reply: Reply | None) -> bool:
    """Whether a reply has text in which an answer is read."""
    return reply is not None and reply.outcome == Reply.ANSWERED and "sums" not in reply.value and reply.raw != ""


def _right_names(displayed: _Displayed) -> set[str]:
    """The names of the right options: letters, of which there may be several, or the id of a candidate."""
    gold = displayed.stored.gold
    if not isinstance(gold, str):
        return set()
    return {gold} if gold in displayed.entry.names else set(gold)


def _options(displayed: _Displayed) -> list[PredictionOption]:
    texts = displayed.entry.values.get("options", displayed.entry.options)
    right = _right_names(displayed)
    # Entries without names are answered by several letters.
    names = displayed.entry.names or ascii_uppercase[: len(texts)]
    return [{"name": name, "text": text, "is_right": name in right} for name, text in zip(names, texts, strict=True)]


def _picture(displayed: _Displayed) -> PredictionPicture | None:
    picture = displayed.stored.picture
    if picture is None:
        return _picture_of_item(displayed.stored)
    url = f"/api/v1/sets/{displayed.run.set_id}/pictures/{picture.pk}"
    return {"name": picture.name, "url": url, "width": picture.width, "height": picture.height}


def _picture_of_item(stored: StoredEntry) -> PredictionPicture | None:
    """The current picture of an accepted revision; readers get its bytes as they get them elsewhere."""
    current = Rendition.objects.filter(image=stored.image_id, role="view", version=F("image__redaction_no") + 1)
    file = current.select_related("image").first()
    if file is None:
        return None
    return {
        "name": file.image.label,
        "url": media_url(file.image_id, file.pk, "view", file.key),
        "width": file.width,
        "height": file.height,
    }


def _messages(displayed: _Displayed) -> list[PredictionMessage] | None:
    try:
        messages = sent_messages(displayed.run.settings, displayed.stored)
    except RunPromptMissing:
        return None
    return [
        {
            "role": message.role,
            "parts": [
                {"picture": not isinstance(part, str), "text": part if isinstance(part, str) else ""}
                for part in message.parts
            ],
        }
        for message in messages
    ]


def _reply(displayed: _Displayed) -> PredictionReply:
    reply = displayed.reply
    if reply is None:
        failure = ReplyFailure.objects.filter(run=displayed.run, entry=displayed.stored).order_by("-round").first()
        return {
            "outcome": "failed" if failure else "none",
            "pieces": [],
            "is_cut": False,
            "candidates": [],
            "tokens_in": None,
            "tokens_out": None,
            "error": failure.code if failure else "",
        }
    return {
        "outcome": "refused" if reply.outcome == Reply.REFUSED else "answered",
        "pieces": _pieces(displayed, reply),
        "is_cut": len(reply.raw) > LONGEST_REPLY,
        "candidates": _candidates(displayed, reply.value.get("sums", [])),
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "error": "",
    }


def _pieces(displayed: _Displayed, reply: Reply) -> list[PredictionPiece]:
    """The reply with the part marked in which the answer was read."""
    text = reply.raw[:LONGEST_REPLY]
    place = None
    if is_readable(reply) and len(reply.raw) <= LONGEST_REPLY:
        profile = PROFILES[displayed.scored.profile]
        fields = prediction_row(displayed.run, displayed.stored, reply)
        place = evidence(
            text,
            displayed.row.extracted,
            displayed.entry.values.get("options", ()),
            lambda other: (
                result_of(profile, displayed.entry, displayed.stored.gold, {**fields, "response": other}).extracted
            ),
        )
    start, end = place or (len(text), len(text))
    pieces = [(text[:start], False), (text[start:end], True), (text[end:], False)]
    return [{"text": piece, "is_read": is_read} for piece, is_read in pieces if piece]


def _candidates(displayed: _Displayed, sums: Sequence[float]) -> list[PredictionCandidate]:
    if not sums:
        return []
    best = max(range(len(sums)), key=lambda i: sums[i])  # of equal ones the first
    is_similarity = displayed.run.settings["means"] == "similarity"
    parts: Sequence[float | None] = [None] * len(sums) if is_similarity else shares(sums)
    right = _right_names(displayed)
    return [
        {
            "name": name,
            "text": text,
            "measured": measured,
            "share": share,
            "is_right": name in right,
            "is_best": i == best,
        }
        for i, (name, text, measured, share) in enumerate(
            zip(displayed.entry.names, displayed.entry.options, sums, parts, strict=False)
        )
    ]


def _overrides(displayed: _Displayed) -> list[PredictionOverride]:
    rows = (
        ReplyOverride.objects.filter(run=displayed.run, entry=displayed.stored).select_related("person").order_by("-pk")
    )
    return [
        {
            "id": row.pk,
            "answer": row.answer,
            "reason": row.reason,
            "person": {"id": row.person.pk, "name": row.person.name},
            "created_at": row.created_at,
        }
        for row in rows[:_MOST_OVERRIDES]
    ]


def _others(displayed: _Displayed) -> list[PredictionOther]:
    """The other runs with their results on the entry; the statements are the same whatever their number."""
    runs = scored_runs(displayed.run)[:_MOST_OTHERS]
    as_read = results_as_read([run.pk for run in runs])
    corrected = results_with_overrides(as_read)
    reports = [scored.report_id for scored in [*as_read.values(), *corrected.values()]]
    rows: dict[int, Any] = {
        row.report_id: row for row in EntryResult.objects.filter(report_id__in=reports, no=displayed.row.no)
    }
    replies = Reply.objects.filter(run__in=[run.pk for run in runs], entry=displayed.stored)
    texts = dict(replies.values_list("run_id", Left("raw", LONGEST_TEXT)))

    def result(scored: Scored | None) -> Any:
        row = rows.get(scored.report_id) if scored else None
        return result_answer(row) if row else None

    return [
        {
            **run_answer(run),
            "result": result(as_read.get(run.pk)),
            "corrected": result(corrected.get(run.pk)),
            "text": texts.get(run.pk, ""),
        }
        for run in runs
    ]
