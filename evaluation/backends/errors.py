"""Why a system's files cannot be had or cannot be run, and why a model server cannot be asked."""

from __future__ import annotations

from curation.core.errors import DomainError


class BackendFilesUnfit(DomainError):
    """The folder holds no model that the backend can run."""

    status = 422
    detail = "{folder} cannot be run by the backend: {reason}."


class HubUnreachable(DomainError):
    """Nobody answers, or something else than a model hub does."""

    status = 503
    detail = "The model hub at {hub} cannot be reached or does not answer as one: {reason}."


class HubNotFound(DomainError):
    """The hub knows no such repository, or no such revision of it, or keeps it from us."""

    status = 404
    detail = "The model hub shows us no {hub_id} at revision {revision}."


class HubGated(DomainError):
    """Its makers ask for an agreement first."""

    status = 403
    detail = "The makers of {hub_id} let in only who agreed to their terms: agree on the hub, and set HF_TOKEN."


class HubNoWeights(DomainError):
    """Weights come as pickles only; reading a pickle can run anything."""

    status = 422
    detail = "{hub_id} at {revision} holds no weights in safetensors; pickled ones ({pickles}) are not read."


class HubFileAltered(DomainError):
    """What came is not what the hub announced."""

    status = 502
    detail = "{file} came with another content than the hub announced ({expected}); it was thrown away."


class ModelStoreFull(DomainError):
    """No room for the files."""

    status = 507
    detail = "The models' folder has {free} bytes left, {needed} are needed."


class NoInputsFault(Exception):
    """Mixed into errors that no single input can be to blame for: the run stops instead of looking for it."""


class ModelServerUnknown(NoInputsFault, DomainError):
    """Nobody set up a server of that name, or no longer."""

    status = 422
    detail = "No model server {server} is set up on this site."


class ModelServerUnreachable(DomainError):
    """It does not answer, or answers that it cannot now, and goes on so after all repeats."""

    status = 503
    detail = "The model server {server} does not answer: {reason}"


class ModelServerRefused(NoInputsFault, DomainError):
    """It wants another key."""

    status = 502
    detail = "The model server {server} refuses our key ({status})."


class ModelNotServed(NoInputsFault, DomainError):
    """The server serves other models, or several where none was named."""

    status = 404
    detail = "The model server {server} does not serve {model}. It says: {served}"


class ModelServerAnswerUnfit(NoInputsFault, DomainError):
    """What it answers is of another form than the kind of server is known for, or another length than before."""

    status = 502
    detail = "The model server {server} answers in a form that cannot be used: {reason}"


class ModelServerChanged(NoInputsFault, DomainError):
    """It serves something else than what was added, so what it answers would be another system's."""

    status = 409
    detail = "The model server {server} no longer serves what was added: {changes}"


class SystemRefusedInput(DomainError):
    """The system does not take this one input."""

    status = 422
    detail = "{reason}"


class InputTooLong(SystemRefusedInput):
    """It is longer than the model reads."""


class InputUndecodable(SystemRefusedInput):
    """The system cannot read it as a picture or a text."""


def clipped(words: str, most: int) -> str:
    """Words on one line of at most so many characters, cut between two words where there are any."""
    line = " ".join(words.split())
    if len(line) <= most:
        return line
    head = line[: most - 1]
    end = head.rfind(" ")
    return (head[:end] if end > most // 2 else head).rstrip(" ,;:(") + "…"
