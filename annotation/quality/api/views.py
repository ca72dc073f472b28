"""HTTP of review and inspection."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from annotation.packages import queries as packages
from annotation.packages.api.serializers import PackageRow
from annotation.quality import queries, services
from annotation.quality.api import serializers as s
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest


class SheetView(Operation):
    """A package to read as a whole."""

    operations = {"GET": "package_sheet"}

    @extend_schema(responses=s.Sheet)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show every item with content, findings and verdict."""
        return Response(s.Sheet(queries.sheet(request.user, package)).data)


class HandOverView(Operation):
    """Handing a package over."""

    operations = {"POST": "package_hand_over"}

    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Hand the whole package over for review, or into the pool."""
        services.hand_over_for_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class TakeReviewView(Operation):
    """Starting a review."""

    operations = {"POST": "package_review_take"}

    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Take a handed-over package."""
        services.take_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class ReviewView(Operation):
    """Judging an item."""

    operations = {"POST": "item_review"}

    @extend_schema(request=s.ReviewInput, responses=s.SheetItem)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Accept, correct or return an item."""
        given = {"reasons": [], "comment": "", "content": None, "overrides": {}, **s.ReviewInput.parse(request.data)}
        package = services.review_item(actor=request.user, item_id=item, **given)
        return Response(s.SheetItem(queries.one_sheet_item(request.user, package, item)).data)


class SkipDecideView(Operation):
    """Deciding about a skipped item."""

    operations = {"POST": "item_skip_decide"}

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


class CompleteReviewView(Operation):
    """Ending a review."""

    operations = {"POST": "package_review_complete"}

    @extend_schema(request=RevisionInput, responses=PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Send back what was returned, or draw the sample."""
        services.complete_review(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(PackageRow(packages.one(request.user, package, "package_show")).data)


class InspectionView(Operation):
    """The inspector's page."""

    operations = {"GET": "inspection_show"}

    @extend_schema(responses=s.InspectionAnswer)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show the draw, its items and what passing means."""
        return Response(s.InspectionAnswer(queries.inspection_json(request.user, package)).data)


class InspectView(Operation):
    """Judging a drawn item."""

    operations = {"POST": "item_inspect"}

    @extend_schema(request=s.InspectInput, responses=s.SampleItem)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Call a drawn item right or wrong."""
        given = {"reasons": [], "comment": "", **s.InspectInput.parse(request.data)}
        package = services.inspect_item(actor=request.user, item_id=item, **given)
        return Response(s.SampleItem(queries.inspection_item(request.user, package, item)).data)


class CompleteInspectionView(Operation):
    """Ending an inspection."""

    operations = {"POST": "package_inspection_complete"}

    @extend_schema(request=RevisionInput, responses=s.InspectionAnswer)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Pass the package or send it back."""
        services.complete_inspection(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return Response(s.InspectionAnswer(queries.inspection_json(request.user, package)).data)


class HistoryView(Operation):
    """An item's life."""

    operations = {"GET": "item_history"}

    @extend_schema(responses=s.HistoryAnswer)
    def get(self, request: PersonRequest, item: int) -> Response:
        """Show revisions and verdicts."""
        return Response(s.HistoryAnswer(queries.history(request.user, item)).data)


class WaitingView(Operation):
    """The home page."""

    operations = {"GET": "waiting_show"}

    @extend_schema(responses=s.WaitingAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show what waits for the person."""
        return Response(s.WaitingAnswer(queries.waiting(request.user, benchmark)).data)


class QualityView(Operation):
    """Acceptance and agreement."""

    operations = {"GET": "quality_show"}
    query = s.QualityQuery

    @extend_schema(parameters=[s.QualityQuery], responses=s.QualityAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show how work was judged, and how far judges agree."""
        asked = {"kind": None, **s.QualityQuery.parse(request.query_params)}
        return Response(s.QualityAnswer(queries.quality(request.user, benchmark, **asked)).data)


class PoolView(Operation):
    """A pool of items to judge."""

    operations = {"GET": "pool_show"}
    refusals = (409,)  # no pool here
    query = s.PoolQuery

    @extend_schema(parameters=[s.PoolQuery], responses=s.PoolAnswer)
    def get(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Show how much is free and what one holds."""
        asked = s.PoolQuery.parse(request.query_params)
        return Response(s.PoolAnswer(queries.pool(request.user, benchmark, purpose, **asked)).data)


class PoolClaimView(Operation):
    """Taking seats."""

    operations = {"POST": "pool_claim"}

    @extend_schema(request=s.PoolClaimInput, responses=s.PoolAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Take up to so many items as the protocol lets one person hold."""
        given = s.PoolClaimInput.parse(request.data)
        services.claim_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, **given)
        return Response(s.PoolAnswer(queries.pool(request.user, benchmark, purpose, given["kind"])).data)


class PoolRenewView(Operation):
    """Saying that one is still at it."""

    operations = {"POST": "pool_renew"}

    @extend_schema(request=s.SeatsInput, responses=s.RenewAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Hold seats for another lease."""
        seats = s.SeatsInput.parse(request.data)["seats"]
        kept = services.renew_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, seat_ids=seats)
        rows = [{"seat": seat, "lease_until": until} for seat, until in kept.items()]
        return Response(s.RenewAnswer({"kept": rows, "lost": [n for n in seats if n not in kept]}).data)


class PoolReleaseView(Operation):
    """Giving seats back."""

    operations = {"POST": "pool_release"}

    @extend_schema(request=s.SeatsInput, responses=s.PoolAnswer)
    def post(self, request: PersonRequest, benchmark: str, purpose: str) -> Response:
        """Let colleagues have what one does not get to."""
        given = s.SeatsInput.parse(request.data)
        services.release_seats(actor=request.user, benchmark_slug=benchmark, purpose=purpose, seat_ids=given["seats"])
        return Response(s.PoolAnswer(queries.pool_of(request.user, benchmark, purpose, given["seats"])).data)
