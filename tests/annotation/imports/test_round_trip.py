"""Files of a release, imported into another benchmark with the same pictures, give equal texts, in each format.

The two benchmarks number their pictures differently, so that only a picture's content tells which is which.
"""

import uuid
from pathlib import Path

import pytest
from django.conf import settings

from annotation.imports import services
from annotation.imports.models import ImportRow
from annotation.imports.tasks import run_import
from annotation.items.models import Item, ItemRevision
from annotation.kinds.registry import KINDS, tracks_of
from annotation.releases import services as releases
from annotation.releases.models import ReleaseFile
from curation.core import jobs
from curation.images.models import Rendition
from tests.annotation.releases.content import frozen, picture, protocol, store, team
from tests.kinds import settings_of
from tests.people import World
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

# Label Studio's tasks have texts alone, so questions with a category come back as drafts.
FORMATS = {
    "captions": ["jsonl", "label_studio", "coco_captions"],
    "vqa": ["jsonl", "label_studio"],
    "multiple_choice": ["jsonl"],
    "boxes": ["jsonl", "label_studio", "coco_boxes"],
}
PICTURES = 5


def _vqa(n: int) -> dict:
    return {
        "pairs": [
            {"question": f"第{n}幅画里左边摆着哪样东西？", "answer": "大鼓🥁"},
            {"question": "门口一共站着几个人？", "answer": str(n)},
            {"question": "远处那座楼有多少层？", "answer": "三层"},
        ]
    }


def _choice(n: int) -> dict:
    options = [("大鼓🥁", "A drum 🥁"), (f"{n}口铁锅", f"{n} iron pots"), ("竹篮", "A basket"), ("木桶", "A bucket")]
    return {
        "category": "tea",
        "question": {"local": f"第{n}幅画里左边摆着什么？", "translated": f"What is on the left of picture {n}?"},
        "options": [{"local": local, "translated": translated} for local, translated in options],
    }


def _boxes(n: int) -> dict:
    # Fractions that no share in percent has exactly; the pictures have 24 x 16 pixels.
    places = {"panda": [0, 0.01 * n, 8.33, 15.99 - 0.01 * n], "tea": [15.67, 1.11, 8.33, 8.0 + n / 3]}
    boxes = places.items()
    return {
        "boxes": [
            {"key": f"k{i}", "category": slug, "box": [round(x, 2) for x in box]} for i, (slug, box) in enumerate(boxes)
        ]
    }


CONTENTS = {"captions": five_captions, "vqa": _vqa, "multiple_choice": _choice, "boxes": _boxes}


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def benchmark(slug: str, kind: str) -> World:
    """A benchmark under the real rules of a kind."""
    content = protocol(exporters=FORMATS[kind], gates=[])
    content["languages"] = {"content": "zh-Hans", "translation": "en"}
    content["kinds"] = {each: settings_of(each).model_dump(mode="json") for each in FORMATS}
    return team(slug, f"{slug}-", content)


def accept(here: World, kind: str, n: int) -> None:
    """An accepted item of a kind on a picture of its own."""
    fields = {"benchmark": here.benchmark, "kind": kind, "image": picture(here, n), "number": n}
    item = Item.objects.create(**fields, state="accepted", revision_no=1, accepted_no=1)
    ItemRevision.objects.create(
        item=item,
        no=1,
        author=here.annotator,
        origin="annotator",
        content=CONTENTS[kind](n),
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )


def with_the_same_pictures(slug: str, kind: str, one: World) -> World:
    """Another benchmark, whose pictures are numbered the other way round."""
    other = benchmark(slug, kind)
    for rendition in Rendition.objects.filter(image__benchmark=one.benchmark):
        file = Path(settings.MEDIA_ROOT) / rendition.key
        image = picture(other, PICTURES + 1 - rendition.image.number, clean=False)
        store(image, file.read_bytes(), file.suffix[1:])
    return other


def bring(other: World, kind: str, name: str, content: bytes) -> str:
    """Import a file and return the format it was read as."""
    imported = services.create_import(
        actor=other.admin,
        benchmark_slug=other.benchmark.slug,
        blocks=[content],
        name=name,
        format="auto",
        kind=kind,
        target="items",
        reason="",
        client_key=uuid.uuid4(),
    )
    run_import(job_id=imported.job_id)
    return imported.format


@pytest.mark.parametrize("kind", FORMATS)
def test_exported_texts_are_equal_after_their_import(kind, media):
    assert set(FORMATS) == {kind for kind in KINDS if "package" in tracks_of(kind)}  # others rest on accepted work
    one = benchmark("one", kind)
    for n in range(1, PICTURES + 1):
        accept(one, kind, n)
    release = frozen(one, kind)
    assert jobs.run(release.job_id, releases.write_files) == "done"
    for name in FORMATS[kind]:
        other = with_the_same_pictures(name.replace("_", "-"), kind, one)
        files = ReleaseFile.objects.filter(release=release, format=name, is_key=False)
        assert files
        for file in files:
            assert bring(other, kind, file.name, (releases.folder_of(release.pk) / file.name).read_bytes()) == name
        rows = ImportRow.objects.filter(import_of__benchmark=other.benchmark)
        assert list(rows.values_list("outcome", "code")) == [("made", "")] * PICTURES
        revisions = ItemRevision.objects.filter(item__benchmark=other.benchmark)
        assert {r.item.image.number: r.content for r in revisions.select_related("item__image")} == {
            PICTURES + 1 - n: CONTENTS[kind](n) for n in range(1, PICTURES + 1)
        }


def test_boxes_that_were_imported_in_one_format_are_unchanged_in_another(media):
    one = benchmark("one", "boxes")
    for n in range(1, PICTURES + 1):
        accept(one, "boxes", n)
    release = frozen(one, "boxes")
    assert jobs.run(release.job_id, releases.write_files) == "done"
    other = with_the_same_pictures("other", "boxes", one)
    for name, outcome in (("label_studio", "made"), ("coco_boxes", "unchanged"), ("jsonl", "unchanged")):
        for file in ReleaseFile.objects.filter(release=release, format=name, is_key=False):
            bring(other, "boxes", file.name, (releases.folder_of(release.pk) / file.name).read_bytes())
        rows = ImportRow.objects.filter(import_of__benchmark=other.benchmark, import_of__format=name)
        assert list(rows.values_list("outcome", "code")) == [(outcome, "")] * PICTURES
    assert ItemRevision.objects.filter(item__benchmark=other.benchmark).count() == PICTURES
