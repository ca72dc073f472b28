"""Errors of calls to models."""

from __future__ import annotations

from curation.core.errors import DomainError


class NoBudget(DomainError):
    """The benchmark has no budget in the price's currency, or what is left does not cover the call's highest cost."""

    status = 409
    detail = "No budget covers this call, which costs at most {estimate} {currency}."


class ModelNotOffered(DomainError):
    """The site's owner has not offered the model, or its server is no longer set up."""

    status = 409
    detail = "The model {model} on {server} is not offered for calls."


class ServerNotConfigured(DomainError):
    """The environment names no such model server."""

    status = 422
    detail = "No model server {server} is configured on this site."


class CurrencyFixed(DomainError):
    """The budget's currency cannot change, because money was spent or is reserved in it."""

    status = 409
    detail = "Money was already spent in {currency}, so the budget stays in it."


class CallWaits(DomainError):
    """The server limits the rate of requests or cannot be reached; nothing was paid. The call can be repeated later."""

    status = 503
    detail = "The model server {server} takes no requests at the moment: {reason}"


class CallFailed(DomainError):
    """The server answered with an error; nothing was paid."""

    status = 502
    detail = "The model server {server} refuses the request ({status}): {reason}"


class CallInDoubt(DomainError):
    """The request was sent and no usable reply came back. It counts as paid, because the server may bill it."""

    status = 502
    detail = "No usable reply came from the model server {server}: {reason}"


class ReplyUnfit(DomainError):
    """The reply does not have the requested form, and neither does that of another sample."""

    status = 502
    detail = "The replies of {model} do not have the requested form."
