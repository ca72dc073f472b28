"""Anybody follows every link of the public pages; nothing that was not released is in any byte.

Every text and JSON column of every table gets a marker of its own, in a row that is made where there is none; only
columns that are published, and few that pages need, are left as they are. A new column is watched as soon as it exists.
A photograph has metadata and a name that are marked, too.
"""

import gzip
import io
import json
import re
import uuid
from urllib.parse import urljoin

import pyarrow.parquet as pq
import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image as Pillow

from annotation.items.models import Item
from annotation.releases import services as releases
from annotation.releases.models import ReleaseEntry, ReleaseFile
from curation.benchmarks.rules import OUTSIDER
from curation.images.models import Image
from curation.images.services import upload_image
from tests.annotation.releases.content import accept, accepted, filled, team
from tests.evaluation.publication.markers import drop_checks, fill_empty_tables, mark_columns, text_columns
from tests.evaluation.publication.published import TERMS, content, opened, published_release, reduced, withdraw
from tests.kinds import numbers_of
from tests.people import person, signed_in
from tests.pictures import MARK, encode, exif, pixels

pytestmark = pytest.mark.django_db

# What is published: titles, names of categories, sources and licences of pictures, the accepted texts, and what an
# administrator types for readers.
PUBLISHED = {
    "curation_benchmark.title",
    "curation_benchmark.slug",
    "curation_category.name",
    "curation_category.slug",
    "curation_protocolversion.name",
    "curation_image.source",
    "curation_image.licence",
    "annotation_itemrevision.content",
    "annotation_release.kind",
    "annotation_release.label",
    "annotation_releasefile.name",
    "annotation_releasekind.kind",
    "annotation_release.notes",
    "annotation_release.withdrawn_reason",
    "annotation_releaseentry.record",
    "annotation_erratumevent.note",
    "annotation_releasefile.sha256",
    "curation_rendition.sha256",
    "evaluation_publication.terms",
    "evaluation_publication.citation",
}
# Without these nothing could be read: the names of files in the store, what a record's split is called, and how many
# each split has, which are numbers only.
NEEDED = {
    "curation_rendition.key",
    "annotation_release.split_counts",
    "annotation_releaseentry.kind",
    "annotation_releaseentry.split",
    "annotation_releaseimage.split",
    "annotation_item.kind",
    "annotation_release.changes",
    "annotation_releasekind.changes",
    "annotation_releasekind.split_counts",
}
# No marker fits into these.
TOO_SHORT = {
    "annotation_pictureitems.subset",
    "annotation_tally.subset",
    "curation_budget.currency",
    "curation_image.subset",
    "curation_offer.currency",
    "evaluation_run.currency",
}
ROUTES = re.compile(r'(?:(?:href|src)="|content="(?=http))([^"]+)"')


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


def crawl(browser):
    """The bytes of every address that links lead to, from the overview, the site map and the robots' page on."""
    waiting, seen = ["/p/cvlue/en/", "/sitemap.xml", "/robots.txt", "/p/cvlue/feed.atom"], {}
    while waiting:
        address = waiting.pop()
        path = address.replace("http://testserver", "").partition("#")[0]
        if path in seen or not path.startswith(("/p/", "/sitemap", "/robots")):
            continue
        answer = browser.get(path)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        headers = " ".join(f"{name}: {value}" for name, value in answer.items())
        seen[path] = (answer.status_code, body, headers)
        assert not answer.cookies, path
        if answer.get("Content-Type", "").startswith(("text/html", "application/xml", "application/atom")):
            text = body.decode()
            found = ROUTES.findall(text) + re.findall(r"<loc>([^<]+)</loc>", text)
            waiting += [urljoin(path, one.replace("&amp;", "&")) for one in found]
    return seen


def readable(path, body):
    """The bytes of an answer as text, those inside Parquet too."""
    if path.endswith(".parquet"):
        return json.dumps(pq.read_table(io.BytesIO(body)).to_pylist(), default=repr, ensure_ascii=False)
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    return body.decode("utf-8", "replace")


def public_world(*kinds):
    """A release of twelve pictures, one of them with metadata, errata in every state, and later work."""
    protocol = content()
    here = team(content=protocol | {"kinds": protocol["kinds"] | {"vqa": numbers_of("vqa")}})
    for item in filled(here, 12):
        reduced(item.image)
        if "vqa" in kinds:
            accept(here, item.image, item.number, kind="vqa")
    photograph = uploaded(here)
    release = published_release(here, *kinds)
    later = accepted(here, 14)
    opened(here, release, terms=TERMS, citation={"authors": ["Wang, Li"], "title": "", "year": None, "url": ""})
    reported(here, "cap-1", "confirm", "withdraw")
    reported(here, "cap-3", "confirm")
    reported(here, "cap-4", "reject")
    reported(here, "cap-5")
    withdraw(here, 2)
    return here, release, later, photograph


def uploaded(here):
    """An accepted item on a picture that was uploaded with metadata, in a file whose name says who it shows."""
    photograph = encode(Pillow.fromarray(pixels(seed=3)), quality=90, exif=exif(1), comment=MARK)
    details = {"source": "own", "licence": "own-work", "category": "tea"}
    result = upload_image(
        actor=here.contributor,
        benchmark_slug="cvlue",
        file=io.BytesIO(photograph),
        filename=f"{MARK.decode()}.jpg",
        client_key=uuid.uuid4(),
        **details,
    )
    Image.objects.filter(pk=result.image_id).update(state="accepted", pii_clear_by=here.curator)
    image = Image.objects.get(pk=result.image_id)
    accept(here, image, image.number)
    return image


def reported(here, item, *decisions):
    values = {"benchmark_slug": "cvlue", "item": item, "text": "只给处理的人看"}
    erratum = releases.report_erratum(actor=here.annotator, client_key=uuid.uuid4(), **values)
    for decision in decisions:
        note = {"en": f"public note on {decision}"} if decision != "reject" else {"en": "hidden note"}
        command = getattr(releases, f"{decision}_erratum")
        command(actor=here.curator, erratum_id=erratum.pk, note=note, client_key=uuid.uuid4())


@pytest.mark.parametrize(("role", "kinds"), [("", ["captions"]), (OUTSIDER, ["captions"]), ("", ["captions", "vqa"])])
def test_no_page_has_more_than_what_was_released(role, kinds):
    here, release, later, photograph = public_world(*kinds)
    browser = signed_in(person("reader", here.benchmark, role)) if role else Client()
    names = [who.name for who in (here.annotator, here.contributor, here.curator, here.admin, here.senior, here.owner)]
    ids = {"benchmark_id": here.benchmark.pk, "release_id": release.pk, "item_id": later.pk}
    drop_checks()
    assert fill_empty_tables(ids | {"image_id": later.image_id, "person_id": here.annotator.pk}) == []
    markers = mark_columns(PUBLISHED | NEEDED)
    assert set(text_columns()) - set(markers) == PUBLISHED | NEEDED | TOO_SHORT
    cache.clear()
    seen = crawl(browser)
    assert len(seen) > 60
    assert {status for status, _, _ in seen.values()} <= {200, 410}
    everything = "\n".join(f"{path} {readable(path, body)} {headers}" for path, (_, body, headers) in seen.items())
    assert sorted(column for column, marker in markers.items() if marker in everything) == []
    assert [name for name in names if f">{name}<" in everything or f'"{name}"' in everything] == []
    assert Item.objects.get(pk=later.pk).label not in everything
    assert Image.objects.get(pk=later.image_id).label not in everything
    for entry in ReleaseEntry.objects.filter(release=release, split="test"):
        pairs = entry.record.get("pairs", [])
        for text in [*entry.record.get("captions", []), *(pair["answer"] for pair in pairs)]:
            assert text not in everything
        assert all(pair["question"] in everything for pair in pairs)
    assert "旧" not in everything  # earlier revisions
    assert photograph.label in everything
    assert MARK.decode() not in everything
    assert ["public note on confirm" in everything, "hidden note" in everything] == [True, False]
    for key in ReleaseFile.objects.filter(release=release, is_key=True):
        assert key.name not in everything
        assert key.sha256 not in everything
    assert release.digest not in everything
