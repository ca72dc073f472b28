"""Leaderboards and samples as the API takes and shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import LARGEST, Input, LocalisedText
from evaluation.scoring.api.serializers import ScoredSystem
from evaluation.scoring.rules import SCOPES
from evaluation.submissions.api.serializers import ScoredFigure


class BoardQuery(Input):
    """Which numbers of the board; without ``group_by`` those over everything and by cultural distance."""

    group_by = serializers.ChoiceField(choices=["category", "distance"], required=False)
    scope = serializers.ChoiceField(choices=SCOPES, required=False)


class ComparisonQuery(Input):
    """Two runs and the metric they are compared by."""

    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    other = serializers.IntegerField(min_value=1, max_value=LARGEST)
    scope = serializers.ChoiceField(choices=SCOPES)
    metric = serializers.CharField(max_length=24)


class FileQuery(Input):
    """In which colours and words a file is made."""

    theme = serializers.ChoiceField(choices=["light", "dark"], required=False, default="light")
    lang = serializers.ChoiceField(choices=["zh-Hans", "zh-Hant", "en"], required=False, default="zh-Hans")


class SampleFilters(Input):
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


class BoardGallery(serializers.Serializer[Any]):
    """What was searched in: pictures and texts of one split; ``digest`` names exactly which."""

    split = serializers.CharField()
    images = serializers.IntegerField()
    texts = serializers.IntegerField()
    digest = serializers.CharField()


class BoardGroup(serializers.Serializer[Any]):
    """A group of pictures; ``n`` counts them."""

    group_by = serializers.ChoiceField(choices=["category", "distance"])
    group = serializers.CharField()
    name = LocalisedText()
    n = serializers.IntegerField()


class BoardScore(serializers.Serializer[Any]):
    """One number with its 95 % interval; counts are queries. ``group_by`` and ``group`` are empty over everything."""

    scope = serializers.ChoiceField(choices=SCOPES)
    metric = serializers.CharField()
    group_by = serializers.CharField()
    group = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    interval = serializers.CharField(allow_null=True)
    n_expected = serializers.IntegerField()
    n_scored = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    n_failed = serializers.IntegerField()


class BoardGap(serializers.Serializer[Any]):
    """How far a system's best group lies above its worst, with the 95 % interval of that difference."""

    scope = serializers.ChoiceField(choices=SCOPES)
    metric = serializers.CharField()
    group_by = serializers.CharField()
    gap = serializers.FloatField()
    highest = serializers.CharField()
    lowest = serializers.CharField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    interval = serializers.CharField()


class BoardSystem(serializers.Serializer[Any]):
    """A system's row: its newest complete scoring, of whichever run, else its newest.

    ``of`` tells whether the rolling run answered or one made for this release; ``shown`` where it stands.
    """

    system = ScoredSystem()
    run = serializers.IntegerField()
    of = serializers.ChoiceField(choices=["rolling", "release"])
    scoring = serializers.IntegerField(allow_null=True)
    computed_at = serializers.DateTimeField(allow_null=True)
    shown = serializers.ChoiceField(choices=["scored", "partial", "scoring", "waiting", "failed"])
    scores = BoardScore(many=True)
    gaps = BoardGap(many=True)


class BoardFile(serializers.Serializer[Any]):
    """A file made of the board; takes ``theme`` and ``lang``."""

    name = serializers.CharField()
    url = serializers.CharField()


class HandedInRow(serializers.Serializer[Any]):
    """A file of predictions that whoever handed it in put on the board; ``is_open``: its page is open to the asker."""

    id = serializers.IntegerField()
    system = serializers.CharField()
    is_open = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    figures = ScoredFigure(many=True)
    n_expected = serializers.IntegerField()
    n_scored = serializers.IntegerField()
    n_missing = serializers.IntegerField()


class HandedIn(serializers.Serializer[Any]):
    """What was handed in and scored by one profile, best first."""

    profile = serializers.CharField()
    source = serializers.CharField()
    rows = HandedInRow(many=True)


class Leaderboard(serializers.Serializer[Any]):
    """Systems side by side; ``suite`` is null where no system is asked about the release's kind."""

    suite = serializers.CharField(allow_null=True)
    profile = serializers.CharField()
    gallery = BoardGallery()
    metrics = serializers.ListField(child=serializers.CharField())
    scopes = serializers.ListField(child=serializers.CharField())
    groups = BoardGroup(many=True)
    systems = BoardSystem(many=True)
    charts = BoardFile(many=True)
    handed_in = HandedIn(many=True)


class SystemsCompared(serializers.Serializer[Any]):
    """Two systems on the queries both were ranked on; ``difference`` is the first's share less the other's.

    ``only_one`` counts queries that only the first hit, ``images`` the pictures they come from.
    """

    n = serializers.IntegerField()
    images = serializers.IntegerField()
    both = serializers.IntegerField()
    only_one = serializers.IntegerField()
    only_other = serializers.IntegerField()
    neither = serializers.IntegerField()
    difference = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    p = serializers.FloatField(allow_null=True)
    method = serializers.CharField()
    interval = serializers.CharField()


class SampledItem(serializers.Serializer[Any]):
    """An item by name."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class SampleImage(serializers.Serializer[Any]):
    """A picture by name, small."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    thumb_url = serializers.CharField()


class SampleView(SampleImage):
    """A picture to look at."""

    view_url = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class SampleRow(serializers.Serializer[Any]):
    """A query; ``rank`` counts from 0 and is null where nothing could be ranked, ``text`` null for a picture."""

    scope = serializers.ChoiceField(choices=SCOPES)
    ordinal = serializers.IntegerField()
    item = SampledItem()
    image = SampleImage()
    variant = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    category = serializers.CharField()
    distance = serializers.CharField()


SamplePage = paged("SamplePage", SampleRow, run=serializers.IntegerField(allow_null=True))


class SampleQuery(serializers.Serializer[Any]):
    """What was asked; ``texts`` are all texts of the picture in this release."""

    scope = serializers.ChoiceField(choices=SCOPES)
    ordinal = serializers.IntegerField()
    item = SampledItem()
    image = SampleView()
    variant = serializers.CharField()
    texts = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(allow_null=True)
    category = serializers.CharField()
    distance = serializers.CharField()


class SampleGold(serializers.Serializer[Any]):
    """A right answer."""

    item = SampledItem()
    image = SampleImage()
    variant = serializers.CharField()
    text = serializers.CharField(allow_null=True)


class SampleNear(SampleGold):
    """One of a system's first answers; ``similarity`` is the cosine."""

    similarity = serializers.FloatField()
    is_gold = serializers.BooleanField()


class SampleSystem(serializers.Serializer[Any]):
    """What a system made of the query."""

    system = ScoredSystem()
    run = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    nearest = SampleNear(many=True)


class Sample(serializers.Serializer[Any]):
    """A query with every system's answer; ``previous`` and ``next`` are ordinals within the filters."""

    query = SampleQuery()
    gold = SampleGold(many=True)
    systems = SampleSystem(many=True)
    previous = serializers.IntegerField(allow_null=True)
    next = serializers.IntegerField(allow_null=True)
