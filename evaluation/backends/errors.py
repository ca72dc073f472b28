"""Errors of backends: a system's files cannot be fetched or run, or a model server fails."""

from __future__ import annotations

from curation.core.errors import DomainError


class BackendFilesUnfit(DomainError):
    """The backend cannot run the folder's files."""

    status = 422
    detail = "{folder} cannot be run by the backend: {reason}."


class HubUnreachable(DomainError):
    """The address does not respond, or does not respond as a model hub."""

    status = 503
    detail = "The model hub at {hub} cannot be reached or does not answer as one: {reason}."


class HubNotFound(DomainError):
    """The hub has no such repository or revision, or hides it from us."""

    status = 404
    detail = "The model hub shows us no {hub_id} at revision {revision}."


class HubGated(DomainError):
    """The repository's authors require an agreement first."""

    status = 403
    detail = "The makers of {hub_id} let in only who agreed to their terms: agree on the hub, and set HF_TOKEN."


class HubNoWeights(DomainError):
    """The repository has only pickled weights; unpickling can run any code."""

    status = 422
    detail = "{hub_id} at {revision} holds no weights in safetensors; pickled ones ({pickles}) are not read."


class HubFileAltered(DomainError):
    """A downloaded file differs from what the hub announced."""

    status = 502
    detail = "{file} came with another content than the hub announced ({expected}); it was thrown away."


class NotCausedByInput(Exception):
    """Mixin of errors that no single input can cause: the run stops instead of searching for the input."""


class ModelTooLarge(NotCausedByInput, DomainError):
    """The weights and one prompt need more memory than is free; nothing was loaded."""

    status = 422
    detail = "{model} needs {needed} GB with one prompt, and {free} GB are free."


class ModelOutOfMemory(NotCausedByInput, DomainError):
    """The memory ran out with half of the planned batch or pass too, or with a single prompt."""

    status = 503
    detail = "The memory ran out while {model} processed {batch} replies of up to {tokens} tokens with their prompts."


class ModelReadsNoPictures(NotCausedByInput, DomainError):
    """A model for text alone is asked about a picture."""

    status = 422
    detail = "{model} reads texts only; ask it without pictures."


class ModelServerUnreachable(DomainError):
    """The server does not respond or reports that it is unavailable, also after all retries."""

    status = 503
    detail = "The model server {server} does not answer: {reason}"


class ModelServerRefused(NotCausedByInput, DomainError):
    """The server rejects the key."""

    status = 502
    detail = "The model server {server} refuses our key ({status})."


class ModelNotServed(NotCausedByInput, DomainError):
    """The server does not serve the model, or serves several and the system names none."""

    status = 404
    detail = "The model server {server} does not serve {model}. It says: {served}"


class ModelServerAnswerUnfit(NotCausedByInput, DomainError):
    """The response does not have the documented form, or the vectors have another length than before."""

    status = 502
    detail = "The model server {server} answers in a form that cannot be used: {reason}"


class ModelServerChanged(NotCausedByInput, DomainError):
    """The server serves another model than before, so its answers would be another system's."""

    status = 409
    detail = "The model server {server} no longer serves the same model: {changes}"


class RouteDiffers(NotCausedByInput, DomainError):
    """The fast way to compute likelihoods gives other results for a loaded model than plain passes."""

    status = 422
    detail = "{model} gives other likelihoods by the route {route} than by plain passes: {difference} nats apart."


class NoLogprobs(NotCausedByInput, DomainError):
    """The server does not say how probable a given reply is."""

    status = 422
    detail = "The model server {server} gives no log-probabilities of given replies: {reason}"


class TokenizerNeeded(NotCausedByInput, DomainError):
    """The server ranks replies by their tokens, and the record names no folder of the model's tokenizer."""

    status = 422
    detail = "The model server {server} is an SGLang: to rank, the record needs the model's tokenizer under parameters."


class SystemRefusedInput(DomainError):
    """The system rejects this one input."""

    status = 422
    detail = "{reason}"


class InputTooLong(SystemRefusedInput):
    """The input is longer than the model accepts."""


class InputUndecodable(SystemRefusedInput):
    """The system cannot decode the input as a picture or a text."""


def is_of_template(error: Exception) -> bool:
    """Whether a chat template or a processor refuses messages: templates raise what their language has for it."""
    return isinstance(error, ValueError | TypeError) or type(error).__module__.startswith("jinja2.")
