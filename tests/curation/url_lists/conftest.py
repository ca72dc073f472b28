"""A benchmark in which uploads by addresses are on, a web of its own, and no pauses."""

import pytest

from curation.url_lists import services
from curation.url_lists.models import UrlSetting
from tests.pictures import picture_world
from tests.web import PUBLIC, serving


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.URL_UPLOAD_CONTACT = "ops@example.org"
    return settings.MEDIA_ROOT


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setattr(services, "HOST_PAUSE", 0.0)
    with serving(monkeypatch) as web:
        web.hosts["photos.example"] = [PUBLIC]
        yield web


@pytest.fixture
def make_world(media):
    def make(**changes):
        here = picture_world(**changes)
        UrlSetting.objects.create(benchmark=here.benchmark, is_on=True)
        return here

    return make


@pytest.fixture
def here(db, make_world):
    return make_world()
