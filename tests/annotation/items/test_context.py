"""What a kind's rules know of an item: the same wherever they are applied."""

import json
import uuid

import pytest

from annotation.imports import services as imports
from annotation.imports.tasks import run_import
from annotation.kinds.context import Context, Language
from annotation.kinds.registry import KINDS
from annotation.packages import services as packages
from annotation.quality import services as quality
from annotation.tracks import services as writing
from curation.images.models import Image
from tests.annotation import track
from tests.people import world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

LANGUAGES = {"content": "zh-Hant", "translation": "en"}


@pytest.fixture
def contexts(monkeypatch):
    """The contexts in which captions are checked, in order."""
    seen = []
    check = type(KINDS["captions"]).check

    def recorded(self, content, settings, context, *, complete):
        seen.append(context)
        return check(self, content, settings, context, complete=complete)

    monkeypatch.setattr(type(KINDS["captions"]), "check", recorded)
    return seen


@pytest.fixture
def here(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    made = world(captions_protocol(size=1) | {"languages": LANGUAGES})
    accepted_pictures(made.benchmark, made.contributor, made.curator, 2)
    Image.objects.filter(benchmark=made.benchmark).update(subset="A")
    return made


def expected(image: Image) -> Context:
    assert image.width
    assert image.height
    return Context(Language("zh-Hant"), Language("en"), width=image.width, height=image.height, subset="A")


def test_drafts_submissions_and_corrections_know_the_picture_and_the_languages(here, contexts):
    build = {"benchmark_slug": "cvlue", "kind": "captions", "size": None, "seed": 7, "complete_only": False}
    packages.build_packages(actor=here.admin, client_key=uuid.uuid4(), **build)
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    (item,) = track.items_of(package)
    writing.save_draft(actor=here.annotator, item_id=item.pk, base_no=0, seq=1, content=five_captions(1))
    track.write(here.annotator, package)
    track.tick_and_submit(here.annotator, package)
    track.command(quality.start_review, here.senior, package)
    item.refresh_from_db()
    track.review(here.senior, item, "correct", content=five_captions(2))
    assert contexts == [expected(item.image)] * 3


@pytest.mark.parametrize("target", ["items", "drafts"])
def test_imported_texts_know_the_same(here, contexts, target):
    image = Image.objects.filter(benchmark=here.benchmark).order_by("number").first()
    imported = imports.create_import(
        actor=here.admin,
        benchmark_slug="cvlue",
        blocks=[json.dumps({"image": image.label} | five_captions(1)).encode()],
        name="work.jsonl",
        format="jsonl",
        kind="captions",
        target=target,
        reason="",
        client_key=uuid.uuid4(),
    )
    run_import(job_id=imported.job_id)
    assert contexts
    assert set(map(repr, contexts)) == {repr(expected(image))}
