"""Submitted files of predictions; the rows are kept, and the files of those that could be read."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.releases.models import BENCHMARK_OF_RELEASE, Release
from annotation.tallies.models import public_changed

# A submission never changes, and neither does its result once it has one; only ``listed`` may change.
_KEPT = pgtrigger.Trigger(
    name="kept",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'UPDATE' and "
        "row(new.id, new.release_id, new.person_id, new.system, new.note, new.profile, new.name, new.sha256, "
        "new.bytes, new.key, new.created_at) is not distinct from "
        "row(old.id, old.release_id, old.person_id, old.system, old.note, old.profile, old.name, old.sha256, "
        "old.bytes, old.key, old.created_at) and (old.state = 'waiting' or "
        "row(new.state, new.report, new.fault, new.scored_at) is not distinct from "
        "row(old.state, old.report, old.fault, old.scored_at)) then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('submission %s is kept', old.id);"
    ),
)

_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.UpdateOf("listed"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    condition=pgtrigger.Q(old__listed__df=pgtrigger.F("new__listed")),
    func=public_changed(BENCHMARK_OF_RELEASE),
)


class Submission(models.Model):
    """A file of one system's predictions for one release, scored by one profile.

    ``report`` is what ``manage.py score`` prints, without items; ``fault`` says why the file could not be read:
    ``{"code", "line", "field", "expected"}``.
    """

    class State(models.TextChoices):
        """Whether it was scored."""

        WAITING = "waiting"
        SCORED = "scored"
        REFUSED = "refused"

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="submissions")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=120)
    note = models.CharField(max_length=500, blank=True)
    profile = models.CharField(max_length=48)
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    bytes = models.BigIntegerField()
    key = models.CharField(max_length=200)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    report = models.JSONField(null=True)
    fault = models.JSONField(null=True)
    listed = models.BooleanField(default=False)
    job_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    scored_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["waiting", "scored", "refused"]), name="submission_state"),
            models.CheckConstraint(
                condition=Q(state="scored", report__isnull=False, scored_at__isnull=False)
                | (~Q(state="scored") & Q(report__isnull=True)),
                name="submission_scored_with_report",
            ),
            models.CheckConstraint(
                condition=Q(state="refused", fault__isnull=False) | (~Q(state="refused") & Q(fault__isnull=True)),
                name="submission_refused_with_fault",
            ),
            models.CheckConstraint(condition=Q(listed=False) | Q(state="scored"), name="submission_listed_is_scored"),
        ]
        indexes = [
            models.Index(fields=["release", "-id"], name="submission_newest"),
            models.Index(fields=["person", "-id"], name="submission_of_person"),
        ]
        triggers = [_KEPT, _CHANGES_PUBLIC_PAGES]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"submission-{self.pk}"
