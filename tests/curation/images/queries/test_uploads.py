"""What an uploader sees of their uploads."""

import pytest

from curation.images.models import Upload
from curation.images.queries import uploads_by_id
from curation.images.services import finalize_uploads
from tests.pictures import ready


@pytest.mark.parametrize("state", Upload.State)
def test_only_an_upload_that_is_ready_has_a_thumb(here, state):
    upload = ready(here.contributor)
    if state == "taken":
        finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk])
    else:
        Upload.objects.update(state=state)
    (row,) = uploads_by_id(here.contributor, "cvlue", [upload.pk])
    thumb = f"/api/v1/uploads/{upload.pk}/thumb" if state == "ready" else None
    assert (row["state"], row["thumb_url"]) == (state, thumb)
