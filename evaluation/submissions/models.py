"""Submitted files of predictions; the rows are kept, and the files of those that could be read."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.releases.models import BENCHMARK_OF_RELEASE, Release
from annotation.tallies.models import public_changed
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from evaluation.submissions import rules

# A submission never changes, and neither does its result once it has one; ``listed`` and ``hidden_reason`` may change,
# and a crew takes over what its first member submitted before it had a name.
_KEPT = pgtrigger.Trigger(
    name="kept",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'UPDATE' and "
        "row(new.id, new.release_id, new.person_id, new.system, new.note, new.profile, new.name, new.sha256, "
        "new.bytes, new.key, new.created_at) is not distinct from "
        "row(old.id, old.release_id, old.person_id, old.system, old.note, old.profile, old.name, old.sha256, "
        "old.bytes, old.key, old.created_at) and (old.crew_id is null or new.crew_id = old.crew_id) and "
        "(old.state = 'waiting' or "
        "row(new.state, new.report, new.fault, new.scored_at) is not distinct from "
        "row(old.state, old.report, old.fault, old.scored_at)) then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('submission %s is kept', old.id);"
    ),
)

# Also where an old process writes the row: what a member of a crew submits is the crew's.
_OF_CREW = pgtrigger.Trigger(
    name="of_crew",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("crew_id"),  # type: ignore[no-untyped-call]
    when=pgtrigger.Before,
    func=(
        "new.crew_id := (select m.crew_id from evaluation_crewmember m join annotation_release r "
        "on r.benchmark_id = m.benchmark_id where r.id = new.release_id and m.person_id = new.person_id); return new;"
    ),
)

_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.UpdateOf("listed", "crew_id"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    condition=pgtrigger.Q(old__listed__df=pgtrigger.F("new__listed"))
    | pgtrigger.Q(old__crew_id__df=pgtrigger.F("new__crew_id")),
    func=public_changed(BENCHMARK_OF_RELEASE),
)


_RENAMED = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.UpdateOf("name"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    condition=pgtrigger.Q(old__name__df=pgtrigger.F("new__name")),
    func=public_changed(),
)
# A person who submitted a file stays in the crew, whose limits it counts for.
_STAYS = pgtrigger.Trigger(
    name="stays",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'DELETE' and not exists (select 1 from evaluation_submission s "
        "where s.crew_id = old.crew_id and s.person_id = old.person_id) then return old; end if; "
        "raise exception using errcode = 'restrict_violation', "
        "message = format('person %s stays in crew %s', old.person_id, old.crew_id);"
    ),
)


class Crew(models.Model):
    """People who submit together in one benchmark and have the limits of one; a person without one is alone.

    ``key`` is the same for names that differ in letter case, width or blanks alone. ``link_sha256`` is the hash of the
    link by which others join; empty: there is none.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=rules.CREW_NAME)
    key = models.CharField(max_length=64)
    link_sha256 = models.CharField(max_length=64, blank=True, default="")
    link_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "key"], name="crew_name_once"),
            models.UniqueConstraint(fields=["link_sha256"], condition=~Q(link_sha256=""), name="crew_link_once"),
            models.CheckConstraint(condition=~Q(name=""), name="crew_has_name"),
            models.CheckConstraint(
                condition=Q(link_sha256="", link_until=None) | (~Q(link_sha256="") & Q(link_until__isnull=False)),
                name="crew_link_ends",
            ),
        ]
        triggers = [_RENAMED]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"crew-{self.pk}"


class CrewMember(models.Model):
    """A person's only crew in a benchmark; a composite key (in the migration) keeps it the crew's benchmark."""

    pk = models.CompositePrimaryKey("benchmark_id", "person_id")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="crews")
    crew = models.ForeignKey(Crew, on_delete=models.PROTECT, related_name="members")
    joined_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [_STAYS]


class Submission(models.Model):
    """A file of one system's predictions for one release, scored by one profile.

    ``crew`` is the submitter's, empty for a person alone; a trigger sets it. ``hidden_reason`` is why an administrator
    took it off the leaderboard; empty: nobody did. ``report`` is what ``manage.py score`` prints, without items;
    ``fault`` says why the file could not be read: ``{"code", "line", "field", "expected"}``.
    """

    class State(models.TextChoices):
        """Whether it was scored."""

        WAITING = "waiting"
        SCORED = "scored"
        REFUSED = "refused"

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="submissions")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    crew = models.ForeignKey(Crew, on_delete=models.PROTECT, null=True, related_name="submissions")
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
    hidden_reason = models.CharField(max_length=500, blank=True, default="", db_default="")
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
            models.CheckConstraint(condition=Q(listed=False) | Q(hidden_reason=""), name="submission_hidden_unlisted"),
        ]
        indexes = [
            models.Index(fields=["release", "-id"], name="submission_newest"),
            models.Index(fields=["person", "-id"], name="submission_of_person"),
        ]
        triggers = [_KEPT, _OF_CREW, _CHANGES_PUBLIC_PAGES]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"submission-{self.pk}"


class SubmissionUnits(AppendOnly):
    """As :class:`evaluation.scoring.models.ReportUnits`, of a scored submission."""

    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, primary_key=True, related_name="units")
    rights = models.JSONField()
