"""Why a run cannot be started or cannot go on."""

from curation.core.errors import DomainError


class PictureStoreUnreachable(DomainError):
    """The storage of all pictures is away, so no single picture is to blame."""

    status = 503
    detail = "The store with the pictures cannot be read on the machine of the worker."


class SystemNotForSuite(DomainError):
    """The system lacks the suite's capability, or is unknown here."""

    status = 409
    detail = "The system {system} cannot be asked for the suite {suite}."


class SuiteNotForRelease(DomainError):
    """The suite reads another kind of work than the release contains."""

    status = 409
    detail = "The suite {suite} does not read {kind}."


class RunSettingUnknown(DomainError):
    """The suite or the set has no such way to ask."""

    status = 422
    detail = "{suite} is not asked by {name} = {value}; there are {allowed}."


class RunPromptMissing(DomainError):
    """A prompt of the setting has no text in the language, or no such version."""

    status = 422
    detail = "The prompt {prompt} has no text in {language} with this number; there are {allowed}."


class RunVariableMissing(DomainError):
    """A question of the set has no value that a prompt of the setting needs."""

    status = 422
    detail = "The question {key} has no {variable}, which the prompt {prompt} needs."


class NothingToAsk(DomainError):
    """The set has no question of the types that the setting asks."""

    status = 422
    detail = "The set has no question that the setting {setting} asks."


class NothingToRetry(DomainError):
    """Nothing of the run failed, or it is being retried already."""

    status = 409
    detail = "Nothing of this run has failed."
