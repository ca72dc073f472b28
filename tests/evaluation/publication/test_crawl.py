"""Anybody follows every link of the public pages; nothing that was not released is in any byte.

Every text and JSON column of every table gets a marker of its own, where its rows take one; only columns that are
published are left as they are. So a new column is watched as soon as it exists.
"""

import gzip
import io
import json
import re
from urllib.parse import urljoin

import pyarrow.parquet as pq
import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import DatabaseError, connection, models, transaction
from django.test import Client

from annotation.items.models import Item
from annotation.releases.models import ReleaseEntry, ReleaseFile
from curation.images.models import Image
from tests.annotation.releases.content import accepted, filled, team
from tests.evaluation.publication.published import TERMS, content, opened, published_release, reduced, withdraw

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
    "annotation_release.notes",
    "annotation_release.withdrawn_reason",
    "annotation_releaseentry.record",
    "evaluation_publication.terms",
    "evaluation_publication.citation",
}
# Without these nothing could be read: the names of files in the store, what a record's split is called, and how many
# each split has, which are numbers only.
NEEDED = {
    "curation_rendition.key",
    "annotation_release.split_counts",
    "annotation_releaseentry.split",
    "annotation_releaseimage.split",
    "annotation_item.kind",
}
ROUTES = re.compile(r'(?:(?:href|src)="|content="(?=http))([^"]+)"')


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


def marked_columns():
    """Put a marker into every text or JSON column of every row that takes one; the markers, by column."""
    markers = {}
    for model in apps.get_models():
        if model._meta.app_label not in ("curation", "annotation", "evaluation"):
            continue
        for field in model._meta.concrete_fields:
            if not isinstance(field, models.CharField | models.TextField | models.JSONField) or field.choices:
                continue
            name = f"{model._meta.db_table}.{field.column}"
            marker = f"qz{len(markers):04d}zq"
            if name not in PUBLISHED | NEEDED and mark(model._meta.db_table, field, marker):
                markers[name] = marker
    return markers


def mark(table, field, marker):
    """Append a marker to a column of all its rows, past triggers; whether the column takes it."""
    name = connection.ops.quote_name(field.column)
    if isinstance(field, models.JSONField):
        value = (
            f"case jsonb_typeof({name}) when 'object' then {name} || jsonb_build_object('marker', %s::text) "
            f"when 'array' then {name} || to_jsonb(%s::text) else {name} end"
        )
        params = [marker, marker]
    else:
        value, params = f"{name} || %s", [marker]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("set local session_replication_role = replica")
            cursor.execute(f"update {table} set {name} = {value}", params)
            return cursor.rowcount > 0
    except DatabaseError:
        return False  # too short, or one of a set of values


def crawl():
    """The bytes of every address that links lead to, from the overview, the site map and the robots' page on."""
    waiting, seen = ["/p/cvlue/en/", "/sitemap.xml", "/robots.txt", "/p/cvlue/feed.atom"], {}
    while waiting:
        address = waiting.pop()
        path = address.replace("http://testserver", "").partition("#")[0]
        if path in seen or not path.startswith(("/p/", "/sitemap", "/robots")):
            continue
        answer = Client().get(path)
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


def test_no_page_has_more_than_what_was_released():
    here = team(content=content())
    for item in filled(here, 12):
        reduced(item.image)
    release = published_release(here)
    later = accepted(here, 14)
    opened(here, release, terms=TERMS, citation={"authors": ["Wang, Li"], "title": "", "year": None, "url": ""})
    withdraw(here, 2)
    names = [who.name for who in (here.annotator, here.contributor, here.curator, here.admin, here.senior, here.owner)]
    markers = marked_columns()
    cache.clear()
    seen = crawl()
    assert len(seen) > 60
    assert {status for status, _, _ in seen.values()} <= {200, 410}
    everything = "\n".join(f"{path} {readable(path, body)} {headers}" for path, (_, body, headers) in seen.items())
    assert len(markers) >= 40
    assert sorted(column for column, marker in markers.items() if marker in everything) == []
    assert [name for name in names if f">{name}<" in everything or f'"{name}"' in everything] == []
    assert Item.objects.get(pk=later.pk).label not in everything
    assert Image.objects.get(pk=later.image_id).label not in everything
    for entry in ReleaseEntry.objects.filter(release=release, split="test"):
        for text in entry.record["captions"]:
            assert text not in everything
    assert "旧" not in everything  # earlier revisions
    for key in ReleaseFile.objects.filter(release=release, is_key=True):
        assert key.name not in everything
        assert key.sha256 not in everything
    assert release.digest not in everything
