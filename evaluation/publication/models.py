"""Which benchmarks and releases are public, under which terms; who accepted them; how often files were downloaded."""

from __future__ import annotations

import uuid

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.releases.models import Release
from annotation.tallies.models import public_changed
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person

_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.Insert | pgtrigger.Update,
    when=pgtrigger.After,
    func=public_changed(),
)


class Publication(models.Model):
    """The public pages of a benchmark; without a row they are closed.

    Attributes:
        terms_mode: ``open``: files can be downloaded at once, the terms stand beside them; ``account``: only by people
            who signed in and accepted the terms.
        terms: The terms of use in the three interface languages; empty without.
        terms_sha256: Identifies the text that people accept; empty without terms.
        citation: How to cite the benchmark: ``authors`` (a list), ``title``, ``year``, ``url``; empty values are left
            out of citations.
        canary: A text on pages with samples and files and in cards, by which copies in training data can be found.
    """

    class Terms(models.TextChoices):
        """Who may download files."""

        OPEN = "open"
        ACCOUNT = "account"

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, primary_key=True, related_name="publication")
    is_open = models.BooleanField(default=False)
    terms_mode = models.CharField(max_length=8, choices=Terms, default=Terms.OPEN)
    terms = models.JSONField(default=dict)
    terms_sha256 = models.CharField(max_length=64, blank=True, default="")
    citation = models.JSONField(default=dict)
    canary = models.UUIDField(default=uuid.uuid4)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(terms_mode__in=["open", "account"]), name="publication_terms_mode"),
            models.CheckConstraint(
                condition=~Q(terms_mode="account") | ~Q(terms_sha256=""), name="publication_accepted_terms_exist"
            ),
        ]
        triggers = [_CHANGES_PUBLIC_PAGES]


class PublicRelease(models.Model):
    """A release that was opened to everybody; from ``closed_at`` on its page only says that it was public.

    A composite foreign key (in the migration) keeps the benchmark equal to the release's.
    """

    release = models.OneToOneField(Release, on_delete=models.PROTECT, primary_key=True, related_name="opened")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(closed_at__gte=F("opened_at")), name="public_release_closed_after"
            ),
        ]
        triggers = [_CHANGES_PUBLIC_PAGES]


class TermsAcceptance(AppendOnly):
    """A person accepted a benchmark's terms of use, once for each text."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    terms_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["person", "benchmark", "terms_sha256"], name="terms_accepted_once"),
            models.CheckConstraint(condition=~Q(terms_sha256=""), name="terms_accepted_text"),
        ]


class Download(models.Model):
    """How often a release's file was downloaded on a day (UTC); neither who nor from where."""

    pk = models.CompositePrimaryKey("release_id", "name", "day")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    day = models.DateField()
    n = models.BigIntegerField(default=0)
