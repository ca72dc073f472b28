"""Pictures, decisions about them, their cleaned files, and uploads."""

from __future__ import annotations

import uuid

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person, Team
from curation.taxonomy.models import Category

# Pictures are collected for the categories of a frozen list, also where a service forgets to ask.
_NEEDS_CATEGORIES = pgtrigger.Trigger(
    name="needs_categories",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "if exists (select 1 from curation_benchmark b join curation_protocolversion p on p.id = b.protocol_id"
        " where b.id = new.benchmark_id and p.content #> '{taxonomy,list,board}' = 'true'"
        " and not exists (select 1 from curation_protocollist l where l.protocol_id = p.id and l.axis = ''))"
        " then raise exception using errcode = 'check_violation', constraint = 'image_needs_categories',"
        " message = 'the benchmark''s categories are not frozen'; end if; return new;"
    ),
)


# Values of dimensions are of the current protocol's lists. The lock keeps another from being adopted at that time.
_AXES_OF_LISTS = pgtrigger.Trigger(
    name="axes_of_lists",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("axes"),  # type: ignore[no-untyped-call]
    when=pgtrigger.Before,
    condition=pgtrigger.Condition("(new.axes <> '{}')"),
    func=(
        "perform 1 from curation_benchmark where id = new.benchmark_id for key share; if exists (select 1 from"
        " jsonb_each_text(new.axes) chosen where not exists (select 1 from curation_benchmark b join"
        " curation_protocollist l on l.protocol_id = b.protocol_id and l.axis = chosen.key and l.axis <> '' join"
        " curation_categorylistversion v on v.id = l.list_id cross join jsonb_path_query(v.content,"
        " '$.fields[*].categories[*].slug') entry (slug) where b.id = new.benchmark_id and entry.slug #>> '{}' ="
        " chosen.value)) then raise exception using errcode = 'check_violation', constraint = 'image_axes_of_lists',"
        " message = 'a value is in no list of the protocol'; end if; return new;"
    ),
)


class Image(models.Model):
    """A picture of a benchmark.

    ``sha256`` is the uploaded file's, so that the same file is rejected. ``phash`` is a signed 64-bit perceptual hash
    of the clean rendition, ``phash_inner`` that of its inner part (``rules.near_duplicates``). ``width`` and ``height``
    are the clean rendition's, in pixels; all coordinates refer to it. ``team`` is the team for which it was uploaded;
    None if its contributor was in no team. ``axes`` has the chosen values of dimensions by the dimension's code.

    ``redaction_no`` counts how often something in it was covered; its current files have ``version`` one higher. A
    tick names the version that was looked at, so that covering removes it: ``pii_clear_by`` with ``clear_no`` is that
    of another person, ``shared_at`` with ``shared_no`` that of the contributor, where the protocol allows it.
    """

    class State(models.TextChoices):
        """States of a picture."""

        RECEIVED = "received"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="images")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    phash = models.BigIntegerField()
    phash_inner = models.BigIntegerField(default=0)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    contributor = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    source = models.JSONField()
    licence = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State, default=State.RECEIVED)
    pii_clear_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    redaction_no = models.PositiveIntegerField(default=0, db_default=0)
    clear_no = models.PositiveIntegerField(null=True)
    shared_at = models.DateTimeField(null=True)
    shared_no = models.PositiveIntegerField(null=True)
    # The main category found at inspection; until then the one it was collected for.
    category = models.ForeignKey(Category, on_delete=models.PROTECT, null=True, related_name="images")
    collected_for = models.ForeignKey(Category, on_delete=models.PROTECT, null=True, related_name="+")
    axes = models.JSONField(default=dict, db_default={})
    subset = models.CharField(max_length=1, blank=True)
    # Counted by the inspector: in all, of listed categories, of the main category (CVLUE section 3.3).
    objects_all = models.PositiveSmallIntegerField(null=True)
    objects_listed = models.PositiveSmallIntegerField(null=True)
    objects_main = models.PositiveSmallIntegerField(null=True)
    # Different listed categories; null where no subset asks for them.
    objects_categories = models.PositiveSmallIntegerField(null=True)
    verdict_no = models.PositiveIntegerField(default=0)  # number of decisions so far
    flags = models.JSONField(default=list)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="image_number_once"),
            models.UniqueConstraint(
                fields=["benchmark", "sha256"], condition=~Q(state="refused"), name="image_content_once"
            ),
            models.UniqueConstraint(fields=["contributor", "client_key"], name="image_upload_once"),
            # Target of the composite foreign key by which no one can judge their own picture.
            models.UniqueConstraint(fields=["id", "contributor"], name="image_contributor"),
            # Target of the composite foreign key by which an item's team is its picture's.
            models.UniqueConstraint(fields=["id", "team"], name="image_team"),
            models.CheckConstraint(
                condition=Q(pii_clear_by__isnull=True) | ~Q(pii_clear_by=F("contributor")),
                name="image_not_own_clearance",
            ),
            models.CheckConstraint(
                condition=Q(pii_clear_by__isnull=True, clear_no__isnull=True)
                | Q(pii_clear_by__isnull=False, clear_no__isnull=False, clear_no=F("redaction_no")),
                name="image_clear_of_version",
            ),
            models.CheckConstraint(
                condition=Q(shared_at__isnull=True, shared_no__isnull=True)
                | Q(shared_at__isnull=False, shared_no__isnull=False, shared_no=F("redaction_no")),
                name="image_shared_of_version",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["received", "accepted", "refused", "withdrawn"]), name="image_state"
            ),
            models.CheckConstraint(
                condition=Q(objects_main__isnull=True, objects_listed__isnull=True, objects_all__isnull=True)
                | Q(objects_main__lte=F("objects_listed"), objects_listed__lte=F("objects_all")),
                name="image_objects_nested",
            ),
            models.CheckConstraint(
                condition=Q(objects_categories__isnull=True) | Q(objects_categories__lte=F("objects_listed")),
                name="image_categories_nested",
            ),
            models.CheckConstraint(condition=Q(width__gt=0, height__gt=0), name="image_size"),
        ]
        indexes = [
            models.Index(fields=["benchmark", "state", "number"], name="image_by_state"),
            # One for each filter of the list, in the list's order, so that a page reads only the rows it shows.
            models.Index(fields=["benchmark", "category", "number"], name="image_by_category"),
            models.Index(fields=["benchmark", "subset", "number"], name="image_by_subset"),
            models.Index(fields=["benchmark", "contributor", "number"], name="image_by_contributor"),
            models.Index(fields=["team", "number"], condition=Q(team__isnull=False), name="image_by_team"),
            models.Index(fields=["benchmark", "number"], condition=Q(pii_clear_by=None), name="image_not_clear"),
            models.Index(fields=["benchmark", "number"], condition=Q(pii_clear_by__isnull=False), name="image_clear"),
            models.Index(
                fields=["benchmark", "number"],
                condition=Q(flags__contains=[{"code": "blurred"}]),
                name="image_blurred",
            ),
            models.Index(
                fields=["benchmark", "number"],
                condition=Q(flags__contains=[{"code": "near_duplicate"}]),
                name="image_near_duplicate",
            ),
            GinIndex(fields=["axes"], opclasses=["jsonb_path_ops"], name="image_by_axes"),
            # Every new picture is compared with all others of its benchmark by an index-only scan.
            models.Index(
                fields=["benchmark"], include=("phash", "phash_inner", "state", "number", "id"), name="image_hashes"
            ),
        ]
        triggers = [
            _NEEDS_CATEGORIES,
            _AXES_OF_LISTS,
            # A tick without a number is of the current version: the process of an older release names none.
            pgtrigger.Trigger(
                name="clear_version",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                condition=pgtrigger.Condition("((new.pii_clear_by_id is null) <> (new.clear_no is null))"),
                func=(
                    "new.clear_no := case when new.pii_clear_by_id is not null then new.redaction_no end; return new;"
                ),
            ),
            pgtrigger.Trigger(
                name="versions_only_grow",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("redaction_no"),  # type: ignore[no-untyped-call]
                condition=pgtrigger.Condition("(new.redaction_no < old.redaction_no)"),
                func="raise exception using errcode = 'restrict_violation', message = 'versions only grow';",
            ),
        ]

    @property
    def tick(self) -> str:
        """Who looked at the current version: another person (``clear``), its contributor (``shared``), or nobody."""
        return "clear" if self.pii_clear_by_id is not None else "unticked" if self.shared_at is None else "shared"

    @property
    def version(self) -> int:
        """The version of its current files."""
        return self.redaction_no + 1

    @property
    def label(self) -> str:
        """The picture's name as people see it."""
        return image_label(self.number)


class ImageVerdict(AppendOnly):
    """A curator's decision on a picture (CVLUE section 3.3); never on their own picture."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="verdicts")
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    # A copy, kept equal to the picture's by a composite foreign key (migration), so that CHECK can compare it.
    contributor_id = models.BigIntegerField()
    no = models.PositiveIntegerField()  # first, second … decision on the picture
    outcome = models.CharField(max_length=16)
    reasons = ArrayField(models.CharField(max_length=48), default=list)
    details = models.JSONField(default=dict)  # subset, category and the three counts, as decided
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["judge", "client_key"], name="image_verdict_once"),
            # Of two curators who both saw the picture undecided, the second is refused.
            models.UniqueConstraint(fields=["image", "no"], name="image_verdict_in_order"),
            models.CheckConstraint(condition=~Q(judge=F("contributor_id")), name="image_verdict_not_own"),
            models.CheckConstraint(condition=Q(outcome__in=["accepted", "refused"]), name="image_verdict_outcome"),
        ]
        indexes = [models.Index(fields=["image", "id"], name="image_verdict_of")]


class Rendition(AppendOnly):
    """A cleaned file made from an upload: no metadata, oriented.

    ``clean`` is full size, what coordinates, releases and models refer to; ``view`` at most 1600 px, ``thumb`` 320 px.
    Those of the picture's ``version`` are current; the files of earlier ones are destroyed (``Destruction``). ``key``
    names the file in the store (``curation.core.stores``).
    """

    class Role(models.TextChoices):
        """What a rendition is for."""

        CLEAN = "clean"
        VIEW = "view"
        THUMB = "thumb"

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="renditions")
    role = models.CharField(max_length=8, choices=Role)
    version = models.PositiveSmallIntegerField(default=1)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    key = models.CharField(max_length=200, unique=True)

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["image", "role", "version"], name="rendition_once")]


class InspectionHold(models.Model):
    """Reserves a picture for one curator for some minutes, so that no other curator is asked to judge it."""

    image = models.OneToOneField(Image, on_delete=models.CASCADE, primary_key=True, related_name="hold")
    holder = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    held_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["holder", "held_until"], name="inspection_hold_of")]


class Takedown(AppendOnly):
    """A withdrawal of a picture, so that no future release includes it; or its restoration (``restored``)."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="takedowns")
    no = models.PositiveIntegerField()
    restored = models.BooleanField(default=False)
    by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    state_from = models.CharField(max_length=16)
    reason = models.CharField(max_length=48, blank=True)
    comment = models.TextField(blank=True)
    client_key = models.UUIDField()
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["image", "no"], name="takedown_in_order"),
            models.UniqueConstraint(fields=["by", "client_key"], name="takedown_once"),
        ]


class Upload(models.Model):
    """An uploaded file: received in parts, checked, described, then finalized as a picture or rejected.

    Its bytes are kept in ``MEDIA_ROOT/incoming/<id>`` until it is finalized, dropped or swept.
    """

    class State(models.TextChoices):
        """States of an upload."""

        RECEIVING = "receiving"
        CHECKING = "checking"
        READY = "ready"
        REFUSED = "refused"
        TAKEN = "taken"
        DROPPED = "dropped"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="uploads")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="uploads")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="entries")  # the ZIP it was in
    kind = models.CharField(max_length=8, default="picture")
    filename = models.CharField(max_length=255)
    bytes = models.BigIntegerField()
    received = models.BigIntegerField(default=0)
    # What its files occupy on the disk or will once received, for limits (``services.limits``).
    disk_bytes = models.BigIntegerField(default=0, db_default=0)
    # Entries of an archive that become uploads; they count towards the person's limit from when it is opened.
    entries_to_unpack = models.PositiveIntegerField(default=0, db_default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16, choices=State, default=State.RECEIVING)
    checks = models.JSONField(default=list)  # [{"code", "state", "params"}] in the order of checking
    cleaned = models.JSONField(null=True)  # what the checks measured, and the staged renditions
    details = models.JSONField(default=dict)  # source, licence, category … so far
    error_code = models.CharField(max_length=64, blank=True)
    error_params = models.JSONField(default=dict)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, null=True, related_name="+")
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "client_key"], name="upload_once"),
            models.CheckConstraint(condition=Q(received__gte=0, received__lte=F("bytes")), name="upload_received"),
            models.CheckConstraint(condition=Q(disk_bytes__gte=0), name="upload_disk_bytes"),
            models.CheckConstraint(condition=Q(kind__in=["picture", "zip"]), name="upload_kind"),
            models.CheckConstraint(
                condition=Q(state__in=["receiving", "checking", "ready", "refused", "taken", "dropped", "failed"]),
                name="upload_state",
            ),
            models.CheckConstraint(
                condition=Q(state="taken", kind="zip")
                | Q(state="taken", image__isnull=False)
                | (~Q(state="taken") & Q(image=None)),
                name="upload_taken_as_picture",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "benchmark", "-created_at"], name="upload_newest"),
            models.Index(fields=["expires_at"], name="upload_expiry"),
            # For the sums of bytes: only uploads that have files, read from the indexes alone.
            models.Index(
                fields=["person"], include=("disk_bytes",), condition=Q(disk_bytes__gt=0), name="upload_disk_of_person"
            ),
            models.Index(
                fields=["benchmark"], include=("disk_bytes",), condition=Q(disk_bytes__gt=0), name="upload_disk"
            ),
        ]

    @property
    def check_key(self) -> str:
        """The ``dedupe_key`` of the job that checks it."""
        return f"check-upload-{self.pk}"


class NearPair(AppendOnly):
    """Two pictures that were near duplicates when the later one was added or one was covered; a row each way."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="near_pairs")
    other = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+", db_index=False)
    distance = models.PositiveSmallIntegerField()

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["image", "other"], name="near_pair_once"),
            models.CheckConstraint(condition=~Q(image=F("other")), name="near_pair_of_two"),
            models.CheckConstraint(condition=Q(distance__lte=64), name="near_pair_distance"),
        ]


def media_url(image_id: int, rendition_id: int, role: str, key: str) -> str:
    """Return a rendition's address; its id changes with each version, so the file at an address never changes."""
    return f"/media/{image_id}/{rendition_id}-{role}.{key.rsplit('.', 1)[-1]}"


def image_label(number: int) -> str:
    """Return a picture's name as people see it: ``img-0042``."""
    return f"img-{number:04d}"
