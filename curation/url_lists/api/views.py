"""HTTP of uploads by addresses."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import ADMINISTRATORS, COLLECTORS, HEADS
from curation.url_lists import queries, services
from curation.url_lists.api import serializers as s


class SettingView(OperationView):
    """The switch of a benchmark."""

    get = query("url_setting_show", queries.setting_detail, COLLECTORS | HEADS, shows="url_setting")
    patch = command(
        "url_setting_update",
        services.update_setting,
        s.UrlSettingInput,
        ADMINISTRATORS,
        then=queries.changed_setting,
        changes="url_setting",
    )


class PreviewView(OperationView):
    """Reading a list without storing it."""

    post = command("url_list_preview", services.preview_list, s.ListPreviewInput, COLLECTORS, then=queries.preview)


class ListsView(OperationView):
    """A person's lists, and submitting another."""

    get = query("url_list_list", queries.list_page, COLLECTORS, parameters=s.UrlListsInput, shows="url_list upload")
    post = command(
        "url_list_create",
        services.create_list,
        s.UrlListInput,
        COLLECTORS,
        then=queries.updated_list,
        contributes=True,
        changes="url_list upload",
    )


class ListView(OperationView):
    """One list."""

    get = query("url_list_show", queries.list_detail, COLLECTORS, shows="url_list upload")


class RetryView(OperationView):
    """Fetching the failed lines again."""

    post = command(
        "url_list_retry",
        services.retry_list,
        ClientKeyInput,
        COLLECTORS,
        then=queries.updated_list,
        contributes=True,
        changes="url_list upload",
    )
