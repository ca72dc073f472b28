"""HTTP of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.serializers import Input
from curation.core.api.views import Operation, to_body
from curation.images import queries, rules, services
from curation.images.api import serializers as s
from curation.images.api import tus
from curation.people.api.requests import PersonRequest


class ImagesView(Operation):
    """The pictures of a benchmark."""

    operations = {"GET": "image_list"}
    query = s.ImagesInput

    @extend_schema(parameters=[s.ImagesInput], responses=s.ImagePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List pictures, newest first."""
        given = {"cursor": None, **s.ImagesInput.parse(request.query_params.dict())}
        return Response(s.ImagePage(queries.image_page(request.user, benchmark, **given)).data)


class CountsView(Operation):
    """How many pictures there are, against what is wanted."""

    operations = {"GET": "image_counts"}

    @extend_schema(responses=s.ImageCounts)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Count them."""
        return Response(s.ImageCounts(queries.image_counts(request.user, benchmark)).data)


class ImageView(Operation):
    """One picture."""

    operations = {"GET": "image_show"}

    @extend_schema(responses=s.ImageAnswer)
    def get(self, request: PersonRequest, image: int) -> Response:
        """Show a picture with its files and decisions."""
        return Response(s.ImageAnswer(queries.image_detail(request.user, image)).data)


# --- Uploads


class UploadsView(tus.UploadsView):
    """Files on their way in: what one sends, and beginning another."""

    operations = {"GET": "upload_list", "POST": "upload_create", "OPTIONS": "upload_options"}
    query = s.UploadsInput

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Listing is no part of the protocol that sends files."""
        if request.method == "GET":
            super(tus.Tus, self).initial(request, *args, **kwargs)
        else:
            super().initial(request, *args, **kwargs)

    @extend_schema(parameters=[s.UploadsInput], responses=s.UploadPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List one's uploads, newest first."""
        given = {"state": None, "ids": None, "cursor": None, **s.UploadsInput.parse(request.query_params.dict())}
        return Response(s.UploadPage(queries.upload_page(request.user, benchmark, **given)).data)

    @extend_schema(request=None, responses={204: None})
    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Say what the server can do."""
        return Response(status=204, headers=tus.offered())


class DescribeView(Operation):
    """What is said about uploads."""

    operations = {"POST": "upload_describe"}

    @extend_schema(request=s.DescribeInput, responses=s.UploadRow(many=True))
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Set the given details of all of them."""
        given = s.DescribeInput.parse(request.data)
        said = services.describe_uploads(actor=request.user, benchmark_slug=benchmark, **given)
        return Response(s.UploadRow(queries.uploads_described(request.user, benchmark, said), many=True).data)


class TakeView(Operation):
    """Uploads become pictures."""

    refusals = (410,)
    operations = {"POST": "upload_take"}

    @extend_schema(request=s.TakeInput, responses=s.TakenRows)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Take what is ready and fully described; a repeat makes nothing twice."""
        ids: list[UUID] = s.TakeInput.parse(request.data)["ids"]
        taken = services.take_uploads(actor=request.user, benchmark_slug=benchmark, ids=ids)
        rows = [
            {
                "id": one.upload_id,
                "image": {"id": one.image_id, "label": one.label} if one.image_id is not None else None,
                "error": to_body(one.error) if one.error else None,
            }
            for one in taken
        ]
        return Response(s.TakenRows({"results": rows}).data)


# --- Judging


class HoldView(Operation):
    """A curator's batch."""

    operations = {"POST": "image_hold"}

    @extend_schema(request=s.HoldInput, responses=s.HeldAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Lay pictures before the curator."""
        held = services.hold_images(actor=request.user, benchmark_slug=benchmark, **s.HoldInput.parse(request.data))
        shown = queries.images_described(request.user, held.image_ids)
        answer = {
            "images": [shown[i] for i in held.image_ids if i in shown],
            "until": held.until,
            "held_by_others": held.held_by_others,
            "others_until": held.others_until,
        }
        return Response(s.HeldAnswer(answer).data)


class RenewView(Operation):
    """Keeping the batch."""

    operations = {"POST": "image_hold_renew"}

    @extend_schema(request=None, responses=s.RenewedAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Keep it for another while."""
        Input.parse(request.data)
        until = services.renew_holds(actor=request.user, benchmark_slug=benchmark)
        return Response(s.RenewedAnswer({"until": until}).data)


class ReleaseView(Operation):
    """Giving the batch back."""

    operations = {"POST": "image_hold_release"}

    @extend_schema(request=None, responses={204: None})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Let others have it."""
        Input.parse(request.data)
        services.release_holds(actor=request.user, benchmark_slug=benchmark)
        return Response(status=204)


class JudgeView(Operation):
    """Deciding on pictures."""

    operations = {"POST": "image_judge"}

    @extend_schema(request=s.JudgeInput, responses=s.JudgedRows)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Accept or refuse, each by itself."""
        verdicts = [_verdict(row) for row in s.JudgeInput.parse(request.data)["verdicts"]]
        judged = services.judge_images(actor=request.user, benchmark_slug=benchmark, verdicts=verdicts)
        return _judged(request, judged)


class ClearView(Operation):
    """The mark that a picture shows nothing personal."""

    operations = {"POST": "image_clear"}

    @extend_schema(request=s.ClearInput, responses=s.JudgedRows)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Set the mark, each by itself."""
        marks = [(row["image"], row["client_key"]) for row in s.ClearInput.parse(request.data)["images"]]
        return _judged(request, services.clear_images(actor=request.user, benchmark_slug=benchmark, marks=marks))


def _verdict(row: dict[str, Any]) -> services.Verdict:
    counted = row["objects"]
    return services.Verdict(
        image_id=row["image"],
        no=row["no"],
        outcome=row["outcome"],
        reasons=row["reasons"],
        subset=row["subset"],
        category=row["category"],
        objects=rules.Objects(**counted) if counted else None,
        client_key=row["client_key"],
    )


def _judged(request: PersonRequest, judged: Sequence[services.Judged]) -> Response:
    shown = queries.images_described(request.user, [j.image_id for j in judged if j.error is None])
    rows = [
        {
            "image_id": j.image_id,
            "image": shown.get(j.image_id),
            "error": to_body(j.error) if j.error else None,
        }
        for j in judged
    ]
    return Response(s.JudgedRows({"results": rows}).data)


class TakeDownView(Operation):
    """Withdrawing a picture."""

    operations = {"POST": "image_take_down"}

    @extend_schema(request=s.TakedownInput, responses=s.ImageAnswer)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Take it down."""
        given = s.TakedownInput.parse(request.data)
        done = services.take_down(actor=request.user, image_id=image, **given)
        return Response(s.ImageAnswer(queries.image_detail(request.user, done)).data)


class RestoreView(Operation):
    """Bringing a picture back."""

    operations = {"POST": "image_restore"}

    @extend_schema(request=s.RestoreInput, responses=s.ImageAnswer)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Bring it back."""
        given = s.RestoreInput.parse(request.data)
        done = services.restore(actor=request.user, image_id=image, **given)
        return Response(s.ImageAnswer(queries.image_detail(request.user, done)).data)
