"""The files of a public release; those that hold answers are never named."""

from __future__ import annotations

from annotation.releases.errors import ReleaseFileCovered, ReleaseFileGone, ReleaseNotWritten
from annotation.releases.exporters import archive, registry
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile
from annotation.releases.queries import ArchiveToSend, archive_of, covered_pictures, facts_of, settings_of
from curation.core.errors import NotFound
from evaluation.publication.errors import NoLongerPublic
from evaluation.publication.queries.releases import gone_images


def public_files(release: Release) -> list[ReleaseFile]:
    """The files that everybody may have, by name; without the index of the archive, which names files of the store."""
    rows = ReleaseFile.objects.filter(release=release, is_key=False).exclude(format=archive.FORMAT)
    return list(rows.order_by("name"))


def closed_files(release: Release) -> set[str]:
    """The names of files that contain pictures which were withdrawn, or covered, since they were written."""
    if covered_pictures(release):
        return covered_files(release)
    gone = [image.image_id for image in gone_images(release)]
    if not gone:
        return set()
    entries = ReleaseEntry.objects.filter(release=release, image_id__in=gone)
    ordinals = list(entries.values_list("ordinal", flat=True))
    work = registry.work(settings_of(release.protocol_id).exporters, facts_of(release))
    return {job.file.name for job in work if job.file.pictures and any(n in job.file.rows for n in ordinals)}


def covered_files(release: Release) -> set[str]:
    """The names of files that are destroyed because something in a picture was covered; all that contain pictures."""
    if not covered_pictures(release):
        return set()
    return {file.name for file in public_files(release) if registry.holds_pictures(file.name)}


def public_file(release: Release, name: str) -> ReleaseFile:
    """A file by name.

    Raises:
        ReleaseFileCovered: It contains pictures, and something in one was covered.
        NoLongerPublic: It contains a picture that was withdrawn.
        NotFound: There is none, or it holds withheld answers.
    """
    # Compared in Python: a name from an address may contain characters that PostgreSQL rejects, such as NUL.
    for file in public_files(release):
        if file.name == name:
            if name in covered_files(release):
                raise ReleaseFileCovered(label=release.label)
            if name in closed_files(release):
                raise NoLongerPublic(label=name)
            return file
    raise NotFound


def public_archive(release: Release) -> ArchiveToSend | None:
    """The public files and the pictures as one download; None for releases that were written before there were any.

    Raises:
        ReleaseFileCovered: Something in a picture was covered: the files that were released are destroyed.
    """
    if covered_pictures(release):
        raise ReleaseFileCovered(label=release.label)
    try:
        return archive_of(release)
    except (ReleaseNotWritten, ReleaseFileGone):
        return None
