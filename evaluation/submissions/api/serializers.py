"""Submissions as the API takes and shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import paged
from curation.core.api.serializers import ClientKeyInput, JobAnswer, PersonBrief, TextField
from evaluation.submissions.models import Submission

FAULTS = ["wrong_row", "wrong_file", "too_many_rows", "no_known_id"]


class SubmissionInput(ClientKeyInput):
    """A file of predictions (``multipart/form-data``)."""

    file = serializers.FileField(max_length=1_000, allow_empty_file=True)
    system = TextField(max_length=120)
    note = TextField(required=False, allow_blank=True, max_length=500, default="")
    profile = serializers.CharField(max_length=48)


class SubmissionFault(serializers.Serializer[Any]):
    """Why a file could not be read; ``line`` is 0 for the file as a whole, the row's number in an array."""

    code = serializers.ChoiceField(FAULTS)
    line = serializers.IntegerField()
    field = serializers.CharField(allow_blank=True)
    expected = serializers.CharField(allow_blank=True)


class ScoredFigure(serializers.Serializer[Any]):
    """A metric with its 95 % interval; ``scope`` is retrieval's direction, else empty; ``n`` what it is a mean of."""

    scope = serializers.CharField(allow_blank=True)
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)


class ScoredGroup(serializers.Serializer[Any]):
    """A member of a breakdown; ``n`` counts what was asked about it."""

    group = serializers.CharField()
    n = serializers.IntegerField()
    figures = ScoredFigure(many=True)


class ScoredBreakdown(serializers.Serializer[Any]):
    """A report broken down by category, distance, direction."""

    by = serializers.CharField()
    groups = ScoredGroup(many=True)


class ScoredInterval(serializers.Serializer[Any]):
    """How the intervals were made."""

    method = serializers.CharField()
    resamples = serializers.IntegerField()
    seed = serializers.IntegerField()


class SubmissionReport(serializers.Serializer[Any]):
    """What ``manage.py score`` tells of the file; no single answer, neither given nor right, is in it."""

    source = serializers.CharField()
    n_expected = serializers.IntegerField()
    n_scored = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    n_unparsable = serializers.IntegerField()
    n_refused = serializers.IntegerField()
    n_failed = serializers.IntegerField()
    n_unknown_ids = serializers.IntegerField()
    n_duplicate = serializers.IntegerField()
    figures = ScoredFigure(many=True)
    breakdowns = ScoredBreakdown(many=True)
    interval = ScoredInterval()


class SubmissionRow(serializers.Serializer[Any]):
    """One file that was handed in."""

    id = serializers.IntegerField()
    person = PersonBrief()
    system = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    profile = serializers.CharField()
    name = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    state = serializers.ChoiceField(Submission.State.choices)
    fault = SubmissionFault(allow_null=True)
    listed = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    scored_at = serializers.DateTimeField(allow_null=True)
    job = JobAnswer(allow_null=True)
    available_actions = serializers.ListField(child=serializers.CharField())


class AnsweredRelease(serializers.Serializer[Any]):
    """The release that is answered."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.CharField()


class OpenRelease(serializers.Serializer[Any]):
    """A release that may be answered; ``mine`` counts the files that the person handed in."""

    release = AnsweredRelease()
    frozen_at = serializers.DateTimeField()
    mine = serializers.IntegerField()


class SubmissionDetail(SubmissionRow):
    """One file with its report."""

    release = AnsweredRelease()
    report = SubmissionReport(allow_null=True)


class OfferedProfile(serializers.Serializer[Any]):
    """A profile that suits the release."""

    name = serializers.CharField()
    source = serializers.CharField()


class SubmissionDay(serializers.Serializer[Any]):
    """What somebody handed in today in this benchmark; files that could not be read do not count."""

    limit = serializers.IntegerField()
    used = serializers.IntegerField()
    refused = serializers.IntegerField()
    refused_limit = serializers.IntegerField()
    until = serializers.DateTimeField()


class SubmissionAsked(serializers.Serializer[Any]):
    """What a release asks: so many ids of some splits; ``withheld``: their answers are in no public file."""

    release = AnsweredRelease()
    open = serializers.BooleanField()
    splits = serializers.ListField(child=serializers.CharField())
    withheld = serializers.BooleanField()
    expected = serializers.IntegerField()
    profiles = OfferedProfile(many=True)
    day = SubmissionDay()
    maximum_bytes = serializers.IntegerField()


SubmissionPage = paged("SubmissionPage", SubmissionRow, asked=SubmissionAsked())
