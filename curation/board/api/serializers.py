"""Input about the board."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.board.rules import ACTIONS, GROUPS, LONGEST_NAME, USUAL_REASONS, VOUCHINGS
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField

FIELD = r"^[a-z][a-z0-9_]{0,47}$"
LONGEST_REASON = 500
_USUAL = [code for codes in USUAL_REASONS.values() for code in codes]


class CategoryBoardNameInput(Input):
    """A category's name in the languages that have one."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are not Python names."""
        return {
            tag: TextField(max_length=LONGEST_NAME, required=False, allow_blank=True)
            for tag in ("zh-Hans", "zh-Hant", "en")
        }


class CategoryBoardProposalInput(Input):
    """A category that is about to be proposed."""

    # The name ``field`` stands for a part of a serializer elsewhere, but not as an attribute.
    field = serializers.RegexField(FIELD)
    name = CategoryBoardNameInput()
    vouched = serializers.ListField(child=serializers.ChoiceField(VOUCHINGS), max_length=len(VOUCHINGS))


class CategoryBoardDraftInput(Input):
    """A person's proposals, and the revision that they edited."""

    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
    rows = serializers.ListField(child=CategoryBoardProposalInput(), max_length=500)


class CategoryBoardDecisionInput(ClientKeyInput):
    """A decision about a proposed category."""

    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
    action = serializers.ChoiceField([action for action in ACTIONS if action not in ("propose", "add")])
    reason = TextField(max_length=LONGEST_REASON, required=False, allow_blank=True)
    into = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    name = CategoryBoardNameInput(required=False)
    group = serializers.ChoiceField([*GROUPS, ""], required=False)
    usual = serializers.ChoiceField(_USUAL, required=False)


class CategoryBoardEntryInput(ClientKeyInput):
    """A category to add."""

    field = serializers.RegexField(FIELD)
    name = CategoryBoardNameInput()
    reason = TextField(max_length=LONGEST_REASON, allow_blank=True)
    usual = serializers.ChoiceField(_USUAL, required=False)


class CategoryBoardImportInput(ClientKeyInput):
    """An existing list whose categories are proposed."""

    name = serializers.RegexField(r"^[a-z][a-z0-9-]{0,47}$")
    version = serializers.IntegerField(min_value=1, max_value=LARGEST)


class CategoryBoardFreezeInput(ClientKeyInput):
    """Freezing the list: the board's revision that was seen."""

    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
