"""Calls to models: what may be called at which price, what a benchmark may spend, and a row for each call."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length, Now
from django.db.models.lookups import Exact

from curation.benchmarks.models import Benchmark
from curation.calls.rules import MOST_PER_MILLION, MOST_PER_PICTURE
from curation.core.models import AppendOnly
from curation.people.models import Person
from curation.prompts.models import Prompt


class Offer(AppendOnly):
    """A model that may be called, with its price, as the site's owner added it; of one model the newest row counts.

    Prices are per million tokens and per picture; all zero: calls cost nothing and need no budget. ``withdrawn``: from
    this row on the model may not be called.
    """

    server = models.CharField(max_length=32)
    model = models.CharField(max_length=200)
    currency = models.CharField(max_length=3)
    million_in = models.DecimalField(max_digits=15, decimal_places=6)
    million_out = models.DecimalField(max_digits=15, decimal_places=6)
    per_picture = models.DecimalField(max_digits=15, decimal_places=6)
    withdrawn = models.BooleanField(default=False, db_default=False)
    added_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    million_in__gte=0,
                    million_out__gte=0,
                    per_picture__gte=0,
                    million_in__lte=MOST_PER_MILLION,
                    million_out__lte=MOST_PER_MILLION,
                    per_picture__lte=MOST_PER_PICTURE,
                ),
                name="offer_price",
            ),
            models.CheckConstraint(condition=Q(currency__regex="^[A-Z]{3}$"), name="offer_currency"),
        ]
        indexes = [models.Index(fields=["server", "model", "-id"], name="offer_newest")]


class Budget(models.Model):
    """What a benchmark may spend on calls. ``spent`` and ``reserved`` are written by the trigger of :class:`Call`."""

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, primary_key=True, related_name="budget")
    currency = models.CharField(max_length=3)
    ceiling = models.DecimalField(max_digits=14, decimal_places=4)
    spent = models.DecimalField(max_digits=20, decimal_places=8, default=0, db_default=0)
    reserved = models.DecimalField(max_digits=20, decimal_places=8, default=0, db_default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ceiling__gte=0, spent__gte=0, reserved__gte=0), name="budget_amounts"),
            models.CheckConstraint(condition=Q(currency__regex="^[A-Z]{3}$"), name="budget_currency"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="written_by_calls",
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    if tg_op = 'DELETE' then
                        raise exception using errcode = 'restrict_violation', message = 'budgets are kept';
                    elsif pg_trigger_depth() > 1 then
                        return new;
                    elsif tg_op = 'INSERT' and (new.spent <> 0 or new.reserved <> 0) then
                        raise exception using errcode = 'restrict_violation',
                            message = 'a new budget has nothing spent';
                    elsif tg_op = 'UPDATE' and (
                        row(new.benchmark_id, new.spent, new.reserved)
                            is distinct from row(old.benchmark_id, old.spent, old.reserved)
                        or (new.currency <> old.currency and old.spent + old.reserved > 0)
                    ) then
                        raise exception using errcode = 'restrict_violation',
                            message = 'what is spent and reserved follows from calls';
                    end if;
                    return new;
                """,
            )
        ]


#: The SQLSTATE with which the trigger refuses a call that the budget does not cover.
NO_BUDGET = "LB001"

_MONEY = pgtrigger.Trigger(
    name="money",
    operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
    # After, because a row that "on conflict do nothing" drops would have reserved money in a trigger before.
    when=pgtrigger.After,
    func=f"""
        if tg_op = 'INSERT' then
            if new.state <> 'sent' then
                raise exception using errcode = 'check_violation', message = 'a call begins as sent';
            end if;
            if new.estimate > 0 then
                update curation_budget set reserved = reserved + new.estimate
                where benchmark_id = new.benchmark_id and currency = new.price->>'currency'
                    and spent + reserved + new.estimate <= ceiling;
                if not found then
                    raise exception using errcode = '{NO_BUDGET}', message = 'no budget covers the call';
                end if;
            end if;
        elsif tg_op = 'UPDATE' then
            if old.state <> 'sent' then
                raise exception using errcode = 'restrict_violation', message = format('call %s is settled', old.id);
            end if;
            if row(new.id, new.benchmark_id, new.purpose, new.actor_id, new.prompt_id, new.request_sha256, new.sample,
                   new.request, new.estimate, new.price, new.server, new.model, new.sent_at)
                is distinct from
               row(old.id, old.benchmark_id, old.purpose, old.actor_id, old.prompt_id, old.request_sha256, old.sample,
                   old.request, old.estimate, old.price, old.server, old.model, old.sent_at)
            then
                raise exception using errcode = 'restrict_violation', message = 'what was sent stays';
            end if;
            if new.state <> 'sent' and (old.estimate > 0 or new.cost > 0) then
                update curation_budget set reserved = reserved - old.estimate, spent = spent + new.cost
                where benchmark_id = new.benchmark_id;
            end if;
            if new.state <> 'sent' then
                insert into curation_calltotal as total
                    (benchmark_id, server, model, state, calls, tokens_in, tokens_out, cost)
                values (new.benchmark_id, new.server, new.model, new.state, 1,
                        coalesce(new.tokens_in, 0), coalesce(new.tokens_out, 0), new.cost)
                on conflict (benchmark_id, server, model, state) do update set
                    calls = total.calls + 1,
                    tokens_in = total.tokens_in + excluded.tokens_in,
                    tokens_out = total.tokens_out + excluded.tokens_out,
                    cost = total.cost + excluded.cost;
            end if;
        else
            raise exception using errcode = 'restrict_violation', message = 'calls are kept';
        end if;
        return new;
    """,  # noqa: S608  (a constant of this module)
)


class Call(models.Model):
    """A request to a model: the cache of its reply, the bill and the proof of what was sent.

    Attributes:
        purpose: What asked: a room's name.
        request: What was sent, rendered; a picture as its SHA-256.
        request_sha256: See :func:`curation.calls.rules.digest`.
        sample: Tells apart the replies to one request, of which several are wanted.
        state: ``sent`` until the holder settles it. ``answered`` and ``refused`` (by a content filter) are final and
            never paid again; ``failed`` cost nothing; ``unknown``: no reply came, and it may have been billed.
        holder: Who waits for the reply. After ``held_until`` whoever wants the same sets the row to ``unknown``.
        tries: How often the request was sent; at least that often if its holder was killed.
        price: The price when it was sent; None: it cost nothing.
        estimate: The most that it can cost, reserved while it is ``sent``.
        cost: What was booked; see :attr:`has_estimated_cost`.
        tokens_in, tokens_out: What the server says that it used; None if it does not, or if that cannot be true.
        prompt: The version that a person tried; None for a changed text, and for answers to a file of questions.
    """

    class State(models.TextChoices):
        """The states of a call."""

        SENT = "sent"
        ANSWERED = "answered"
        REFUSED = "refused"
        FAILED = "failed"
        UNKNOWN = "unknown"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="calls", db_index=False)
    purpose = models.CharField(max_length=12)
    actor = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    server = models.CharField(max_length=32)
    model = models.CharField(max_length=200)
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    request_sha256 = models.BinaryField(max_length=32)
    sample = models.PositiveSmallIntegerField(default=0)
    request = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.SENT)
    holder = models.CharField(max_length=160)
    held_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    reply = models.TextField(null=True)  # noqa: DJ001  (an empty reply is a reply)
    finish = models.CharField(max_length=24, blank=True, db_default="")
    served_model = models.CharField(max_length=200, blank=True, db_default="")
    code = models.CharField(max_length=48, blank=True, db_default="")
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    estimate = models.DecimalField(max_digits=18, decimal_places=8, default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=8, null=True)
    price = models.JSONField(null=True)
    ms = models.PositiveIntegerField(null=True)
    sent_at = models.DateTimeField(db_default=Now())
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["sent", "answered", "refused", "failed", "unknown"]), name="call_state"
            ),
            models.CheckConstraint(
                condition=Q(state="sent", settled_at=None, held_until__isnull=False)
                | (~Q(state="sent") & Q(settled_at__isnull=False, held_until=None, cost__isnull=False)),
                name="call_settled",
            ),
            models.CheckConstraint(
                condition=Q(state="answered", reply__isnull=False) | (~Q(state="answered") & Q(reply=None)),
                name="call_reply",
            ),
            models.CheckConstraint(condition=Q(estimate=0) | Q(estimate__gt=0, price__isnull=False), name="call_price"),
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="call_cost"),
            models.CheckConstraint(condition=Exact(Length("request_sha256"), 32), name="call_digest"),
            models.UniqueConstraint(
                fields=["request_sha256", "sample"],
                condition=Q(state__in=["sent", "answered", "refused"]),
                name="call_once",
            ),
        ]
        indexes = [
            models.Index(fields=["held_until"], condition=Q(state="sent"), name="call_lost"),
            models.Index(fields=["benchmark", "id"], name="call_of_benchmark"),
            # Each filter of the list: rare calls are found without reading those before them.
            models.Index(fields=["benchmark", "state", "id"], name="call_by_state"),
            models.Index(fields=["benchmark", "purpose", "id"], name="call_by_purpose"),
            models.Index(fields=["benchmark", "server", "model", "id"], name="call_by_model"),
        ]
        triggers = [_MONEY]

    @property
    def has_estimated_cost(self) -> bool:
        """Whether the highest cost was booked, because the server did not say believably what it used."""
        return bool(self.cost) and self.cost == self.estimate and (self.tokens_in is None or self.tokens_out is None)


class CallTotal(models.Model):
    """The settled calls of a benchmark to one model that ended in one state, summed by the trigger of :class:`Call`.

    So what was spent is read without the ledger, which grows with every call.
    """

    pk = models.CompositePrimaryKey("benchmark_id", "server", "model", "state")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="call_totals", db_index=False)
    server = models.CharField(max_length=32)
    model = models.CharField(max_length=200)
    state = models.CharField(max_length=8, choices=Call.State)
    calls = models.BigIntegerField()
    tokens_in = models.BigIntegerField()
    tokens_out = models.BigIntegerField()
    cost = models.DecimalField(max_digits=24, decimal_places=8)

    class Meta:
        triggers = [
            pgtrigger.Trigger(
                name="summed_from_calls",
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("total", "curation_calltotal%ROWTYPE"), ("counted", "record")],
                # The calls' own trigger adds to a total; any other statement may only write what the ledger sums up to.
                func="""
                    if tg_op <> 'DELETE' and pg_trigger_depth() > 1 then
                        return new;
                    end if;
                    total := coalesce(new, old);
                    select count(*) as calls, coalesce(sum(tokens_in), 0) as tokens_in,
                        coalesce(sum(tokens_out), 0) as tokens_out, coalesce(sum(cost), 0) as cost
                    into counted from curation_call
                    where benchmark_id = total.benchmark_id and server = total.server and model = total.model
                        and state = total.state and state <> 'sent';
                    if (counted.calls = 0) <> (tg_op = 'DELETE')
                        or (tg_op = 'UPDATE' and row(new.benchmark_id, new.server, new.model, new.state)
                            is distinct from row(old.benchmark_id, old.server, old.model, old.state))
                        or (tg_op <> 'DELETE' and row(new.calls, new.tokens_in, new.tokens_out, new.cost)
                            is distinct from row(counted.calls, counted.tokens_in, counted.tokens_out, counted.cost))
                    then
                        raise exception using errcode = 'restrict_violation', message = 'totals follow from calls';
                    end if;
                    return total;
                """,
            )
        ]
