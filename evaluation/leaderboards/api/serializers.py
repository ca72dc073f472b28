"""Input about leaderboards and samples."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import LARGEST, Input
from evaluation.scoring.rules import SCOPES

_ROW = r"^(run|submission)-[1-9][0-9]{0,18}$"


class KindInput(Input):
    """Which kind of a release; without it the first that systems are tested on."""

    kind = serializers.CharField(required=False, max_length=24)


class BoardQuery(KindInput):
    """Which numbers of the board; without ``group_by`` those over everything and by cultural distance."""

    group_by = serializers.ChoiceField(choices=["category", "distance"], required=False)
    scope = serializers.ChoiceField(choices=SCOPES, required=False)


class ComparisonQuery(KindInput):
    """Two runs and the metric they are compared by."""

    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    other = serializers.IntegerField(min_value=1, max_value=LARGEST)
    scope = serializers.ChoiceField(choices=SCOPES)
    metric = serializers.CharField(max_length=24)


class ProfileInput(Input):
    """A scoring profile; without it the first that scored something."""

    profile = serializers.CharField(required=False, max_length=48)


class ProfileBoardQuery(ProfileInput):
    """Which numbers: by a tag of the questions, without it by the first with several values."""

    tag = serializers.CharField(required=False, max_length=32)


class ReleaseProfileBoardQuery(ProfileBoardQuery, KindInput):
    """The same of a kind of a release."""


class RowsQuery(ProfileInput):
    """Two rows of a profile: runs or submissions."""

    one = serializers.RegexField(_ROW, max_length=32)
    other = serializers.RegexField(_ROW, max_length=32)


class ReleaseRowsQuery(RowsQuery, KindInput):
    """The same of a kind of a release."""


class Look(Input):
    """In which colours and words a file is made."""

    theme = serializers.ChoiceField(choices=["light", "dark"], required=False, default="light")
    lang = serializers.ChoiceField(choices=["zh-Hans", "zh-Hant", "en"], required=False, default="zh-Hans")


class SetFileQuery(Look, ProfileInput):
    """A file of what a profile scores on an item set."""


class FileQuery(Look, ProfileInput, KindInput):
    """A file of a release's board; with a profile one of what that scores."""


class SampleFilters(KindInput):
    """Which queries of a run; ``at`` says up to which rank an answer is a hit, ``missing`` has no rank at all.

    Without ``run`` the run that leads the board. A group named ``-`` holds what has no category or distance.
    """

    run = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)
    outcome = serializers.ChoiceField(choices=["hit", "miss", "missing"], required=False)
    at = serializers.ChoiceField(choices=[1, 5, 10], required=False, default=1)
    category = serializers.CharField(required=False, max_length=64)
    distance = serializers.CharField(required=False, max_length=32)


class SamplesQuery(PageInput, SampleFilters):
    """A page of queries: in the release's order, best rank first or worst rank first."""

    scope = serializers.ChoiceField(choices=SCOPES, required=False, default="t2i")
    order = serializers.ChoiceField(choices=["ordinal", "rank", "-rank"], required=False, default="ordinal")
