"""HTTP of pictures."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import command, csv_file, operation, query
from curation.core.api.serializers import Input
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.images import queries, services, shapes
from curation.images.api import serializers as s
from curation.images.api import tus
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, COLLECTORS, PICTURE_INSPECTORS, PICTURE_VIEWERS

_VIEWERS = PICTURE_VIEWERS | reaches(collect="team")
_COVERERS = reaches(inspect_images="all", administer="all", collect="own")


class ImagesView(OperationView):
    """The pictures of a benchmark."""

    get = query("image_list", queries.image_page, _VIEWERS, parameters=s.ImagesInput, shows="image")


class ImageFileView(OperationView):
    """The list of pictures as a file."""

    get = csv_file(
        "image_file", queries.image_cells, queries.IMAGE_COLUMNS, _VIEWERS, title="pictures", parameters=s.ImageFilters
    )


class CountsView(OperationView):
    """How many pictures there are, against the protocol's quota."""

    get = query("image_counts", queries.image_counts, _VIEWERS, shows="image")


class ImageView(OperationView):
    """One picture."""

    get = query("image_show", queries.image_detail, _VIEWERS, shows="image")


# --- Uploads


class UploadsView(tus.UploadsView):
    """A person's uploads, and creating another."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Skip the checks of the tus protocol for the list, which is not part of it."""
        if request.method == "GET":
            super(tus.TusView, self).initial(request, *args, **kwargs)
        else:
            super().initial(request, *args, **kwargs)

    get = query("upload_list", queries.upload_page, COLLECTORS, parameters=s.UploadsInput, shows="upload")

    @operation("upload_options", COLLECTORS)
    @extend_schema(request=None, responses={204: None})
    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Report what the server supports."""
        return Response(status=204, headers=tus.options_headers())


class DescribeView(OperationView):
    """The details of uploads."""

    @operation("upload_describe", COLLECTORS, changes="upload", body=s.DescribeInput, answer=list[shapes.UploadRow])
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Set the given details of all of them."""
        values = s.DescribeInput.parse(request.data)
        changed = services.describe_uploads(actor=request.user, benchmark_slug=benchmark_slug, **values)
        request.user.answer_under(self.operation)
        return Response(queries.uploads_by_id(request.user, benchmark_slug, changed))


class FinalizeView(OperationView):
    """Turning uploads into pictures."""

    refusals = (410, 507)  # dropped, no room on the disk

    post = command(
        "upload_take",
        services.finalize_uploads,
        s.FinalizeInput,
        COLLECTORS,
        then=queries.finalized_rows,
        contributes=True,
        changes="upload image",
    )


# --- Judging


class HoldView(OperationView):
    """A curator's batch."""

    post = command("image_hold", services.hold_images, s.HoldInput, PICTURE_INSPECTORS, then=queries.held_answer)


class RenewView(OperationView):
    """Renewing the reservation of the batch."""

    @operation("image_hold_renew", PICTURE_INSPECTORS, answer=shapes.RenewedAnswer)
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Reserve the batch for another ten minutes."""
        Input.parse(request.data)
        return Response({"until": services.renew_holds(actor=request.user, benchmark_slug=benchmark_slug)})


class ReleaseView(OperationView):
    """Releasing the batch."""

    @operation("image_hold_release", PICTURE_INSPECTORS)
    @extend_schema(request=None, responses={204: None})
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Release the batch for others."""
        Input.parse(request.data)
        services.release_holds(actor=request.user, benchmark_slug=benchmark_slug)
        return Response(status=204)


class JudgeView(OperationView):
    """Deciding on pictures."""

    post = command(
        "image_judge",
        services.judge_images,
        s.JudgeInput,
        PICTURE_INSPECTORS,
        then=queries.judged_rows,
        contributes=True,
        changes="image",
    )


class ClearView(OperationView):
    """Marking pictures as free of personal information."""

    post = command(
        "image_clear",
        services.clear_images,
        s.ClearInput,
        PICTURE_INSPECTORS,
        then=queries.judged_rows,
        contributes=True,
        changes="image",
    )


class ShareView(OperationView):
    """Ticking one's own pictures for one's team."""

    post = command(
        "image_share",
        services.share_images,
        s.ClearInput,
        COLLECTORS,
        then=queries.judged_rows,
        contributes=True,
        changes="image",
    )


# --- Covering


class RegionsView(OperationView):
    """A picture's regions: found, decided, open."""

    get = query("image_regions", queries.image_regions, _COVERERS, shows="image")


class CoverView(OperationView):
    """Covering regions of a picture."""

    refusals = (507,)  # no room on the disk

    post = command(
        "image_cover",
        services.cover_image,
        s.CoverInput,
        _COVERERS,
        then=queries.covered_picture,
        contributes=True,
        changes="image",
    )


class CoverHoldView(OperationView):
    """A curator's batch of pictures to look at."""

    post = command(
        "cover_hold", services.hold_to_cover, s.CoverHoldInput, PICTURE_INSPECTORS, then=queries.held_to_cover
    )


class CoverRenewView(OperationView):
    """Renewing the reservation of the batch."""

    @operation("cover_hold_renew", PICTURE_INSPECTORS, answer=shapes.RenewedAnswer)
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Reserve the batch for another ten minutes."""
        Input.parse(request.data)
        return Response({"until": services.renew_covers(actor=request.user, benchmark_slug=benchmark_slug)})


class CoverReleaseView(OperationView):
    """Releasing the batch."""

    @operation("cover_hold_release", PICTURE_INSPECTORS)
    @extend_schema(request=None, responses={204: None})
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Release the batch for others."""
        Input.parse(request.data)
        services.release_covers(actor=request.user, benchmark_slug=benchmark_slug)
        return Response(status=204)


class CorrectView(OperationView):
    """Correcting a picture's category, licence or subset."""

    post = command(
        "image_correct",
        services.correct_image,
        s.CorrectInput,
        reaches(administer="all", inspect_images="all"),
        then=queries.image_detail,
        changes="image",
    )


class TakeDownView(OperationView):
    """Withdrawing a picture."""

    post = command(
        "image_take_down",
        services.withdraw_image,
        s.TakedownInput,
        reaches(administer="all", inspect_images="all", collect="own"),
        then=queries.image_detail,
        changes="image",
    )


class RestoreView(OperationView):
    """Restoring a withdrawn picture."""

    post = command(
        "image_restore",
        services.restore_image,
        s.RestoreInput,
        ADMINISTRATORS,
        then=queries.image_detail,
        changes="image",
    )
