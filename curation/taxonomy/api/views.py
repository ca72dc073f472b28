"""HTTP of benchmarks, their protocols and categories."""

from __future__ import annotations

from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people.api.requests import PersonRequest
from curation.people.rules import HEADS, MEMBERS, OWNERS
from curation.taxonomy import queries, services, shapes
from curation.taxonomy.api import serializers as s


class PresetsView(OperationView):
    """Protocols to start from."""

    get = query("preset_list", queries.preset_rows, OWNERS)


class PresetView(OperationView):
    """One protocol to start from."""

    get = query("preset_show", queries.preset_page, OWNERS)


class ProtocolCheckView(OperationView):
    """A text checked as a protocol; nothing is stored."""

    # A read with a body, because a protocol is too long for an address.
    @operation("protocol_check", HEADS, body=s.ProtocolCheckInput, answer=shapes.ProtocolCheckAnswer)
    def post(self, request: PersonRequest) -> Response:
        """List every error of a text, or what it would change."""
        return Response(queries.check_text(request.user, **s.ProtocolCheckInput.parse(request.data)))


class ProtocolsView(OperationView):
    """A benchmark's protocol versions."""

    get = query("protocol_list", queries.protocol_rows, MEMBERS, shows="protocol")
    post = command(
        "protocol_adopt",
        services.adopt_protocol,
        s.ProtocolInput,
        HEADS,
        then=queries.adopted_protocol,
        status=201,
        changes="protocol proposal invitation",
        by_token=False,  # a protocol says what each role may do
    )


class ProposalsView(OperationView):
    """Texts proposed as a benchmark's next protocol version."""

    get = query("protocol_proposal_list", queries.proposal_rows, HEADS, shows="protocol proposal")
    post = command(
        "protocol_propose",
        services.propose_protocol,
        s.ProtocolInput,
        HEADS,
        then=queries.proposal_answer,
        status=201,
        changes="proposal",
        by_token=False,  # as protocol_adopt: it is half of a change of capabilities
    )


class ProposalView(OperationView):
    """One proposal."""

    get = query("protocol_proposal_show", queries.proposal_page, HEADS, shows="protocol proposal")


class ProposalWithdrawView(OperationView):
    """The withdrawal of a proposal."""

    post = command(
        "protocol_proposal_withdraw",
        services.withdraw_proposal,
        ClientKeyInput,
        HEADS,
        then=queries.proposal_answer,
        changes="proposal",
        by_token=False,
    )


class ProtocolView(OperationView):
    """One version."""

    get = query("protocol_show", queries.protocol_page, MEMBERS, shows="protocol")


class ProtocolComparisonView(OperationView):
    """Two versions compared."""

    get = query("protocol_compare", queries.compare_versions, MEMBERS, parameters=s.CompareQuery, shows="protocol")


class BenchmarksView(OperationView):
    """The benchmarks that the person takes part in."""

    get = query(
        "benchmark_list", queries.benchmark_rows, MEMBERS, entry=Entry.SIGNED_IN, shows="benchmark item image release"
    )
    post = command(
        "benchmark_create",
        services.create_benchmark,
        s.BenchmarkInput,
        OWNERS,
        then=queries.benchmark_answer,
        status=201,
        by_token=False,
        changes="benchmark role",
    )


class BenchmarkView(OperationView):
    """One benchmark."""

    get = query("benchmark_show", queries.benchmark_page, MEMBERS, shows="benchmark")


class CategoryListCheckView(OperationView):
    """A text checked as a list of categories; nothing is stored."""

    # A read with a body, as the check of a protocol.
    @operation("category_list_check", HEADS, body=s.ListCheckInput, answer=shapes.CategoryListCheckAnswer)
    def post(self, request: PersonRequest) -> Response:
        """List every error of a list by line and column, and its cells."""
        return Response(queries.check_list(request.user, **s.ListCheckInput.parse(request.data)))


class CategoryListsView(OperationView):
    """The versions of a benchmark's lists of categories."""

    get = query("category_list_versions", queries.list_rows, MEMBERS, shows="protocol category_list")
    post = command(
        "category_list_create",
        services.create_list,
        s.ListInput,
        HEADS,
        then=queries.created_list,
        status=201,
        changes="category_list",
    )


class CategoryListView(OperationView):
    """One version of a list."""

    get = query("category_list_show", queries.list_page, MEMBERS, shows="protocol category_list")


class CategoryListUseView(OperationView):
    """Taking a benchmark's categories from a list."""

    post = command(
        "category_list_use",
        services.use_list,
        s.ListUseInput,
        HEADS,
        then=queries.adopted_protocol,
        status=201,
        changes="protocol proposal benchmark category_list",
        by_token=False,  # as protocol_adopt
    )
