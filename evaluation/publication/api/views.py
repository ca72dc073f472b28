"""HTTP of the decisions about public pages."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, HEADS
from evaluation.publication import access, queries, services
from evaluation.publication.api import serializers as s
from evaluation.publication.api.pages import preview_page


class PublicationView(OperationView):
    """The public pages of a benchmark."""

    get = query("publication_show", queries.publication_detail, HEADS, shows="publication release")
    patch = command(
        "publication_update",
        services.update_publication,
        s.PublicationInput,
        ADMINISTRATORS,
        then=queries.changed_publication,
        changes="publication",
    )


class OpenReleaseView(OperationView):
    """Showing a release to everybody."""

    post = command(
        "public_release_open",
        services.open_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.release_opening,
        changes="publication",
    )


class CloseReleaseView(OperationView):
    """Taking a release off the public pages."""

    post = command(
        "public_release_close",
        services.close_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.release_opening,
        changes="publication",
    )


class PreviewView(OperationView):
    """The public pages for heads, before they are opened."""

    @operation("publication_preview", HEADS, query=s.PreviewInput)
    @extend_schema(parameters=[s.PreviewInput], responses={(200, "text/html"): OpenApiTypes.STR})
    def get(self, request: PersonRequest, benchmark_slug: str, page: str = "") -> HttpResponseBase:
        """Show a public page as it would be now; every published release counts as open."""
        benchmark, _ = access.publication_for(request.user, benchmark_slug, "publication_preview")
        answer: HttpResponse | HttpResponseBase = preview_page(request, benchmark, page)
        return answer
