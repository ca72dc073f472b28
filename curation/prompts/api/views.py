"""HTTP of prompts."""

from __future__ import annotations

from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from curation.prompts import queries, services, shapes
from curation.prompts.api import serializers as s


class PromptsView(OperationView):
    """Every version of every prompt."""

    get = query("prompt_list", queries.prompt_rows, STAFF, shows="prompt")
    post = command(
        "prompt_add",
        services.add_prompt,
        s.PromptInput,
        ADMINISTRATORS,
        then=queries.added_prompt,
        status=201,
        changes="prompt",
    )


class PromptView(OperationView):
    """One version of a prompt."""

    get = query("prompt_show", queries.prompt_page, STAFF, shows="prompt")


class PromptPreviewView(OperationView):
    """A prompt rendered with an item; nothing is stored and nothing is sent to a model."""

    # A read with a body, because a changed text is too long for an address.
    @operation("prompt_preview", STAFF, body=s.PromptPreviewInput, answer=shapes.PromptPreview)
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Render a prompt as a model would get it, with the values of an accepted item."""
        return Response(
            queries.preview_prompt(request.user, benchmark_slug, **s.PromptPreviewInput.parse(request.data))
        )
