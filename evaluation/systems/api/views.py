"""HTTP of systems."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.views import OperationView
from curation.people.rules import OWNERS, STAFF
from evaluation.systems import queries, services
from evaluation.systems.api import serializers as s


class SystemsView(OperationView):
    """Every system that can be tested on this site, or could be."""

    get = query("system_list", queries.list_systems, STAFF, shows="system")
    post = command(
        "system_serve",
        services.request_serve,
        s.ServeInput,
        OWNERS,
        then=queries.fetched_system,
        by_token=False,
        changes="system",
    )


class ModelServersView(OperationView):
    """The model servers that can be chosen."""

    get = query("model_server_list", queries.model_servers, OWNERS, shows="system")


class SystemView(OperationView):
    """One system."""

    get = query("system_show", queries.show_system, STAFF, shows="system")


class FetchView(OperationView):
    """Fetching a system's files."""

    post = command(
        "system_fetch",
        services.request_fetch,
        s.FetchInput,
        OWNERS,
        then=queries.fetched_system,
        by_token=False,
        changes="system",
    )
