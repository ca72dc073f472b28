"""HTTP of packages and of writing."""

from __future__ import annotations

from annotation.packages import queries, services
from annotation.packages.api import serializers as s
from curation.core.api.operations import command, csv_file, query
from curation.core.api.serializers import RevisionInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.rules import ADMINISTRATORS, ASSIGNED_ANNOTATORS, STAFF

_READERS = STAFF | ASSIGNED_ANNOTATORS


class PackagesView(OperationView):
    """The packages of a benchmark."""

    get = query("package_list", queries.package_page, _READERS, parameters=s.PackageListInput, shows="package")


class PackageFileView(OperationView):
    """The list of packages as a file."""

    get = csv_file(
        "package_file",
        queries.package_cells,
        queries.PACKAGE_COLUMNS,
        _READERS,
        title="packages",
        parameters=s.PackageFilters,
    )


class PreviewView(OperationView):
    """A preview of a build."""

    post = command("package_preview", queries.preview, s.PreviewInput, ADMINISTRATORS, shows="package item")


class BuildView(OperationView):
    """Building packages."""

    post = command(
        "package_build",
        services.build_packages,
        s.BuildInput,
        ADMINISTRATORS,
        then=queries.build_answer,
        changes="package item",
    )


class ClaimView(OperationView):
    """Claiming a package."""

    post = command(
        "package_claim",
        services.claim_package,
        s.ClaimInput,
        reaches(annotate="all"),
        then=queries.claim_answer,
        contributes=True,
        changes="package",
    )


class PackageView(OperationView):
    """One package."""

    get = query("package_show", queries.package_detail, _READERS, shows="package item")


class PlacesView(OperationView):
    """The items of one package, without their contents."""

    get = query("package_items", queries.package_places, _READERS, shows="package item")


class AssignView(OperationView):
    """Assigning a package."""

    post = command(
        "package_assign",
        services.assign_package,
        s.AssignInput,
        ADMINISTRATORS,
        then=queries.updated_package,
        changes="package",
    )


class RevokeAssignmentView(OperationView):
    """Revoking an assignment."""

    post = command(
        "package_take_back",
        services.revoke_assignment,
        s.RevokeInput,
        ADMINISTRATORS,
        then=queries.updated_package,
        changes="package",
    )


class WithdrawView(OperationView):
    """Withdrawing a package."""

    post = command(
        "package_withdraw",
        services.withdraw_package,
        RevisionInput,
        ADMINISTRATORS,
        then=queries.updated_package,
        changes="package item",
    )


class ResumeView(OperationView):
    """Resuming a returned package."""

    post = command(
        "package_resume",
        services.resume_package,
        RevisionInput,
        ASSIGNED_ANNOTATORS,
        then=queries.updated_package,
        changes="package",
    )


class NextView(OperationView):
    """The annotator's desk: the next items to write."""

    get = query("work_next", queries.next_work, ASSIGNED_ANNOTATORS, parameters=s.NextInput, shows="package item")


class SkipView(OperationView):
    """Skipping an item."""

    post = command(
        "item_skip",
        services.skip_item,
        s.SkipInput,
        ASSIGNED_ANNOTATORS,
        then=queries.skip_answer,
        contributes=True,
        changes="item package",
    )


class SelfCheckView(OperationView):
    """The annotator's self-check."""

    post = command(
        "package_self_check",
        services.self_check,
        s.SelfCheckInput,
        ASSIGNED_ANNOTATORS,
        then=queries.checked_package,
        changes="package",
    )


class ImportView(OperationView):
    """Creating items for listed pictures."""

    post = command("item_import", services.import_items, s.ImportInput, ADMINISTRATORS, changes="item")


class BoardView(OperationView):
    """The progress board."""

    get = query("board_show", queries.progress, STAFF, shows="package item image")
