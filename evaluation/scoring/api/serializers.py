"""Scores as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LocalisedText
from evaluation.scoring.rules import SCOPES


class ScoredSystem(serializers.Serializer[Any]):
    """The system that was scored; ``is_demo`` marks one that is no baseline."""

    slug = serializers.CharField()
    name = serializers.CharField()
    revision = serializers.CharField()
    description = LocalisedText()
    is_demo = serializers.BooleanField()


class ScoreGallery(serializers.Serializer[Any]):
    """What was searched in: pictures and texts of one split."""

    images = serializers.IntegerField()
    texts = serializers.IntegerField()
    split = serializers.CharField()


class ScoreLine(serializers.Serializer[Any]):
    """One metric with its 95 % interval; counts are queries. ``t2i`` finds the picture of a text, ``i2t`` a text."""

    profile = serializers.CharField()
    scope = serializers.ChoiceField(choices=SCOPES)
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n_expected = serializers.IntegerField()
    n_scored = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    n_failed = serializers.IntegerField()
    gallery_digest = serializers.CharField()
    details = serializers.JSONField()
    computed_at = serializers.DateTimeField()


class ScoreError(serializers.Serializer[Any]):
    """Why the newest scoring failed."""

    code = serializers.CharField()
    params = serializers.JSONField()


class SystemScores(serializers.Serializer[Any]):
    """A system's scores; counts are vectors, pictures and texts together."""

    system = ScoredSystem()
    run = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["waiting", "scoring", "scored", "failed"])
    error = ScoreError(allow_null=True)
    n_expected = serializers.IntegerField()
    n_scored = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    n_failed = serializers.IntegerField()
    metrics = ScoreLine(many=True)


class ReleaseScores(serializers.Serializer[Any]):
    """All scores of a release; ``suite`` is null where no system is asked about its kind."""

    suite = serializers.CharField(allow_null=True)
    gallery = ScoreGallery()
    systems = SystemScores(many=True)
