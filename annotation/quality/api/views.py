"""HTTP of review and inspection."""

from __future__ import annotations

from rest_framework.response import Response

from annotation.packages import queries as packages
from annotation.quality import queries, services
from annotation.quality.api import serializers as s
from annotation.quality.shapes import PoolAnswer
from annotation.seats.api.serializers import SeatsInput
from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ASSIGNED_ANNOTATORS, MEMBERS, STAFF

_JUDGES = reaches(review="all", inspect="all")


class SheetView(OperationView):
    """The sheet of a package: all its items on one page."""

    get = query("package_sheet", queries.sheet, STAFF | ASSIGNED_ANNOTATORS, shows="package item")


class SubmitPackageView(OperationView):
    """Submitting a package."""

    post = command(
        "package_hand_over",
        services.submit_package_for_review,
        RevisionInput,
        ASSIGNED_ANNOTATORS,
        then=packages.updated_package,
        changes="package",
    )


class StartReviewView(OperationView):
    """Starting a review."""

    post = command(
        "package_review_take",
        services.start_review,
        RevisionInput,
        reaches(review="all"),
        then=packages.updated_package,
        changes="package",
    )


class ReviewView(OperationView):
    """Reviewing an item."""

    post = command(
        "item_review",
        services.review_item,
        s.ReviewInput,
        reaches(review="assigned"),
        then=queries.reviewed_item,
        contributes=True,
        changes="item package",
    )


class SkipDecideView(OperationView):
    """Deciding about a skipped item."""

    post = command(
        "item_skip_decide",
        services.decide_skip,
        s.SkipDecideInput,
        reaches(review="assigned"),
        then=queries.decided_item,
        contributes=True,
        changes="item package",
    )


class CompleteReviewView(OperationView):
    """Ending a review."""

    post = command(
        "package_review_complete",
        services.complete_review,
        RevisionInput,
        reaches(review="assigned"),
        then=packages.updated_package,
        changes="package item",
    )


class InspectionView(OperationView):
    """The inspector's page."""

    get = query(
        "inspection_show",
        queries.inspection_page,
        reaches(own="all", administer="all", inspect="all", review="assigned", annotate="assigned"),
        shows="package item",
    )


class InspectView(OperationView):
    """Inspecting a drawn item."""

    post = command(
        "item_inspect",
        services.inspect_item,
        s.InspectInput,
        reaches(inspect="all"),
        then=queries.inspected_item,
        contributes=True,
        changes="item package",
    )


class CompleteInspectionView(OperationView):
    """Ending an inspection."""

    post = command(
        "package_inspection_complete",
        services.complete_inspection,
        RevisionInput,
        reaches(inspect="all"),
        then=queries.completed_inspection,
        changes="package item",
    )


class WaitingView(OperationView):
    """The home page."""

    get = query("waiting_show", queries.waiting, MEMBERS, shows="package item image seat")


class QualityView(OperationView):
    """Acceptance and agreement."""

    get = query(
        "quality_show",
        queries.quality,
        STAFF | reaches(annotate="own"),
        parameters=s.QualityQuery,
        shows="package item",
    )


class DoubleView(OperationView):
    """What two people did independently on one picture."""

    refusals = (409,)  # not both submitted it yet

    get = query("item_double", queries.double_page, STAFF, shows="item")


class PoolView(OperationView):
    """A pool of items to judge."""

    refusals = (409,)  # the protocol has no such pool

    get = query("pool_show", queries.pool, _JUDGES, parameters=s.PoolQuery, shows="seat")


class PoolClaimView(OperationView):
    """Claiming seats."""

    @operation("pool_claim", _JUDGES, contributes=True, changes="seat", body=s.PoolClaimInput, answer=PoolAnswer)
    def post(self, request: PersonRequest, benchmark_slug: str, purpose: str) -> Response:
        """Claim up to as many seats as the protocol lets one person hold."""
        fields = s.PoolClaimInput.parse(request.data)
        services.claim_seats(actor=request.user, benchmark_slug=benchmark_slug, purpose=purpose, **fields)
        request.user.answer_under(self.operation)
        return Response(queries.pool(request.user, benchmark_slug, purpose, fields["kind"]))


class PoolRenewView(OperationView):
    """Heartbeat: renew held seats."""

    post = command("pool_renew", services.renew_seats, SeatsInput, _JUDGES)


class PoolReleaseView(OperationView):
    """Releasing seats."""

    @operation("pool_release", _JUDGES, changes="seat", body=SeatsInput, answer=PoolAnswer)
    def post(self, request: PersonRequest, benchmark_slug: str, purpose: str) -> Response:
        """Release held seats, so that colleagues can claim them."""
        seat_ids = SeatsInput.parse(request.data)["seat_ids"]
        services.release_seats(actor=request.user, benchmark_slug=benchmark_slug, purpose=purpose, seat_ids=seat_ids)
        request.user.answer_under(self.operation)
        return Response(queries.pool_of(request.user, benchmark_slug, purpose, seat_ids))
