"""Input about drafting."""

from __future__ import annotations

from typing import get_args

from rest_framework import serializers

from annotation.drafting.rules import MOST_CANDIDATES, Discard
from curation.core.api.serializers import ClientKeyInput, Input


class DraftingsQuery(Input):
    """Whether only drafts under way are listed, for pages that wait for them."""

    open_only = serializers.BooleanField(required=False, default=False)


class DraftingInput(ClientKeyInput):
    """The concept that questions are drafted about."""

    concept = serializers.IntegerField(min_value=1, max_value=2**53)


class _CandidateInput(ClientKeyInput):
    no = serializers.IntegerField(min_value=0, max_value=MOST_CANDIDATES)


class UseCandidateInput(_CandidateInput):
    """A candidate by its number, and the item whose question is written from it."""

    item = serializers.IntegerField(min_value=1, max_value=2**53)


class DiscardCandidateInput(_CandidateInput):
    """A candidate by its number, and why it is of no use."""

    reason = serializers.ChoiceField(choices=get_args(Discard))
