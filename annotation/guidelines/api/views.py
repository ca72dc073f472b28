"""HTTP of guidelines."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema

from annotation.guidelines import queries, services
from annotation.guidelines.access import picture_for
from annotation.guidelines.api import serializers as s
from curation.core.api.files import answer_picture
from curation.core.api.operations import command, operation, query
from curation.core.api.views import OperationView
from curation.images.access import caching_of
from curation.images.services import record_exposure
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, MEMBERS


class GuidelinesView(OperationView):
    """The guidelines of every kind of the protocol."""

    get = query("guideline_list", queries.guideline_rows, MEMBERS, shows="guideline")


class GuidelineView(OperationView):
    """A kind's guidelines."""

    get = query("guideline_show", queries.guideline, MEMBERS, parameters=s.GuidelineQuery, shows="guideline")
    post = command(
        "guideline_add",
        services.add_guideline,
        s.GuidelineInput,
        ADMINISTRATORS,
        then=queries.published_guideline,
        status=201,
        changes="guideline",
    )


class GuidelinePictureView(OperationView):
    """A picture that guidelines show."""

    @operation("guideline_picture", MEMBERS)
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, benchmark_slug: str, kind: str, label: str) -> HttpResponseBase:
        """Send the bytes, or 304 if the browser has them; it asks each time, because a picture may be withdrawn."""
        file = picture_for(request.user, benchmark_slug, kind, label)
        record_exposure(request.user, file.image)
        return answer_picture(request, file.key, sha256=file.sha256, caching=caching_of(file.image, "no-cache"))


class GuidelinePresetView(OperationView):
    """The built-in template of a kind's guidelines."""

    get = query("guideline_preset", queries.preset, ADMINISTRATORS)


class GuidelineAcknowledgeView(OperationView):
    """Acknowledging the newest guidelines."""

    post = command(
        "guideline_acknowledge",
        services.acknowledge_guideline,
        s.AcknowledgeInput,
        MEMBERS,
        then=queries.acknowledge_answer,
        by_token=False,
        changes="guideline",
    )
