"""A benchmark for pictures, and a media folder of its own for each test."""

import pytest

from tests.pictures import picture_world


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def make_world(media):
    return picture_world


@pytest.fixture
def here(db, make_world):
    return make_world()
