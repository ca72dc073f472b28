"""Errors of calls to models."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from curation.core.errors import DomainError
from curation.wire import errors as wire


class NoBudget(DomainError):
    """The benchmark has no budget in the price's currency, or what is left does not cover the call's highest cost."""

    status = 409
    detail = "No budget covers this call, which costs at most {estimate} {currency}."


class ModelNotOffered(DomainError):
    """The site's owner has not offered the model, or its server is no longer set up."""

    status = 409
    detail = "The model {model} on {server} is not offered for calls."


class ModelServerUnknown(DomainError):
    """The environment names no such model server, or no longer."""

    status = 422
    detail = "No model server {server} is configured on this site."


class CurrencyFixed(DomainError):
    """The budget's currency cannot change, because money was spent or is reserved in it."""

    status = 409
    detail = "Money was already spent in {currency}, so the budget stays in it."


class CallWaits(DomainError):
    """The server takes no requests; nothing was paid. The call can be repeated later, and no attempt counts."""

    status = 503
    detail = "The model server {server} takes no requests at the moment: {reason}"


class CallLimited(CallWaits):
    """The server refused every send because of its rate limit, or asks for a long pause.

    ``params["seconds"]``: the pause that it asks for; 0 if it does not say.
    """

    detail = "The model server {server} limits the rate of requests: {reason}"


class CallNotConnected(CallWaits):
    """No connection to the server could be made."""

    detail = "The model server {server} cannot be reached: {reason}"


class CallFailed(DomainError):
    """The server answered with an error; nothing was paid."""

    status = 502
    detail = "The model server {server} refuses the request ({status}): {reason}"


class CallRedirected(CallFailed):
    """The server sends requests to another address, which is not followed: texts and keys stay with this server."""

    detail = "The model server {server} redirects to another address ({status}), which is not followed."


class CallKeyRejected(CallFailed):
    """The server does not accept its key, or the key may not use the model."""

    detail = "The model server {server} rejects its key ({status})."


class CallInDoubt(DomainError):
    """The request was sent and no usable reply came back. It counts as paid, because the server may bill it."""

    status = 502
    detail = "The connection to the model server {server} broke before its reply was complete: {reason}"


class CallTimedOut(CallInDoubt):
    """The whole reply did not arrive within the time-out."""

    detail = "The model server {server} did not finish its reply in time."


class CallReplyTooLarge(CallInDoubt):
    """The reply has more bytes than are read."""

    detail = "The reply of the model server {server} is too large: {reason}"


class CallReplyUnreadable(CallInDoubt):
    """The reply is no JSON, or compressed."""

    detail = "The reply of the model server {server} cannot be read: {reason}"


class CallReplyMalformed(CallInDoubt):
    """The reply is JSON of another form than documented."""

    detail = "The reply of the model server {server} does not have the documented form: {reason}"


class ReplyUnfit(DomainError):
    """The reply does not have the requested form, and neither does that of another sample."""

    status = 502
    detail = "The replies of {model} do not have the requested form."


_KEY_REJECTED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
# The first that fits: narrow ones before wide ones.
_ERRORS: Final[tuple[tuple[type[wire.RequestFailed], type[DomainError]], ...]] = (
    (wire.Limited, CallLimited),
    (wire.NotConnected, CallNotConnected),
    (wire.TimedOut, CallTimedOut),
    (wire.ReplyTooLarge, CallReplyTooLarge),
    (wire.ReplyMalformed, CallReplyMalformed),
    (wire.ReplyUnreadable, CallReplyUnreadable),
)


def error_of(failure: wire.RequestFailed) -> type[DomainError]:
    """The error that says how a request failed; its code is also that of the call's row."""
    if isinstance(failure, wire.Rejected):
        if failure.status in _KEY_REJECTED:
            return CallKeyRejected
        return CallRedirected if failure.status < HTTPStatus.BAD_REQUEST else CallFailed
    return next((error for kind, error in _ERRORS if isinstance(failure, kind)), CallInDoubt)
