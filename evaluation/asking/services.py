"""Asking models on servers with pictures, through the ledger, and trying a prompt on one."""

from __future__ import annotations

import hashlib
import io
import re
import threading
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from PIL import Image

from curation.calls import services as calls
from curation.calls.errors import CallFailed, CallLimited, NoBudget
from curation.calls.models import Call
from curation.calls.queries import amount, budget_left, price_of
from curation.calls.services import CallRequest, ask_text, pay
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.stores import store
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.prompts.queries import Key
from curation.prompts.rules import Message, Picture, text_request
from curation.prompts.services import stored_prompt
from curation.wire.gate import LONGEST_PAUSE
from curation.wire.replies import Reply
from evaluation.asking import queries, rules
from evaluation.asking.errors import PictureNotSendable, TooManyTrials
from evaluation.asking.models import Trial
from evaluation.backends.asks import Ask, Cost, Decoding, Generator
from evaluation.backends.chat_requests import ChatRequest, Paid
from evaluation.backends.errors import ModelReadsNoPictures
from evaluation.backends.registry import SERVERS, open_chat

_PURPOSE: Final = "try"
# Seconds that a worker waits by itself. It does nothing else in that time, and the page does not say what it waits for.
_SHORT_PAUSE: Final = 5.0

_PROBE: Final = "probe"
_COLOUR_QUESTION: Final = "Which colour is the picture? Answer with one English word."
_COLOUR: Final = re.compile(r"\bred\b|红|紅", re.IGNORECASE)
# Statuses with which servers refuse a picture: malformed, no such model for it, too large, unsupported, unfit.
_REFUSES_PICTURES: Final = (400, 404, 413, 415, 422)


def open_generator(
    server: str,
    model: str,
    *,
    benchmark_id: int,
    purpose: str,
    take: str = "",
    actor_id: int | None = None,
    prompt_id: int | None = None,
    longest_pause: float = LONGEST_PAUSE,
    on_call: Callable[[Call], None] = lambda _: None,
    on_settled: Callable[[Call], None] = lambda _: None,
    on_wait: Callable[[Call], None] = lambda _: None,
) -> Generator:
    """Open an offered model on a server; each of its requests is a call that the benchmark pays.

    Use it outside of a transaction, as :func:`curation.calls.services.pay`, whose errors its replies raise.

    Args:
        server: The server's name.
        model: The model's name on it.
        benchmark_id: The benchmark that pays.
        purpose: The room that asks.
        take: Another take asks again what has a reply already.
        actor_id: The person who asks; None for the application itself.
        prompt_id: The prompt that the requests are made from.
        longest_pause: Seconds; a server that asks for a longer one raises CallLimited at once.
        on_call: Receives the call of each reply, whether it was sent now or before.
        on_settled: Receives each call that was sent now, also those without a usable reply. Both are called from the
            thread that asked.
        on_wait: See :func:`curation.calls.services.ledger.pay`; called from the thread that asked.

    Raises:
        ModelNotOffered: The owner has not offered the model, or its server is no longer set up.
    """
    price_of(server, model)
    opened_by = threading.get_ident()

    def paid(request: ChatRequest, send: Callable[[Callable[[float], None]], Reply]) -> Paid:
        try:
            call = pay(
                CallRequest(
                    benchmark_id=benchmark_id,
                    purpose=purpose,
                    server=server,
                    model=model,
                    request=request.kept,
                    # The price when it is sent: a file of questions is answered for hours.
                    price=price_of(server, model),
                    max_tokens=request.max_tokens,
                    take=take,
                    pictures=request.pictures,
                    actor_id=actor_id,
                    prompt_id=prompt_id,
                ),
                send,
                on_settled,
                on_wait,
            )
            on_call(call)
        finally:
            if threading.get_ident() != opened_by:
                connection.close()  # of a thread that ends without Django knowing
        return Paid(_reply(call), _cost(call))

    return open_chat(
        settings.MODEL_SERVERS[server],
        model,
        paid,
        parallel=settings.MODEL_SERVER_REQUESTS_AT_ONCE,
        seconds=settings.MODEL_SERVER_SECONDS,
        longest_pause=longest_pause,
    )


def probe_pictures(
    server: str, model: str, *, benchmark_id: int, on_settled: Callable[[Call], None] = lambda _: None
) -> None:
    """Check that an offered model reads pictures, before questions about pictures are paid for.

    Two calls: a question alone, and with a picture in one colour. Some servers drop pictures without an error; then
    both requests have the same number of tokens, and the reply does not name the colour. The ledger keeps both replies
    for the day (UTC): a server can begin or cease to drop pictures.

    Raises:
        ModelReadsNoPictures: It replies to the text, and the server refuses the picture or drops it.
        ModelNotOffered, NoBudget, CallWaits, CallFailed, CallInDoubt: There is no reply to the text.
    """
    today = f"{jobs.database_now():%Y-%m-%d}"
    generator = open_generator(
        server, model, benchmark_id=benchmark_id, purpose=_PROBE, take=today, on_settled=on_settled
    )
    alone = Ask((Message("user", (_COLOUR_QUESTION,)),))
    pictured = Ask((Message("user", (Picture(), _COLOUR_QUESTION)),), Image.new("RGB", (224, 224), "red"))
    # Enough for models that think before they reply.
    decoding = Decoding(max_tokens=512)
    (without,) = generator.generate([alone], decoding)
    try:
        (reply,) = generator.generate([pictured], decoding)
    except CallFailed as error:
        if error.params.get("status") not in _REFUSES_PICTURES:
            raise
        raise ModelReadsNoPictures(model=model) from error
    # Equal too where the server counts no tokens at all: then the colour alone shows that it reads pictures.
    if reply.tokens_in == without.tokens_in and not _COLOUR.search(reply.text):
        raise ModelReadsNoPictures(model=model)


def _cost(call: Call) -> Cost | None:
    return Cost(call.cost, call.price["currency"]) if call.cost is not None and call.price else None


def _reply(call: Call) -> Reply:
    return Reply(
        text=call.reply or "",
        refused=call.state == Call.State.REFUSED,
        finish=call.finish,
        served_model=call.served_model,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        sends=call.tries,
        ms=call.ms or 0,
    )


# --- Trying a prompt --------------------------------------------------------------------------------------------------


@transaction.atomic
def request_trial(*, actor: Person, benchmark_slug: str, client_key: UUID, **choice: Any) -> Trial:
    """Have a worker of the queue ``served`` send a prompt with an item's values to a model.

    The same prompt, values and model again are the same call, which is not paid again.

    Args:
        actor: The person who tries it.
        benchmark_slug: The benchmark, which pays.
        client_key: The command's key; a repeat finds the same trial.
        choice: The fields of :class:`evaluation.asking.queries.PromptChoice`.

    Raises:
        TooManyTrials: The person waits for as many replies as one may.
        NoBudget: No budget covers the highest cost. The ledger checks it again when the request is sent.
        NotFound, OperationNotAllowed, ClientKeyReused, and what :func:`evaluation.asking.queries.prepare` raises.
    """
    reached = benchmark_for(actor, benchmark_slug, "answer_try")
    # A person's requests run one after the other: those with one key, and those that count towards the limit.
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=actor.pk)
    chosen = queries.PromptChoice(**choice)
    decision = Decision(
        actor_id=actor.pk,
        action="answer_try",
        client_key=client_key,
        benchmark_id=reached.pk,
        label=f"{chosen.name} {chosen.no}"[:64],
    )
    same = {"prompt": chosen.name, "language": chosen.language, "no": chosen.no, "item": chosen.item}
    same |= {"server": chosen.server, "model": chosen.model, "max_tokens": chosen.max_tokens, "picture": chosen.picture}
    same |= {"part": chosen.part, "side": chosen.side}
    same |= {"text": "" if chosen.text is None else hashlib.sha256(chosen.text.encode()).hexdigest()}
    if earlier := decision.earlier(**same):
        return Trial.objects.select_related("job", "call").get(pk=earlier.target_id)
    if (waiting := queries.open_trials(actor)) >= rules.MOST_OPEN:
        raise TooManyTrials(open=waiting, maximum=rules.MOST_OPEN)
    prepared = queries.prepare(actor, reached, chosen, "answer_try")
    left = budget_left(reached, prepared.price)
    if prepared.price is not None and (left is None or prepared.estimate > left):
        raise NoBudget(estimate=amount(prepared.estimate), currency=prepared.price.currency)
    version = Key(chosen.name, chosen.language, chosen.no)
    job = jobs.enqueue(
        task=queries.TRY,
        args={
            "server": chosen.server,
            "model": chosen.model,
            "max_tokens": chosen.max_tokens,
            "messages": rules.to_json(prepared.messages),
            "image_id": prepared.image_id,
            # A changed text has no row until someone adds it.
            "prompt_id": stored_prompt(reached, version).pk if chosen.text is None else None,
        },
        dedupe_key=f"try {actor.pk} {client_key}",
        queue=SERVERS,
        benchmark_id=reached.pk,
        actor_id=actor.pk,
    )
    decision.row = trial = Trial.objects.create(benchmark=reached, actor=actor, job=job)
    decision.record(**same)
    return trial


def is_due(job_id: int) -> bool:
    """Whether the trial of a job is to be sent now; one that its server limits waits for its next try."""
    return calls.is_due(Trial.objects.filter(job_id=job_id))


def run_trial(lease: jobs.Lease) -> None:
    """Send the prompt of a trial and keep which call answered it; a job's handler.

    Raises:
        Postponed: The server limits requests: it is sent again later.
        PictureNotSendable: The picture was withdrawn meanwhile.
        CallLimited: The server limited requests for :data:`curation.calls.rules.LONGEST_WAIT`, or asks for a longer
            pause.
        ModelNotOffered, NoBudget, CallWaits, CallFailed, CallInDoubt: There is no reply.
    """
    trial = Trial.objects.get(job=lease.job)
    try:
        call = _send(trial, lease.args)
    except CallLimited as error:
        calls.postpone(trial, error)
    Trial.objects.filter(pk=trial.pk).update(call=call)


def _send(trial: Trial, args: dict[str, Any]) -> Call:
    messages, max_tokens = rules.from_json(args["messages"]), args["max_tokens"]
    facts = {
        "benchmark_id": trial.benchmark_id,
        "purpose": _PURPOSE,
        "actor_id": trial.actor_id,
        "prompt_id": args["prompt_id"],
        "server": args["server"],
        "model": args["model"],
        "longest_pause": _SHORT_PAUSE,
        # The page says what the worker waits for: after a kill that is the trial's own call, until it counts as lost.
        "on_wait": lambda call: Trial.objects.filter(pk=trial.pk).update(call=call),
    }
    if not rules.has_picture(messages):
        return ask_text(text_request(messages, max_tokens=max_tokens), **facts)
    calls: list[Call] = []
    ask = Ask(messages, _picture(args["image_id"]))
    decoding = Decoding(temperature=queries.TEMPERATURE, max_tokens=max_tokens)
    open_generator(**facts, on_call=calls.append).generate([ask], decoding)
    return calls[0]


def _picture(image_id: int) -> Image.Image:
    content = store().read(queries.rendition_of(image_id).key)
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureNotSendable from error
