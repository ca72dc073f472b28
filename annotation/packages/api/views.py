"""HTTP of packages and of writing."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.packages import queries, services
from annotation.packages.api import serializers as s
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest


class PackagesView(Operation):
    """The packages of a benchmark."""

    operations = {"GET": "package_list"}
    query = s.PackageListInput

    @extend_schema(parameters=[s.PackageListInput], responses=s.PackagePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List packages by number."""
        nothing = dict.fromkeys(("state", "kind", "assignee", "cursor"))
        given = {**nothing, **s.PackageListInput.parse(request.query_params.dict())}
        return self.answer(s.PackagePage, queries.package_page(request.user, benchmark, **given))


_UNSAID = {"size": None, "seed": None, "categories": None, "maximum": None, "assignees": ()}


class PreviewView(Operation):
    """What a build would make."""

    operations = {"POST": "package_preview"}

    @extend_schema(request=s.PreviewInput, responses=s.PreviewAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Show the packages that a build by this rule would make; nothing is stored."""
        given = {**_UNSAID, **s.PreviewInput.parse(request.data)}
        return self.answer(s.PreviewAnswer, queries.preview(request.user, benchmark, **given))


class BuildView(Operation):
    """Batching accepted pictures."""

    operations = {"POST": "package_build"}

    @extend_schema(request=s.BuildInput, responses=s.BuildAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make packages of what waits outside one."""
        given = {**_UNSAID, **s.BuildInput.parse(request.data)}
        made, left_over = services.build_packages(actor=request.user, benchmark_slug=benchmark, **given)
        return self.answer(s.BuildAnswer, queries.build_json(made, left_over, request.user))


class ClaimView(Operation):
    """Asking for work."""

    operations = {"POST": "package_claim"}

    @extend_schema(request=s.ClaimInput, responses=s.ClaimAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Claim the next free package, or get the one already held."""
        given = s.ClaimInput.parse(request.data)
        package, held = services.claim_package(actor=request.user, benchmark_slug=benchmark, **given)
        answer = queries.one(request.user, package.pk, "package_show") | {"already_held": held}
        return self.answer(s.ClaimAnswer, answer)


class PackageView(Operation):
    """One package."""

    operations = {"GET": "package_show"}

    @extend_schema(responses=s.PackageDetail)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show a package with its items."""
        return self.answer(s.PackageDetail, queries.detail(request.user, package))


class AssignView(Operation):
    """Giving a package to somebody."""

    operations = {"POST": "package_assign"}

    @extend_schema(request=s.AssignInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Give a free package to an annotator."""
        services.assign_package(actor=request.user, package_id=package, **s.AssignInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class TakeBackView(Operation):
    """Freeing a package that somebody has."""

    operations = {"POST": "package_take_back"}

    @extend_schema(request=s.TakeBackInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Take a package back; what was handed in stays."""
        services.take_back_package(actor=request.user, package_id=package, **s.TakeBackInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class WithdrawView(Operation):
    """Dissolving a package."""

    operations = {"POST": "package_withdraw"}

    @extend_schema(request=RevisionInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Dissolve a package that nobody has begun; its items wait to be packed anew."""
        services.withdraw_package(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class ResumeView(Operation):
    """Opening a package that came back."""

    operations = {"POST": "package_resume"}

    @extend_schema(request=RevisionInput, responses=s.PackageRow)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Go on with a returned package."""
        services.resume_package(actor=request.user, package_id=package, **RevisionInput.parse(request.data))
        return self.answer(s.PackageRow, queries.one(request.user, package, "package_show"))


class NextView(Operation):
    """The desk."""

    operations = {"GET": "work_next"}
    query = s.NextInput

    @extend_schema(parameters=[s.NextInput], responses=s.NextWork)
    def get(self, request: PersonRequest, package: int) -> Response:
        """Show the next items to write, the rules, and how far the package is."""
        given = s.NextInput.parse(request.query_params.dict())
        return self.answer(s.NextWork, queries.next_work(request.user, package, given["after"]))


class DraftView(Operation):
    """What is being typed."""

    operations = {"PUT": "draft_save"}

    @extend_schema(request=s.DraftInput, responses=s.DraftAnswer)
    def put(self, request: PersonRequest, item: int) -> Response:
        """Keep a draft and hear what the rules say."""
        seq, findings, at = services.save_draft(actor=request.user, item_id=item, **s.DraftInput.parse(request.data))
        return self.answer(s.DraftAnswer, {"seq": seq, "findings": findings, "saved_at": at})


class SubmitView(Operation):
    """Handing an item in."""

    operations = {"POST": "item_submit"}

    @extend_schema(request=s.SubmitInput, responses=s.SubmitAnswer)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Write the next revision."""
        row, revision, replayed = services.submit_item(
            actor=request.user, item_id=item, **s.SubmitInput.parse(request.data)
        )
        return self.answer(s.SubmitAnswer, queries.submit_json(row, revision, replayed=replayed))


class SkipView(Operation):
    """Leaving an item unwritten."""

    operations = {"POST": "item_skip"}

    @extend_schema(request=s.SkipInput, responses=s.SkipAnswer)
    def post(self, request: PersonRequest, item: int) -> Response:
        """Leave an item out and say why; a reviewer agrees or insists."""
        row, replayed = services.skip_item(actor=request.user, item_id=item, **s.SkipInput.parse(request.data))
        return self.answer(s.SkipAnswer, {"item_id": row.pk, "state": row.state, "replayed": replayed})


class SelfCheckView(Operation):
    """The annotator's own check."""

    operations = {"POST": "package_self_check"}

    @extend_schema(request=s.SelfCheckInput, responses=s.PackageDetail)
    def post(self, request: PersonRequest, package: int) -> Response:
        """Tick items that were read again."""
        given = s.SelfCheckInput.parse(request.data)
        ticks = {t["id"]: t["revision_no"] for t in given.pop("items")}
        services.self_check(actor=request.user, package_id=package, ticks=ticks, **given)
        return self.answer(s.PackageDetail, queries.detail(request.user, package))


class ImageItemsView(Operation):
    """What was made on a picture."""

    operations = {"GET": "image_items"}

    @extend_schema(responses=s.ImageItemRow(many=True))
    def get(self, request: PersonRequest, image: int) -> Response:
        """List its items with their packages."""
        return Response(s.ImageItemRow(queries.items_of_image(request.user, image), many=True).data)


class ItemsView(Operation):
    """The items of a benchmark."""

    operations = {"GET": "item_list"}
    query = s.ItemListInput

    @extend_schema(parameters=[s.ItemListInput], responses=s.ItemPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List items by number."""
        nothing = dict.fromkeys(("kind", "state", "category", "author", "cursor"))
        given = {**nothing, **s.ItemListInput.parse(request.query_params.dict())}
        return self.answer(s.ItemPage, queries.item_page(request.user, benchmark, **given))


class ImportView(Operation):
    """Items for pictures that are named."""

    operations = {"POST": "item_import"}

    @extend_schema(request=s.ImportInput, responses=s.ImportAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make items for pictures that are here already."""
        given = s.ImportInput.parse(request.data)
        made, existing = services.import_items(actor=request.user, benchmark_slug=benchmark, **given)
        return self.answer(s.ImportAnswer, {"made": made, "existing": existing})


class ItemView(Operation):
    """One item."""

    operations = {"GET": "item_show"}

    @extend_schema(responses=s.ItemAnswer)
    def get(self, request: PersonRequest, item: int) -> Response:
        """Show an item with what was written last."""
        return self.answer(s.ItemAnswer, queries.item_detail(request.user, item))


class BoardView(Operation):
    """The progress board."""

    operations = {"GET": "board_show"}

    @extend_schema(responses=s.BoardAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show how far items, packages and pictures are."""
        return self.answer(s.BoardAnswer, queries.progress(request.user, benchmark))
