"""Input about releases."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.releases import rules
from annotation.releases.models import Release
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, TextField


class SeedField(serializers.RegexField):
    """A seed of at most 18 digits; a string, because JavaScript's integers are exact only up to 2^53."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[0-9]{1,18}$", **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> int:
        """Return the number once the digits are validated."""
        return int(super().run_validation(data))


class ReleaseUpdateInput(ClientKeyInput):
    """Settings of a draft."""

    seed = SeedField(required=False)
    splits_from = serializers.ChoiceField(Release.SplitsFrom.choices, required=False)
    notes = TextField(lines=True, allow_blank=True, max_length=4_000, required=False)


class ReleaseInput(ReleaseUpdateInput):
    """A new draft; without a seed the server chooses one."""

    kinds = serializers.ListField(child=serializers.CharField(max_length=24), min_length=1, max_length=20)


class WithdrawInput(ClientKeyInput):
    """Why a release is withdrawn; everyone who may see the release can read it."""

    reason = TextField(lines=True, max_length=1_000)


class ChangesInput(PageInput):
    """Which changes to list; without a kind those of the release's first."""

    kind = serializers.CharField(required=False, max_length=24)
    change = serializers.ChoiceField(rules.CHANGES)


class ErrataInput(PageInput):
    """Which errata to list."""

    state = serializers.ChoiceField(rules.ERRATUM_STATES, required=False)


class ErratumInput(ClientKeyInput):
    """A mistake in a published release: by the labels of the release, or of an item, or of both."""

    release = serializers.CharField(max_length=64, required=False, allow_blank=True)
    item = serializers.CharField(max_length=40, required=False, allow_blank=True)
    text = TextField(lines=True, max_length=2_000)


class ErratumNote(serializers.Serializer[Any]):
    """What readers see, in the languages that it was written in."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are not Python names."""
        return {
            tag: TextField(lines=True, allow_blank=True, required=False, max_length=1_000)
            for tag in ("zh-Hans", "zh-Hant", "en")
        }


class ErratumDecisionInput(ClientKeyInput):
    """A decision about an erratum."""

    note = ErratumNote()
