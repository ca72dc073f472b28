"""Errors about the board."""

from curation.core.errors import DomainError


class BoardMissing(DomainError):
    """The protocol has no board."""

    status = 409
    detail = "The protocol of this benchmark has no board."


class BoardFrozen(DomainError):
    """The list is frozen; categories can only be added, and groups corrected."""

    status = 409
    detail = "The list is frozen; categories can only be added, and groups corrected."


class BoardUnfinished(DomainError):
    """Categories are undecided, have no name in a language, or none is kept."""

    status = 409
    detail = "{undecided} proposed categories are undecided, {unnamed} kept ones lack a name in a language."


class BoardNothingNew(DomainError):
    """No category was added and no group corrected since the list was frozen."""

    status = 409
    detail = "No category was added and no group corrected since version {version}."


class BoardDraftIncomplete(DomainError):
    """A person's proposals have faults, by row or by field."""

    status = 422
    detail = "The proposals have {count} faults."


class BoardAlreadySubmitted(DomainError):
    """The person submitted their proposals already."""

    status = 409
    detail = "You submitted your proposals already."


class BoardDraftOpen(DomainError):
    """The person has proposals of their own that they did not submit, and so does not see the others'."""

    status = 409
    detail = "Submit your own proposals, or delete them, before you see those of others."


class BoardNameTaken(DomainError):
    """Another proposed category of the field has the name."""

    status = 409
    detail = "The field has a category of this name already: {name} ({state})."


class BoardProposalsSeen(DomainError):
    """Curators see what others proposed, so what they propose afterwards would not be their own."""

    status = 409
    detail = "You see what others proposed; add a category with a reason instead of proposing it."


class BoardReasonMissing(DomainError):
    """The decision needs a reason."""

    status = 422
    detail = "Give a reason."


class BoardTargetUnknown(DomainError):
    """What a category is merged into is another one of its board that is proposed or kept."""

    status = 409
    detail = "Choose another category that is proposed or kept."


class BoardNameMissing(DomainError):
    """A name is needed in at least one language, or the same as before."""

    status = 422
    detail = "Give another name."


class BoardNamesIncomplete(DomainError):
    """The list is frozen; a category that is added needs its name in every language."""

    status = 422
    detail = "Give the name in every language."


class BoardFieldUnknown(DomainError):
    """Fields of an imported list, or of kept categories, are not on the board."""

    status = 422
    detail = "The board has no fields called {fields}; it has {known}."
