"""The gate in front of every view: signed in, and some role opens the operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from curation.core.errors import NotSignedIn, OperationNotAllowed
from curation.people.models import ApiToken, Person
from curation.people.rules import BY_LINK, NEVER_BY_TOKEN, PERMISSIONS, SIGNED_IN

if TYPE_CHECKING:  # REST framework imports this module while it defines APIView
    from rest_framework.views import APIView


class HoldsOperation(BasePermission):
    """A view without a row in the permission table is denied; which rows of a table one may touch is ``access``'s."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Raise the refusal that fits."""
        operation: str = getattr(view, "operations", {}).get(request.method, "")
        if not isinstance(request.user, Person):
            if operation in BY_LINK:
                return True
            raise NotSignedIn
        token = request.auth
        if isinstance(token, ApiToken) and (operation not in token.operations or operation in NEVER_BY_TOKEN):
            raise OperationNotAllowed(operation=operation)
        if operation not in PERMISSIONS:
            # No such method here: the view itself answers 405. A method without a row is denied.
            return request.method not in view.allowed_methods
        if operation not in SIGNED_IN | BY_LINK and not request.user.may(None, operation):
            raise OperationNotAllowed(operation=operation)
        return True
