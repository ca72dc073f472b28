"""Queries about blind trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kind_settings, protocol_content, tags_of_sides
from annotation.judging.models import Judging
from annotation.kinds.multiple_choice import BlindTrialSettings, MultipleChoiceSettings
from annotation.tracks.access import item_for
from annotation.trials.errors import TrialPromptUnfit
from annotation.trials.models import BlindTrial, PendingTrial
from annotation.trials.rules import MAX_TOKENS, VARIABLES, arrangements, prompt_languages, texts_of
from annotation.trials.shapes import BlindTrialRow, ItemBlindTrials
from curation.benchmarks.models import Benchmark
from curation.calls.errors import NoBudget
from curation.calls.queries import amount, budget_left, price_of, server_of
from curation.core.errors import DomainError
from curation.core.jobs import last_seen
from curation.core.models import Job
from curation.people.models import Person
from curation.prompts.models import Prompt
from curation.prompts.queries import Key, shipped, version_of
from curation.prompts.rules import Body, render, text_request
from curation.wire import text
from curation.wire.servers import QUEUE
from curation.wire.text import TextRequest

KIND: Final = "multiple_choice"
#: The task that asks a model.
TRY_BLIND: Final = "annotation.try_blind"
# States of an item whose newest revision is submitted and not rejected.
_TRIED: Final = (Item.State.MADE, Item.State.ACCEPTED)
_OPEN: Final = (Job.State.QUEUED, Job.State.RUNNING)


class Side(NamedTuple):
    """A question in one of its languages, as it is sent.

    Attributes:
        language: The BCP 47 tag.
        prompt: The version of the prompt.
        requests: One for each try.
        options: For each try the texts of the options in the order of their letters.
    """

    language: str
    prompt: Key
    requests: tuple[TextRequest, ...]
    options: tuple[list[str], ...]


def settings_of(benchmark: Benchmark) -> BlindTrialSettings | None:
    """The settings of blind trials in a benchmark's current protocol; None: it sets none."""
    protocol_id = benchmark.protocol_id
    if protocol_id is None or KIND not in protocol_content(protocol_id).get("kinds", {}):
        return None
    of_kind = kind_settings(protocol_id, KIND)
    return of_kind.blind_trials if isinstance(of_kind, MultipleChoiceSettings) else None


def benchmarks_with_trials() -> list[Benchmark]:
    """The open benchmarks whose protocol sets blind trials."""
    rows = Benchmark.objects.filter(state="open", protocol__content__kinds__has_key=KIND).order_by("pk")
    return [benchmark for benchmark in rows if settings_of(benchmark) is not None]


def current_revisions(benchmark: Benchmark) -> QuerySet[ItemRevision]:
    """The newest revisions of a benchmark's questions that are submitted and not rejected."""
    items = {"item__benchmark": benchmark, "item__kind": KIND, "item__state__in": _TRIED, "item__copy_no": 0}
    return ItemRevision.objects.filter(**items, no=F("item__revision_no"))


def revisions_without_trials(benchmark: Benchmark) -> QuerySet[ItemRevision]:
    """The revisions that have no trials and do not wait for any, oldest items first."""
    made, waiting = (model.objects.filter(revision=OuterRef("pk")) for model in (BlindTrial, PendingTrial))
    return current_revisions(benchmark).filter(~Exists(made), ~Exists(waiting)).order_by("item_id")


def open_trials(benchmark: Benchmark) -> QuerySet[PendingTrial]:
    """The revisions of a benchmark whose trials a worker makes or is about to make."""
    return PendingTrial.objects.filter(benchmark=benchmark, job__state__in=_OPEN)


def sides_of(revision: ItemRevision, chosen: BlindTrialSettings) -> list[Side]:
    """A question as it is sent in each of its languages: its text and options, nothing of the picture.

    Raises:
        TrialPromptUnfit: There is no such prompt, or it has other variables.
        PromptTooLong.
    """
    item, content = revision.item, revision.content
    protocol_id: Any = item.benchmark.protocol_id
    tags = tags_of_sides(protocol_id, item.team)
    sides = []
    for side in content["question"]:
        language = tags[side] or "und"
        key, body = _prompt(item.benchmark, chosen.prompt, language)
        arranged = [texts_of(content, side, positions) for positions in arrangements(len(content["options"]))]
        requests = tuple(
            text_request(render(body, values, picture=False), max_tokens=MAX_TOKENS) for values in arranged
        )
        sides.append(Side(language, key, requests, tuple(values["options"] for values in arranged)))
    return sides


def _prompt(benchmark: Benchmark, name: str, language: str) -> tuple[Key, Body]:
    """The version of a prompt for texts in a language: the benchmark's newest, or else the first that ships."""
    own = Prompt.objects.filter(benchmark=benchmark, name=name).order_by("no").values_list("language", "no")
    newest = dict(own)
    first = {key.language: key.no for key in sorted(shipped(), key=lambda key: -key.no) if key.name == name}
    versions = first | newest
    if not versions:
        raise TrialPromptUnfit(prompt=name)
    best = prompt_languages(language, versions)[0]
    key = Key(name, best, versions[best])
    body = version_of(benchmark, key).body
    if not VARIABLES.issuperset(body.variables):
        raise TrialPromptUnfit(prompt=name)
    return key, body


def server_for(revision: ItemRevision, chosen: BlindTrialSettings) -> str:
    """The server of the model that tries a question, once nothing prevents its trials.

    Raises:
        ModelNotOffered: No server offers the model.
        NoBudget: No budget covers the highest cost of all tries.
        TrialPromptUnfit, PromptTooLong.
    """
    server = server_of(chosen.model)
    price = price_of(server, chosen.model)
    requests = [request for side in sides_of(revision, chosen) for request in side.requests]
    if price is not None:
        bodies = (text.body_of(request, chosen.model, settings.MODEL_SERVERS[server]) for request in requests)
        estimate = sum((price.highest_cost(body, MAX_TOKENS, 0) for body in bodies), Decimal(0))
        left = budget_left(revision.item.benchmark, price)
        if left is None or estimate > left:
            raise NoBudget(estimate=amount(estimate), currency=price.currency)
    return server


def item_trials(person: Person, item_id: int) -> ItemBlindTrials:
    """Show what a model answered to an item's newest question without its picture, or why it has not answered yet.

    Those who may judge the item before a panel learn nothing while its judging is open, unless they wrote a revision
    of it, which keeps them from judging it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = item_for(person, item_id, "blind_trial_list")
    revision = ItemRevision.objects.filter(item=item, no=item.revision_no).first()
    if item.kind != KIND or revision is None:
        return _answer(item, "none")
    if _is_hidden(person, item):
        return _answer(item, "hidden")
    trials = list(BlindTrial.objects.filter(revision=revision).select_related("prompt").order_by("pk"))
    if trials:
        return _answer(item, "done", trials)
    chosen = settings_of(item.benchmark)
    if chosen is None or not current_revisions(item.benchmark).filter(pk=revision.pk).exists():
        return _answer(item, "none")
    return _waiting(item, revision, chosen)


def _is_hidden(person: Person, item: Item) -> bool:
    is_judged = Judging.objects.filter(item=item, closed_at=None).exists()
    if not is_judged or not person.may(item.benchmark_id, "item_judge", item.kind):
        return False
    return not ItemRevision.objects.filter(item=item, author=person).exists()


def _waiting(item: Item, revision: ItemRevision, chosen: BlindTrialSettings) -> ItemBlindTrials:
    answer = _answer(item, "waiting")
    pending = PendingTrial.objects.select_related("job").filter(revision=revision).first()
    job = pending.job if pending else None
    if pending is not None and job is not None and job.state in _OPEN:
        answer["retry_at"] = pending.next_try_at
        return answer
    try:
        server_for(revision, chosen)
    except DomainError as error:
        answer["error_code"], answer["error_params"] = error.code, error.params
        return answer
    if pending is not None and job is not None and job.state == Job.State.FAILED:
        answer["error_code"], answer["error_params"] = job.error_code or None, job.error_params
        answer["retry_at"] = pending.retry_at
    return answer


def _answer(item: Item, state: Any, trials: Iterable[BlindTrial] = ()) -> ItemBlindTrials:
    rows = [_row(trial) for trial in trials]
    return {
        "state": state,
        "revision_no": item.revision_no,
        "flagged": any(row["flagged"] for row in rows),
        "trials": rows,
        "error_code": None,
        "error_params": {},
        "retry_at": None,
        "worker_alive": state != "waiting" or last_seen(QUEUE)["alive"],
    }


def _row(trial: BlindTrial) -> BlindTrialRow:
    answers: list[Mapping[str, Any]] = trial.answers
    return {
        "language": trial.language,
        "model": trial.model,
        "prompt": f"{trial.prompt.name} {trial.prompt.no}",
        "tries": trial.tries,
        "hits": trial.hits,
        "flagged_from": trial.flagged_from,
        "flagged": trial.is_flagged,
        "answers": [
            {"right": answer["right"], "letter": answer["letter"], "reply": answer["reply"]} for answer in answers
        ],
        "at": trial.at,
    }


def startable(benchmark: Benchmark) -> QuerySet[PendingTrial]:
    """The revisions whose trials may start now: none is under way, and the pause after a failure is over."""
    rested = Q(retry_at=None) | Q(retry_at__lte=Now())
    current = current_revisions(benchmark).filter(pk=OuterRef("revision_id"))
    rows = PendingTrial.objects.filter(Exists(current), rested, benchmark=benchmark).exclude(job__state__in=_OPEN)
    return rows.order_by("attempts", "pk")


def outdated(benchmark: Benchmark) -> QuerySet[PendingTrial]:
    """The waiting revisions that were replaced or whose items left the work, of which no trial is under way."""
    current = current_revisions(benchmark).filter(pk=OuterRef("revision_id"))
    return PendingTrial.objects.filter(~Exists(current), benchmark=benchmark).exclude(job__state__in=_OPEN)
