"""Input about uploads by addresses."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input
from curation.url_lists.rules import MOST_CHARACTERS


class UrlSettingInput(ClientKeyInput):
    """The switch."""

    is_on = serializers.BooleanField()


class TableField(serializers.CharField):
    """A table of addresses; its cells are cleaned when it is read."""

    def __init__(self) -> None:
        # Rules count the characters, so that people read how many lines a list may have.
        super().__init__(trim_whitespace=False, allow_blank=True, max_length=4 * MOST_CHARACTERS)


class ListPreviewInput(Input):
    """A list to read."""

    text = TableField()


class UrlListInput(ClientKeyInput):
    """A list to fetch."""

    text = TableField()


class UrlListsInput(PageInput):
    """Which page of lists."""
