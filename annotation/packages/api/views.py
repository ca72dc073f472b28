"""HTTP of packages and of writing."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.packages import queries, services
from annotation.packages.api import serializers as s
from curation.core.api.operations import operation
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, ASSIGNED_ANNOTATORS, PICTURE_VIEWERS, STAFF


class PackagesView(OperationView):
    """The packages of a benchmark."""

    @operation("package_list", STAFF | ASSIGNED_ANNOTATORS, shows="package", query=s.PackageListInput)
    @extend_schema(parameters=[s.PackageListInput], responses=s.PackagePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List packages by number."""
        nothing = dict.fromkeys(("state", "kind", "assignee", "cursor"))
        given = {**nothing, **s.PackageListInput.parse(request.query_params.dict())}
        return self.answer(s.PackagePage, queries.package_page(request.user, benchmark, **given))


_UNSAID = {"size": None, "seed": None, "categories": None, "maximum": None, "assignees": ()}


class PreviewView(OperationView):
    """What a build would make."""

    @operation("package_preview", ADMINISTRATORS, shows="package item")
    @extend_schema(request=s.PreviewInput, responses=s.PreviewAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Show the packages that a build by this rule would make; nothing is stored."""
        given = {**_UNSAID, **s.PreviewInput.parse(request.data)}
        return self.answer(s.PreviewAnswer, queries.preview(request.user, benchmark, **given))


class BuildView(OperationView):
    """Batching accepted pictures."""

    @operation("package_build", ADMINISTRATORS, changes="package item")
    @extend_schema(request=s.BuildInput, responses=s.BuildAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make packages of what waits outside one."""
        given = {**_UNSAID, **s.BuildInput.parse(request.data)}
        made, left_over = services.build_packages(actor=request.user, benchmark_slug=benchmark, **given)
        return self.answer(s.BuildAnswer, queries.build_json(made, left_over, request.user))


class ClaimView(OperationView):
    """Asking for work."""

    @operation("package_claim", reaches(annotate="all"), contributes=True, changes="package")
    @extend_schema(request=s.ClaimInput, responses=s.ClaimAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Claim the next free package, or get the one already held."""
        given = s.ClaimInput.parse(request.data)
        package, held = services.claim_package(actor=request.user, benchmark_slug=benchmark, **given)
        answer = queries.one(request.user, package.pk, "package_show") | {"already_held": held}
        return self.answer(s.ClaimAnswer, answer)


class PackageView(OperationView):
    """One package."""

    @operation("package_show", STAFF | ASSIGNED_ANNOTATORS, shows="package item")
    @extend_schema(responses=s.PackageDetail)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show a package with its items."""
        return self.answer(s.PackageDetail, queries.detail(request.user, package))


class AssignView(OperationView):
    """Giving a package to somebody."""

    @operation("package_assign", ADMINISTRATORS, changes="package")
    @extend_schema(request=s.AssignInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Give a free package to an annotator."""
        services.assign_package(actor=request.user, package_id=package, **s.AssignInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class TakeBackView(OperationView):
    """Freeing a package that somebody has."""

    @operation("package_take_back", ADMINISTRATORS, changes="package")
    @extend_schema(request=s.TakeBackInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Take a package back; what was handed in stays."""
        services.take_back_package(actor=request.user, package_id=package, **s.TakeBackInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class WithdrawView(OperationView):
    """Dissolving a package."""

    @operation("package_withdraw", ADMINISTRATORS, changes="package item")
    @extend_schema(request=RevisionInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Dissolve a package that nobody has begun; its items wait to be packed anew."""
        services.withdraw_package(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class ResumeView(OperationView):
    """Opening a package that came back."""

    @operation("package_resume", ASSIGNED_ANNOTATORS, changes="package")
    @extend_schema(request=RevisionInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Go on with a returned package."""
        services.resume_package(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class NextView(OperationView):
    """The desk."""

    @operation("work_next", ASSIGNED_ANNOTATORS, shows="package item", query=s.NextInput)
    @extend_schema(parameters=[s.NextInput], responses=s.NextWork)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show the next items to write, the rules, and how far the package is."""
        given = s.NextInput.parse(request.query_params.dict())
        return self.answer(s.NextWork, queries.next_work(request.user, package, given["after"]))


class DraftView(OperationView):
    """What is being typed."""

    @operation("draft_save", ASSIGNED_ANNOTATORS, contributes=True)
    @extend_schema(request=s.DraftInput, responses=s.DraftAnswer)
    def put(self, request: PersonRequest, item: int) -> Response:
        """Keep a draft and hear what the rules say."""
        seq, findings, at = services.save_draft(actor=request.user, item_id=item, **s.DraftInput.parse(request.data))
        return self.answer(s.DraftAnswer, {"seq": seq, "findings": findings, "saved_at": at})


class SubmitView(OperationView):
    """Handing an item in."""

    @operation("item_submit", ASSIGNED_ANNOTATORS, contributes=True, changes="item package")
    @extend_schema(request=s.SubmitInput, responses=s.SubmitAnswer)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Write the next revision."""
        row, revision, replayed = services.submit_item(
            actor=request.user, item_id=item, **s.SubmitInput.parse(request.data)
        )
        return self.answer(s.SubmitAnswer, queries.submit_json(row, revision, replayed=replayed))


class SkipView(OperationView):
    """Leaving an item unwritten."""

    @operation("item_skip", ASSIGNED_ANNOTATORS, contributes=True, changes="item package")
    @extend_schema(request=s.SkipInput, responses=s.SkipAnswer)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Leave an item out and say why; a reviewer agrees or insists."""
        row, replayed = services.skip_item(actor=request.user, item_id=item, **s.SkipInput.parse(request.data))
        return self.answer(s.SkipAnswer, {"item_id": row.pk, "state": row.state, "replayed": replayed})


class SelfCheckView(OperationView):
    """The annotator's own check."""

    @operation("package_self_check", ASSIGNED_ANNOTATORS, changes="package")
    @extend_schema(request=s.SelfCheckInput, responses=s.PackageDetail)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Tick items that were read again."""
        given = s.SelfCheckInput.parse(request.data)
        ticks = {t["id"]: t["revision_no"] for t in given.pop("items")}
        services.self_check(actor=request.user, package_id=package, ticks=ticks, **given)
        return self.answer(s.PackageDetail, queries.detail(request.user, package))


class ImageItemsView(OperationView):
    """What was made on a picture."""

    @operation("image_items", PICTURE_VIEWERS | reaches(collect="own"), shows="item image")
    @extend_schema(responses=s.ImageItemRow(many=True))
    def get(self, request: PersonRequest, image: int) -> Response:
        """List its items with their packages."""
        return Response(s.ImageItemRow(queries.items_of_image(request.user, image), many=True).data)


class ItemsView(OperationView):
    """The items of a benchmark."""

    @operation("item_list", STAFF, shows="item image", query=s.ItemListInput)
    @extend_schema(parameters=[s.ItemListInput], responses=s.ItemPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List items by number."""
        nothing = dict.fromkeys(("kind", "state", "category", "author", "cursor"))
        given = {**nothing, **s.ItemListInput.parse(request.query_params.dict())}
        return self.answer(s.ItemPage, queries.item_page(request.user, benchmark, **given))


class ImportView(OperationView):
    """Items for pictures that are named."""

    @operation("item_import", ADMINISTRATORS, changes="item")
    @extend_schema(request=s.ImportInput, responses=s.ImportAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make items for pictures that are here already."""
        given = s.ImportInput.parse(request.data)
        made, existing = services.import_items(actor=request.user, benchmark_slug=benchmark, **given)
        return self.answer(s.ImportAnswer, {"made": made, "existing": existing})


class ItemView(OperationView):
    """One item."""

    @operation("item_show", STAFF | ASSIGNED_ANNOTATORS, shows="item")
    @extend_schema(responses=s.ItemAnswer)
    def get(self, request: PersonRequest, item: int) -> Response:
        """Show an item with what was written last."""
        return self.answer(s.ItemAnswer, queries.item_detail(request.user, item))


class BoardView(OperationView):
    """The progress board."""

    @operation("board_show", STAFF, shows="package item image")
    @extend_schema(responses=s.BoardAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show how far items, packages and pictures are."""
        return self.answer(s.BoardAnswer, queries.progress(request.user, benchmark))
