"""The permission check before every view: the person is signed in, and a role of theirs opens the operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from curation.core.errors import NotFound, NotSignedIn, OperationNotAllowed
from curation.core.operations import OPERATIONS, Entry
from curation.people.models import ApiToken, Person

if TYPE_CHECKING:  # REST framework imports this module while it defines APIView
    from rest_framework.views import APIView


class HoldsOperation(BasePermission):
    """Denies methods that declare no operation; ``access`` decides which rows the person may use."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return True, or raise the error that fits."""
        name: str = getattr(view, "operations", {}).get(request.method, "")
        operation = OPERATIONS.get(name)
        if not isinstance(request.user, Person):
            if operation is not None and operation.entry is Entry.LINK:
                return True
            raise NotSignedIn
        by_token = operation is not None and operation.by_token
        if isinstance(request.auth, ApiToken) and not (by_token and name in request.auth.operations):
            raise OperationNotAllowed(operation=name)
        if operation is None:
            # The view itself answers 405 for a method it does not have. An undeclared method is denied.
            return request.method not in view.allowed_methods
        if operation.entry is Entry.ROLE and not request.user.may(None, name):
            raise NotFound if request.user.is_outsider else OperationNotAllowed(operation=name)
        return True
