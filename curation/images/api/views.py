"""HTTP of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.serializers import Input
from curation.core.api.views import OperationView, to_body
from curation.core.operations import reaches
from curation.images import queries, rules, services
from curation.images.api import serializers as s
from curation.images.api import tus
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, COLLECTORS, PICTURE_INSPECTORS, PICTURE_VIEWERS


class ImagesView(OperationView):
    """The pictures of a benchmark."""

    @operation("image_list", PICTURE_VIEWERS | reaches(collect="team"), shows="image", query=s.ImagesInput)
    @extend_schema(parameters=[s.ImagesInput], responses=s.ImagePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List pictures, newest first."""
        given = {"cursor": None, **s.ImagesInput.parse(request.query_params.dict())}
        return Response(s.ImagePage(queries.image_page(request.user, benchmark, **given)).data)


class CountsView(OperationView):
    """How many pictures there are, against what is wanted."""

    @operation("image_counts", PICTURE_VIEWERS | reaches(collect="team"), shows="image")
    @extend_schema(responses=s.ImageCounts)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Count them."""
        return Response(s.ImageCounts(queries.image_counts(request.user, benchmark)).data)


class ImageView(OperationView):
    """One picture."""

    @operation("image_show", PICTURE_VIEWERS | reaches(collect="team"), shows="image")
    @extend_schema(responses=s.ImageAnswer)
    def get(self, request: PersonRequest, image: int) -> Response:
        """Show a picture with its files and decisions."""
        return Response(s.ImageAnswer(queries.image_detail(request.user, image)).data)


# --- Uploads


class UploadsView(tus.UploadsView):
    """Files on their way in: what one sends, and beginning another."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Listing is no part of the protocol that sends files."""
        if request.method == "GET":
            super(tus.Tus, self).initial(request, *args, **kwargs)
        else:
            super().initial(request, *args, **kwargs)

    @operation("upload_list", COLLECTORS, shows="upload", query=s.UploadsInput)
    @extend_schema(parameters=[s.UploadsInput], responses=s.UploadPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List one's uploads, newest first."""
        given = {"state": None, "ids": None, "cursor": None, **s.UploadsInput.parse(request.query_params.dict())}
        return Response(s.UploadPage(queries.upload_page(request.user, benchmark, **given)).data)

    @operation("upload_options", COLLECTORS)
    @extend_schema(request=None, responses={204: None})
    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Say what the server can do."""
        return Response(status=204, headers=tus.offered())


class DescribeView(OperationView):
    """What is said about uploads."""

    @operation("upload_describe", COLLECTORS, changes="upload")
    @extend_schema(request=s.DescribeInput, responses=s.UploadRow(many=True))
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Set the given details of all of them."""
        given = s.DescribeInput.parse(request.data)
        said = services.describe_uploads(actor=request.user, benchmark_slug=benchmark, **given)
        return Response(s.UploadRow(queries.uploads_described(request.user, benchmark, said), many=True).data)


class TakeView(OperationView):
    """Uploads become pictures."""

    refusals = (410,)

    @operation("upload_take", COLLECTORS, contributes=True, changes="upload image")
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


class HoldView(OperationView):
    """A curator's batch."""

    @operation("image_hold", PICTURE_INSPECTORS)
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


class RenewView(OperationView):
    """Keeping the batch."""

    @operation("image_hold_renew", PICTURE_INSPECTORS)
    @extend_schema(request=None, responses=s.RenewedAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Keep it for another while."""
        Input.parse(request.data)
        until = services.renew_holds(actor=request.user, benchmark_slug=benchmark)
        return Response(s.RenewedAnswer({"until": until}).data)


class ReleaseView(OperationView):
    """Giving the batch back."""

    @operation("image_hold_release", PICTURE_INSPECTORS)
    @extend_schema(request=None, responses={204: None})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Let others have it."""
        Input.parse(request.data)
        services.release_holds(actor=request.user, benchmark_slug=benchmark)
        return Response(status=204)


class JudgeView(OperationView):
    """Deciding on pictures."""

    @operation("image_judge", PICTURE_INSPECTORS, contributes=True, changes="image")
    @extend_schema(request=s.JudgeInput, responses=s.JudgedRows)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Accept or refuse, each by itself."""
        verdicts = [_verdict(row) for row in s.JudgeInput.parse(request.data)["verdicts"]]
        judged = services.judge_images(actor=request.user, benchmark_slug=benchmark, verdicts=verdicts)
        return _judged(request, judged)


class ClearView(OperationView):
    """The mark that a picture shows nothing personal."""

    @operation("image_clear", PICTURE_INSPECTORS, contributes=True, changes="image")
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


class TakeDownView(OperationView):
    """Withdrawing a picture."""

    @operation("image_take_down", reaches(administer="all", inspect_images="all", collect="own"), changes="image")
    @extend_schema(request=s.TakedownInput, responses=s.ImageAnswer)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Take it down."""
        given = s.TakedownInput.parse(request.data)
        done = services.take_down(actor=request.user, image_id=image, **given)
        return Response(s.ImageAnswer(queries.image_detail(request.user, done)).data)


class RestoreView(OperationView):
    """Bringing a picture back."""

    @operation("image_restore", ADMINISTRATORS, changes="image")
    @extend_schema(request=s.RestoreInput, responses=s.ImageAnswer)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Bring it back."""
        given = s.RestoreInput.parse(request.data)
        done = services.restore(actor=request.user, image_id=image, **given)
        return Response(s.ImageAnswer(queries.image_detail(request.user, done)).data)
