"""HTTP of review and inspection."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from annotation.packages import queries as packages
from annotation.packages.api.serializers import PackageRow
from annotation.quality import queries, services
from annotation.quality.api import serializers as s
from curation.core.api.operations import operation
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ASSIGNED_ANNOTATORS, MEMBERS, STAFF


class SheetView(OperationView):
    """A package to read as a whole."""

    @operation("package_sheet", STAFF | ASSIGNED_ANNOTATORS, shows="package item")
    @extend_schema(responses=s.Sheet)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show every item with content, findings and verdict."""
        return Response(s.Sheet(queries.sheet(request.user, package)).data)


class HandOverView(OperationView):
    """Handing a package over."""

    @operation("package_hand_over", ASSIGNED_ANNOTATORS, changes="package")
    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Hand the whole package over for review, or into the pool."""
        services.hand_over_for_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class TakeReviewView(OperationView):
    """Starting a review."""

    @operation("package_review_take", reaches(review="all"), changes="package")
    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Take a handed-over package."""
        services.take_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class ReviewView(OperationView):
    """Judging an item."""

    @operation("item_review", reaches(review="assigned"), contributes=True, changes="item package")
    @extend_schema(request=s.ReviewInput, responses=s.SheetItem)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Accept, correct or return an item."""
        given = {"reasons": [], "comment": "", "content": None, "overrides": {}, **s.ReviewInput.parse(request.data)}
        package = services.review_item(actor=request.user, item_id=item, **given)
        return Response(s.SheetItem(queries.one_sheet_item(request.user, package, item)).data)


class SkipDecideView(OperationView):
    """Deciding about a skipped item."""

    @operation("item_skip_decide", reaches(review="assigned"), contributes=True, changes="item package")
    @extend_schema(
        request=s.SkipDecideInput,
        responses=PolymorphicProxySerializer(
            component_name="SkipDecided", serializers=[s.SheetItem, s.SetAside], resource_type_field_name=None
        ),
    )
    def post(self, request: PersonRequest, item: int) -> Response:
        """Agree, so that the item leaves its package, or want it written."""
        given = {"reasons": [], "comment": "", **s.SkipDecideInput.parse(request.data)}
        package, left = services.decide_skip(actor=request.user, item_id=item, **given)
        if left:
            return Response(s.SetAside({"item_id": item, "state": "excluded"}).data)
        return Response(s.SheetItem(queries.one_sheet_item(request.user, package, item)).data)


class CompleteReviewView(OperationView):
    """Ending a review."""

    @operation("package_review_complete", reaches(review="assigned"), changes="package item")
    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Send back what was returned, or draw the sample."""
        services.complete_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class InspectionView(OperationView):
    """The inspector's page."""

    @operation(
        "inspection_show",
        reaches(own="all", administer="all", inspect="all", review="assigned", annotate="assigned"),
        shows="package item",
    )
    @extend_schema(responses=s.InspectionAnswer)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show the draw, its items and what passing means."""
        return Response(s.InspectionAnswer(queries.inspection_json(request.user, package)).data)


class InspectView(OperationView):
    """Judging a drawn item."""

    @operation("item_inspect", reaches(inspect="all"), contributes=True, changes="item package")
    @extend_schema(request=s.InspectInput, responses=s.SampleItem)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Call a drawn item right or wrong."""
        given = {"reasons": [], "comment": "", **s.InspectInput.parse(request.data)}
        package = services.inspect_item(actor=request.user, item_id=item, **given)
        return Response(s.SampleItem(queries.inspection_item(request.user, package, item)).data)


class CompleteInspectionView(OperationView):
    """Ending an inspection."""

    @operation("package_inspection_complete", reaches(inspect="all"), changes="package item")
    @extend_schema(request=RevisionInput, responses=s.InspectionAnswer)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Pass the package or send it back."""
        services.complete_inspection(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(s.InspectionAnswer(queries.inspection_json(request.user, package)).data)


class HistoryView(OperationView):
    """An item's life."""

    @operation("item_history", STAFF | ASSIGNED_ANNOTATORS, shows="item")
    @extend_schema(responses=s.HistoryAnswer)
    def get(self, request: PersonRequest, item: int) -> Response:
        """Show revisions and verdicts."""
        return Response(s.HistoryAnswer(queries.history(request.user, item)).data)


class WaitingView(OperationView):
    """The home page."""

    @operation("waiting_show", MEMBERS, shows="package item image seat")
    @extend_schema(responses=s.WaitingAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show what waits for the person."""
        return Response(s.WaitingAnswer(queries.waiting(request.user, benchmark)).data)


class QualityView(OperationView):
    """Acceptance and agreement."""

    @operation("quality_show", STAFF | reaches(annotate="own"), shows="package item", query=s.QualityQuery)
    @extend_schema(parameters=[s.QualityQuery], responses=s.QualityAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show how work was judged, and how far judges agree."""
        asked = {"kind": None, **s.QualityQuery.parse(request.query_params)}
        return Response(s.QualityAnswer(queries.quality(request.user, benchmark, **asked)).data)


class PoolView(OperationView):
    """A pool of items to judge."""

    refusals = (409,)  # no pool here

    @operation("pool_show", reaches(review="all", inspect="all"), shows="seat", query=s.PoolQuery)
    @extend_schema(parameters=[s.PoolQuery], responses=s.PoolAnswer)
    def get(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Show how much is free and what one holds."""
        asked = s.PoolQuery.parse(request.query_params)
        return Response(s.PoolAnswer(queries.pool(request.user, benchmark, purpose, **asked)).data)


class PoolClaimView(OperationView):
    """Taking seats."""

    @operation("pool_claim", reaches(review="all", inspect="all"), contributes=True, changes="seat")
    @extend_schema(request=s.PoolClaimInput, responses=s.PoolAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Take up to so many items as the protocol lets one person hold."""
        given = s.PoolClaimInput.parse(request.data)
        services.claim_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, **given)
        return Response(s.PoolAnswer(queries.pool(request.user, benchmark, purpose, given["kind"])).data)


class PoolRenewView(OperationView):
    """Saying that one is still at it."""

    @operation("pool_renew", reaches(review="all", inspect="all"))
    @extend_schema(request=s.SeatsInput, responses=s.RenewAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Hold seats for another lease."""
        seats = s.SeatsInput.parse(request.data)["seats"]
        kept = services.renew_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, seat_ids=seats)
        rows = [{"seat": seat, "lease_until": until} for seat, until in kept.items()]
        return Response(s.RenewAnswer({"kept": rows, "lost": [n for n in seats if n not in kept]}).data)


class PoolReleaseView(OperationView):
    """Giving seats back."""

    @operation("pool_release", reaches(review="all", inspect="all"), changes="seat")
    @extend_schema(request=s.SeatsInput, responses=s.PoolAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Let colleagues have what one does not get to."""
        given = s.SeatsInput.parse(request.data)
        services.release_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, seat_ids=given["seats"])
        return Response(s.PoolAnswer(queries.pool_of(request.user, benchmark, purpose, given["seats"])).data)
