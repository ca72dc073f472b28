"""Reads about trying prompts on models: what would be sent, what it costs, what came back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.conf import settings

from curation.benchmarks.models import Benchmark
from curation.calls.models import Call
from curation.calls.queries import amount, budget_left, price_of
from curation.calls.rules import LONGEST_WAIT, Price
from curation.core.errors import NotFound
from curation.core.jobs import last_seen
from curation.core.models import Job
from curation.images.models import Image, Rendition, current_renditions
from curation.people.access import benchmark_for, require
from curation.people.models import Person
from curation.prompts import rules as prompts
from curation.prompts.queries import FILE, Key, item_values, version_of
from curation.wire import text
from curation.wire.servers import ModelServer
from evaluation.asking.errors import PictureNotSendable, PromptItemMissing
from evaluation.asking.models import Trial
from evaluation.asking.rules import has_picture
from evaluation.asking.shapes import AnswerPrice, TrialAnswer, TrialReply
from evaluation.backends.asks import Decoding
from evaluation.backends.chat_requests import EMPTY_DIGEST, body_of
from evaluation.backends.registry import SERVERS

#: The task that sends a trial.
TRY: Final = "evaluation.answer_try"
_OPEN: Final = (Job.State.QUEUED, Job.State.RUNNING)
_REPLIED: Final = (Call.State.ANSWERED, Call.State.REFUSED)

# Nothing is drawn, so that a repeat is the same call and costs nothing.
TEMPERATURE: Final = 0.0


class PromptChoice(NamedTuple):
    """What a person wants to send: fields as in :func:`curation.prompts.queries.preview_prompt`, and to which model."""

    name: str
    language: str
    no: int
    item: int
    server: str
    model: str
    text: str | None = None
    part: int = 0
    side: str = ""
    picture: bool = True
    max_tokens: int = 512


class Prepared(NamedTuple):
    """A rendered prompt with its price.

    Attributes:
        messages: What is sent.
        image_id: The item's picture; None if none is sent.
        price: None: it costs nothing.
        estimate: The most that it can cost.
    """

    messages: tuple[prompts.Message, ...]
    image_id: int | None
    price: Price | None
    estimate: Decimal


def prepare(person: Person, benchmark: Benchmark, choice: PromptChoice, operation: str) -> Prepared:
    """Render a prompt with an accepted item's values, as it would be sent for an operation.

    Raises:
        PromptVariable, FileInvalid: The text has faults.
        PromptItemNotAccepted: The item is not accepted.
        PromptItemMissing: The item has no value for a variable, or the variable is the right answer.
        PromptTooLong: With the item's values it is too long to be sent.
        PictureNotSendable: Its picture was withdrawn.
        ModelNotOffered: The owner has not offered the model.
        NotFound.
    """
    body = version_of(benchmark, Key(choice.name, choice.language, choice.no)).body
    if choice.text is not None:
        body = prompts.parse_body(choice.text, file=FILE)
    chosen = {"part": choice.part, "side": choice.side, "language": choice.language, "operation": operation}
    item = item_values(person, benchmark, choice.item, **chosen)
    # A model that is asked never gets the right answer; what a judge gets besides comes from no item.
    values = {name: value for name, value in item.values.items() if name != "answer"}
    missing = [name for name in body.variables if name not in values]
    if missing:
        raise PromptItemMissing(names=missing)
    messages = prompts.render(body, values, picture=choice.picture)
    sends_picture = has_picture(messages)
    if sends_picture:
        rendition_of(item.image_id)
    price = price_of(choice.server, choice.model)
    estimate = Decimal(0)
    if price is not None:
        request = request_body(messages, choice.model, choice.max_tokens, settings.MODEL_SERVERS[choice.server])
        estimate = price.highest_cost(request, choice.max_tokens, int(sends_picture))
    return Prepared(messages, item.image_id if sends_picture else None, price, estimate)


def request_body(
    messages: tuple[prompts.Message, ...], model: str, max_tokens: int, server: ModelServer
) -> dict[str, Any]:
    """The body that is kept of a request, with the SHA-256 of no picture: its length is that of any."""
    if not has_picture(messages):
        return text.body_of(prompts.text_request(messages, max_tokens=max_tokens), model, server)
    decoding = Decoding(temperature=TEMPERATURE, max_tokens=max_tokens)
    return body_of(messages, decoding, model=model, server=server, address=lambda _: EMPTY_DIGEST)


def rendition_of(image_id: int | None) -> Rendition:
    """The file of a picture that is sent: at most 1600 px, without metadata.

    Raises:
        PictureNotSendable: The picture was withdrawn, nobody has looked at it yet, or it has no such file.
    """
    files = Rendition.objects.filter(current_renditions(), role=Rendition.Role.VIEW).select_related("image")
    rendition = files.filter(image_id=image_id).first() if image_id is not None else None
    if rendition is None or rendition.image.state == Image.State.WITHDRAWN or rendition.image.tick == "unticked":
        raise PictureNotSendable
    return rendition


def answer_price(person: Person, benchmark_slug: str, **choice: Any) -> AnswerPrice:
    """Tell what sending a prompt costs at most; nothing is sent.

    Raises:
        NotFound, OperationNotAllowed, and what :func:`prepare` raises.
    """
    benchmark = benchmark_for(person, benchmark_slug, "answer_price")
    prepared = prepare(person, benchmark, PromptChoice(**choice), "answer_price")
    left = budget_left(benchmark, prepared.price)
    return {
        "estimate": amount(prepared.estimate),
        "currency": prepared.price.currency if prepared.price else None,
        "left": None if left is None else amount(left),
        "covered": prepared.price is None or (left is not None and prepared.estimate <= left),
        "picture": prepared.image_id is not None,
        "worker_alive": last_seen(SERVERS)["alive"],
    }


def open_trials(person: Person) -> int:
    """How many replies a person waits for, in all benchmarks."""
    return Job.objects.filter(queue=SERVERS, task=TRY, actor_id=person.pk, state__in=_OPEN).count()


def trial_answer(person: Person, trial_id: int) -> TrialAnswer:
    """A prompt that was sent, and what came back.

    Raises:
        NotFound, OperationNotAllowed.
    """
    trial = Trial.objects.select_related("job", "call").filter(pk=trial_id).first()
    if trial is None:
        raise NotFound
    require(person, trial.benchmark_id, "answer_show")
    return _answer(trial)


def requested_trial(person: Person, trial: Trial) -> TrialAnswer:
    """A trial that was just requested."""
    return _answer(trial)


def _answer(trial: Trial) -> TrialAnswer:
    is_open = trial.job.state in _OPEN
    waits = is_open and trial.call is not None and trial.call.state == Call.State.SENT
    return {
        "id": trial.pk,
        "server": trial.job.args["server"],
        "model": trial.job.args["model"],
        "state": trial.job.state,
        "error_code": trial.job.error_code or None,
        "error_params": trial.job.error_params,
        "limited_until": trial.limited_since + LONGEST_WAIT if trial.limited_since and is_open else None,
        "waits_until": trial.call.held_until if waits and trial.call else None,
        "unknown_calls": _unknown_calls(trial),
        "worker_alive": last_seen(SERVERS)["alive"],
        "created_at": trial.created_at,
        "reply": _reply(trial),
    }


def _unknown_calls(trial: Trial) -> list[int]:
    """The calls that the benchmark made in vain for this trial: each counts as paid, and the prompt was sent again."""
    if trial.call is None:
        return []
    equal = {"request_sha256": trial.call.request_sha256, "sample": trial.call.sample}
    in_vain = Call.objects.filter(benchmark_id=trial.benchmark_id, state=Call.State.UNKNOWN, **equal)
    return list(in_vain.filter(settled_at__gte=trial.created_at).order_by("pk").values_list("pk", flat=True))


def _reply(trial: Trial) -> TrialReply | None:
    call = trial.call
    if call is None or call.state not in _REPLIED:
        return None
    # Of a reply that another benchmark paid for, nothing else of that benchmark is shown.
    is_own = call.benchmark_id == trial.benchmark_id
    return {
        "call_id": call.pk if is_own else None,
        "state": call.state,
        "text": call.reply,
        "finish": call.finish,
        "served_model": call.served_model,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost": amount(call.cost) if is_own and call.cost is not None else None,
        "cost_is_estimate": is_own and call.has_estimated_cost,
        "currency": call.price["currency"] if is_own and call.price else None,
        "ms": call.ms if is_own else None,
        "paid_before": not is_own or call.sent_at < trial.created_at,
    }
