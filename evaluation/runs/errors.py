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


class RunPromptWithoutExamples(DomainError):
    """No version of a prompt of the setting has a text for examples."""

    status = 422
    detail = "The prompt {prompt} has no text for examples in {language}, so that {setting} takes none."


class RunExamplesUnfit(DomainError):
    """Examples are to be drawn from no set of files of the same suite that was read."""

    status = 422
    detail = "Examples come from another set of files for {suite} that was read."


class RunExamplesTooFew(DomainError):
    """The set has too few questions that may be examples: answered in text, about no picture that is asked."""

    status = 409
    detail = "{shots} examples {group} are needed; the set has {available} about other pictures than the questions'."


class RunVariableMissing(DomainError):
    """A question of the set has no value that a prompt of the setting needs."""

    status = 422
    detail = "The question {key} has no {variable}, which the prompt {prompt} needs."


class NothingToRetry(DomainError):
    """Nothing of the run failed, or it is being retried already."""

    status = 409
    detail = "Nothing of this run has failed."


class SystemGivesNoLogProbabilities(DomainError):
    """Candidates are to be ranked, and the system or its server only replies with text."""

    status = 409
    detail = "The system {system} gives no log-probabilities, by which {setting} ranks candidates."


class RunNeedsPicture(DomainError):
    """Options are compared with the picture, and none is to be sent."""

    status = 409
    detail = "{system} compares options with the picture, so that it cannot answer without one."


class RunNeedsWorker(DomainError):
    """No worker is alive that could carry out the run."""

    status = 409
    detail = "No worker of the queue {queue} is running."


class RunNeedsBudget(DomainError):
    """Replies cost money, and the benchmark has no budget in the currency of their price."""

    status = 409
    detail = "Replies of {system} cost {currency}, in which this benchmark has no budget."


class RunOverBudget(DomainError):
    """The run may cost more than the budget has left, after the cells before it."""

    status = 409
    detail = "The run may cost up to {estimate} {currency}, which the {left} {currency} left do not cover."


class RunAsksNothing(DomainError):
    """No question of the set is asked in the setting."""

    status = 409
    detail = "The set has no questions that {setting} asks."


class RunCellRepeats(DomainError):
    """Another cell of the grid asks the same questions in the same way."""

    status = 409
    detail = "Another cell asks the same in the same way."


class RunStartTooLarge(DomainError):
    """With the cells before it, the run would ask more questions than one start may."""

    status = 409
    detail = "One start asks at most {maximum} questions."


class GridTooLarge(DomainError):
    """The grid has more cells than allowed."""

    status = 422
    detail = "A grid has at most {maximum} cells; this one has {cells}."


class NothingToStart(DomainError):
    """No cell of the grid can be started."""

    status = 409
    detail = "None of the {cells} cells can be started: {reasons}."
