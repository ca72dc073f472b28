"""Finalizing an upload that fails midway, or that a concurrent request ends first, leaves no stray file."""

import pytest

from curation.core.errors import StorageUnavailable
from curation.core.stores import Folder
from curation.images.models import Image, Rendition, Upload
from curation.images.services import drop_upload, finalize_uploads
from tests.pictures import files, ready


def finalize(here, upload):
    (result,) = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk])
    return result


def at_put(monkeypatch, number, action, *, after=False):
    """Call ``action`` once, before or after the file of that number (1 to 3) is stored."""
    put, calls = Folder.put, []

    def wrapper(*args):
        calls.append(args)
        is_due = len(calls) == number
        if is_due and not after:
            action()
        result = put(*args)
        if is_due and after:
            action()
        return result

    monkeypatch.setattr(Folder, "put", wrapper)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), StorageUnavailable()])
def test_a_store_that_fails_at_the_second_file_keeps_none(here, media, monkeypatch, error):
    upload = ready(here.contributor)
    staged = files(media)

    def fail():
        raise error

    at_put(monkeypatch, 2, fail)
    with pytest.raises(type(error)):
        finalize(here, upload)
    upload.refresh_from_db()
    assert (files(media), Image.objects.count(), upload.state) == (staged, 0, "ready")


# Before the first file, with one of the files stored, with all of them stored.
@pytest.mark.parametrize(("number", "after"), [(1, False), (2, False), (3, True)])
def test_the_slower_of_two_requests_removes_its_files_and_answers_with_the_picture(
    here, media, monkeypatch, number, after
):
    upload, faster = ready(here.contributor), []
    at_put(monkeypatch, number, lambda: faster.append(finalize(here, upload)), after=after)
    slower = finalize(here, upload)
    assert (slower.image_id, slower.number, slower.error) == (Image.objects.get().pk, 1, None)
    assert faster == [slower]
    assert files(media) == sorted(Rendition.objects.values_list("key", flat=True))
    assert Rendition.objects.count() == 3


@pytest.mark.parametrize(
    ("number", "after", "code"),
    [(1, False, "upload_gone"), (2, False, "upload_gone"), (3, True, "upload_not_ready")],
)
def test_an_upload_that_is_dropped_meanwhile_leaves_no_file(here, media, monkeypatch, number, after, code):
    upload = ready(here.contributor)
    at_put(monkeypatch, number, lambda: drop_upload(actor=here.contributor, upload_id=upload.pk), after=after)
    assert finalize(here, upload).error.code == code
    assert (files(media), Image.objects.count(), Upload.objects.get().state) == ([], 0, "dropped")
