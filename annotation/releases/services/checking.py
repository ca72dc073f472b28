"""How a worker checks a draft of so many items that a request would take too long."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from annotation.releases import access, queries, states
from annotation.releases.models import Release, ReleaseOutlook
from annotation.releases.shapes import OutlookContent
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.transitions import advance

CHECK: Final = "annotation.check_release"


def check(lease: jobs.Lease) -> None:
    """Keep what a draft would hold and, if no gate fails, mark it as checked; does nothing if it is no draft any more.

    Its content is read before the row is locked. Its settings do not change meanwhile, but the benchmark may get
    another protocol: then it is read again.
    """
    while True:
        release = access.newest_release(lease.args["release_id"])
        if release.state != Release.State.DRAFT:
            return
        content = queries.outlook(release)
        lease.progress(1, 1)
        with transaction.atomic():
            locked = access.newest_release(release.pk, lock=True)
            if (locked.state, locked.protocol_id) == (release.state, release.protocol_id):
                keep_outlook(locked, content)
                if not content["gate_counts"]:
                    _mark_checked(locked, lease)
                return


def _mark_checked(release: Release, lease: jobs.Lease) -> None:
    decision = Decision(actor_id=lease.job.actor_id, action="release_check", row=release, client_key=None)
    advance(release, "check", table=states.TABLE)
    release.checked_at = timezone.now()
    release.save(update_fields=["state", "checked_at", "protocol"])
    decision.record()


def keep_outlook(release: Release, content: OutlookContent) -> None:
    """Replace the outlook that a release's page shows."""
    values = {
        "content": content,
        "image_count": sum(content["images"].values()),
        "computed_at": timezone.now(),
    }
    ReleaseOutlook.objects.update_or_create(release=release, defaults=values)
