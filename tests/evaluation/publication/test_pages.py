"""Public pages: who can read what, when it ends, what it costs, and how it is kept."""

import io
import re
import uuid
import zipfile

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.releases import services as releases
from annotation.releases.models import ReleaseEntry, ReleaseFile
from annotation.releases.queries import key_of
from curation.core.stores import store
from curation.images.models import Image, Rendition
from curation.images.rules import Region
from curation.images.services import cover_image, destroyed_keys, record_proposals
from evaluation.publication import queries, services
from evaluation.publication.api import visit
from evaluation.publication.models import Download
from evaluation.publication.rules import LANGUAGES
from tests.annotation.releases.content import accept, filled, team
from tests.boxes import boxes_protocol
from tests.evaluation.publication.published import (
    TERMS,
    content,
    opened,
    published_release,
    reduced,
    restore,
    withdraw,
    world_with_release,
)
from tests.people import signed_in, told
from tests.pictures import clear

pytestmark = pytest.mark.django_db

LABEL = "captions-v1"
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
PAGES = ["", f"{LABEL}/", f"{LABEL}/board", f"{LABEL}/files", f"{LABEL}/samples", f"{LABEL}/changes", f"{LABEL}/errata"]


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()
    return settings.MEDIA_ROOT


@pytest.fixture
def here():
    return world_with_release()


@pytest.fixture
def public(here):
    opened(*here)
    return here


def get(address, **headers):
    return Client(headers=headers).get(f"/p/cvlue/{address}")


def text(address):
    answer = get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def in_split(release, split):
    entries = ReleaseEntry.objects.filter(release=release, split=split).select_related("image").order_by("ordinal")
    return [entry.image for entry in entries]


def picture_address(image, role="view"):
    row = Rendition.objects.filter(image=image, role=role).latest("version")
    return f"{LABEL}/pictures/{image.number}-{role}-{row.pk}.webp"


class TestWhoMayRead:
    def test_nobody_before_the_pages_are_opened(self, here):
        _, release = here
        addresses = [f"en/{page}" for page in PAGES]
        addresses += [f"{LABEL}/files/captions-train.jsonl", f"{LABEL}/CITATION.cff", "feed.atom"]
        addresses += [picture_address(in_split(release, "train")[0])]
        assert [get(address).status_code for address in addresses] == [404] * len(addresses)
        assert Client().get("/p/cvlue/").status_code == 404
        # An unknown benchmark looks the same.
        assert get("en/").content == Client().get("/p/unknown/en/").content

    def test_everybody_in_three_languages(self, public):
        for language in LANGUAGES:
            for page in PAGES:
                body = text(f"{language}/{page}")
                assert f'<html lang="{language}">' in body
                for other in LANGUAGES:
                    assert f'hreflang="{other}" href="http://testserver/p/cvlue/{other}/{page}"' in body

    def test_a_release_that_was_not_opened_is_not_there(self, here):
        opened(here[0])
        assert get("en/").status_code == 200
        assert LABEL not in text("en/")
        missing = [f"en/{page}" for page in PAGES[1:]] + [f"{LABEL}/files/captions-train.jsonl", f"{LABEL}/gone.json"]
        assert [get(address).status_code for address in missing] == [404] * len(missing)

    def test_closing_the_pages_closes_everything_at_the_next_request(self, public):
        assert get(f"en/{LABEL}/").status_code == 200
        opened(public[0], is_open=False)
        assert get(f"en/{LABEL}/").status_code == 404
        assert get(f"{LABEL}/files/captions-train.jsonl").status_code == 404

    @pytest.mark.parametrize(
        "page", ["en", "fr/", "en/captions-v9/", f"en/{LABEL}/unknown", f"{LABEL}/files/%00", "../x"]
    )
    def test_other_addresses_are_not_found(self, public, page):
        assert get(page).status_code == 404

    def test_only_reading(self, public):
        assert Client().post(f"/p/cvlue/en/{LABEL}/").status_code == 405

    @pytest.mark.parametrize(
        ("accepted", "language"),
        [
            ("zh-TW,zh;q=0.8", "zh-Hant"),
            ("zh-CN,en;q=0.5", "zh-Hans"),
            ("fr,zh-HK;q=0.3,en;q=0.7", "en"),
            ("en;q=x,zh", "zh-Hans"),
            ("", "en"),
        ],
    )
    def test_the_address_leads_to_the_readers_language(self, public, accepted, language):
        answer = Client(headers={"accept-language": accepted}).get("/p/cvlue/")
        assert (answer.status_code, answer["Location"]) == (302, f"/p/cvlue/{language}/")
        assert answer["Vary"] == "Accept-Language"


class TestPages:
    def test_the_release_shows_its_figures_licences_terms_and_citation(self, public):
        citation = {"authors": ["Wang, Li", "The Team"], "title": "A & B", "year": 2026, "url": "https://example.org/x"}
        opened(public[0], terms=TERMS, citation=citation)
        body = text(f"en/{LABEL}/")
        splits = {split: len(in_split(public[1], split)) for split in ("train", "valid", "test")}
        assert splits == {"train": 7, "valid": 1, "test": 4}
        for name, n, answers in (("Training", 7, "public"), ("Validation", 1, "public"), ("Test", 4, "withheld")):
            assert re.search(rf"<td>{name}</td><td class=\"n\">\d+%</td><td class=\"n\">{n}</td>", body)
            assert answers in body
        assert re.search(r'CC Attribution 4.0</a>\s*</td><td class="n">12</td>', body)
        assert "For research only." in body
        assert "Wang, Li; The Team. A &amp; B (captions-v1). 2026. https://example.org/x" in body
        assert "author  = {Wang, Li and {The Team}}," in body
        assert "仅供研究。" in text(f"zh-Hans/{LABEL}/")

    def test_citations_for_programs(self, public):
        opened(public[0], citation={"authors": ["Wang, Li"], "title": "T: {x}", "year": 2025, "url": ""})
        assert text(f"{LABEL}/CITATION.cff").splitlines()[:7] == [
            "cff-version: 1.2.0",
            "message: If you use this data set, please cite it as below.",
            "type: dataset",
            "title: 'T: {x}'",
            "authors:",
            "- family-names: Wang",
            "  given-names: Li",
        ]
        assert "license: CC-BY-NC-ND-4.0" in text(f"{LABEL}/CITATION.cff")
        bibtex = text(f"{LABEL}/citation.bib")
        assert bibtex.startswith("@misc{cvlue-captions-v1,\n  title   = {{T: \\{x\\}}},\n")

    def test_a_citation_leads_to_the_language_of_its_page_and_in_files_to_the_readers(self, public):
        for language in LANGUAGES:
            for page in ("", f"{LABEL}/"):
                body = text(f"{language}/{page}")
                assert f". http://testserver/p/cvlue/{language}/{LABEL}/</blockquote>" in body
            assert f"url     = {{http://testserver/p/cvlue/{language}/{LABEL}/}}," in body
        neutral = f"http://testserver/p/cvlue/{LABEL}/"
        assert f"url: {neutral}\n" in text(f"{LABEL}/CITATION.cff")
        assert f"url     = {{{neutral}}}," in text(f"{LABEL}/citation.bib")
        for accepted, language in (("zh-TW", "zh-Hant"), ("zh", "zh-Hans"), ("", "en")):
            answer = get(f"{LABEL}/", accept_language=accepted)
            assert (answer.status_code, answer["Location"]) == (302, f"/p/cvlue/{language}/{LABEL}/")
            assert answer["Vary"] == "Accept-Language"

    def test_a_release_that_is_not_open_has_no_address_without_a_language(self, here):
        opened(here[0])
        assert get(f"{LABEL}/").status_code == 404

    @pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
    def test_chinese_sentences_follow_one_another_without_a_blank(self, public, language):
        opened(public[0], terms=TERMS, terms_mode="account")
        item = re.search(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples"))[1]
        for page in [*PAGES, f"{LABEL}/samples/{item}"]:
            body = text(f"{language}/{page}")
            assert re.findall(r".{9}[，。；：？！、）]\s+(?:<a\b|[^<\s]).{9}", body) == []

    def test_files_lead_to_submitting_where_outsiders_may(self, public, monkeypatch):
        link = '<a class="button" href="/submit/cvlue">'
        assert link not in text(f"en/{LABEL}/files")
        monkeypatch.setattr(visit, "sign_up_of", lambda _: "invited")
        cache.clear()
        for language in LANGUAGES:
            assert link in text(f"{language}/{LABEL}/files")
        assert "Accounts are by invitation." in text(f"en/{LABEL}/files")

    def test_files_have_name_size_and_checksum_and_keys_are_never_named(self, public):
        body = text(f"en/{LABEL}/files")
        rows = list(ReleaseFile.objects.filter(release=public[1]))
        hidden = {"captions-test-key.jsonl", "archive.index"}
        assert {row.name for row in rows} > hidden
        for row in rows:
            is_public = row.name not in hidden
            assert (row.name in body, row.sha256 in body) == (is_public, is_public)

    def test_the_description_for_search_engines_is_the_published_one(self, public):
        body = text(f"en/{LABEL}/")
        assert '<script type="application/ld+json">' in body
        assert body.count("<script") == 1

    def test_what_people_typed_is_no_markup(self, public):
        opened(public[0], terms=dict.fromkeys(TERMS, "<script>alert(1)</script>"))
        assert "<script>alert" not in text(f"en/{LABEL}/")

    def test_samples_and_files_are_not_indexed_and_carry_the_canary(self, public):
        public[0].benchmark.refresh_from_db()
        canary = str(public[0].benchmark.publication.canary)
        item = re.search(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples"))[1]
        for page in (f"en/{LABEL}/samples", f"en/{LABEL}/samples/{item}", f"en/{LABEL}/files"):
            answer = get(page)
            assert answer["X-Robots-Tag"] == "noindex"
            assert '<meta name="robots" content="noindex">' in answer.content.decode()
            assert canary in answer.content.decode()
        assert "X-Robots-Tag" not in get(f"en/{LABEL}/")
        card = get(f"{LABEL}/files/README.md")
        assert canary in b"".join(card.streaming_content).decode()


class TestSamples:
    def test_show_the_protocols_splits_only(self, public):
        found = set()
        for page in (1, 2):
            answer = get(f"en/{LABEL}/samples?page={page}")
            if answer.status_code == 200:
                found |= set(re.findall(r"samples/(cap-\d+)", answer.content.decode()))
        train = ReleaseEntry.objects.filter(release=public[1], split__in=["train", "valid"])
        assert found == {f"cap-{number:06d}" for number in train.values_list("item__number", flat=True)}
        hidden = ReleaseEntry.objects.filter(release=public[1], split="test").select_related("item")
        for entry in hidden:
            assert get(f"en/{LABEL}/samples/{entry.item.label}").status_code == 404

    def test_one_shows_its_texts(self, public):
        entry = ReleaseEntry.objects.filter(release=public[1], split="train").select_related("item", "image").first()
        body = text(f"zh-Hant/{LABEL}/samples/{entry.item.label}")
        assert [caption in body for caption in entry.record["captions"]] == [True] * 5
        assert picture_address(entry.image) in body

    def test_licences_have_their_name_and_a_link(self, public):
        content = public[1].protocol.content
        [licence] = [one for one in content["images"]["licences"] if one["code"] == "CC-BY-4.0"]
        item = re.search(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples"))[1]
        for language, name in licence["name"].items():
            link = f'<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">{name}</a>'
            assert link in text(f"{language}/{LABEL}/samples/{item}")
            assert link in text(f"{language}/{LABEL}/")

    def test_filters(self, public):
        every = re.findall(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples"))
        valid = re.findall(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples?split=valid"))
        assert (len(set(every)), len(set(valid))) == (8, 1)
        assert get(f"en/{LABEL}/samples?page=2").status_code == 404
        assert get(f"en/{LABEL}/samples?page=x").status_code == 404

    def test_pictures_are_reduced_and_of_samples_only(self, public):
        shown, hidden = in_split(public[1], "train")[0], in_split(public[1], "test")[0]
        answer = get(picture_address(shown))
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
        assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("public, max-age=300", "noindex")
        assert get(picture_address(hidden)).status_code == 404
        clean = Rendition.objects.get(image=shown, role="clean")
        assert get(f"{LABEL}/pictures/{shown.number}-clean-{clean.pk}.png").status_code == 404
        assert get(f"{LABEL}/pictures/{shown.number}-view-{clean.pk}.png").status_code == 404

    def test_boxes_are_drawn_on_their_picture(self):
        protocol = content()
        here = team(content=protocol | {"kinds": protocol["kinds"] | {"boxes": boxes_protocol()["kinds"]["boxes"]}})
        drawn = {"boxes": [{"key": "a", "category": "tea", "box": [1, 2.5, 8, 9]}]}
        drawn["boxes"] += [{"key": key, "category": "panda", "box": [10, 1, 8, 9]} for key in "bc"]
        for item in filled(here, 4):
            reduced(item.image)
            accept(here, item.image, item.number, kind="boxes", content=drawn)
        release = published_release(here, "captions", "boxes")
        opened(here, release)
        entry = ReleaseEntry.objects.filter(release=release, kind="boxes", split="train").select_related("item").first()
        page = text(f"zh-Hans/{release.label}/samples?kind=boxes")
        assert "tea、panda × 2" in page
        assert 'aria-current="true">物体框</a>' in page
        body = text(f"en/{release.label}/samples/box-{entry.item.number:06d}")
        assert '<svg class="marks" viewBox="0 0 24 16"' in body
        assert '<rect x="1" y="2.5" width="8" height="9"><title>1 · tea</title></rect>' in body
        assert body.count("<rect ") == 3
        assert "10, 1, 8, 9" not in body

    def test_without_answers_texts_that_are_answers_are_left_out(self):
        here, release = world_with_release(answers=False)
        opened(here, release)
        entry = ReleaseEntry.objects.filter(release=release, split="train").select_related("item").first()
        body = text(f"en/{LABEL}/samples/{entry.item.label}")
        assert not any(caption in body for caption in entry.record["captions"])
        assert "The answers of this split are withheld." in body

    def test_none_by_default(self):
        here, release = world_with_release(splits=[])
        opened(here, release)
        assert "samples" not in text(f"en/{LABEL}/")
        assert get(picture_address(in_split(release, "train")[0])).status_code == 404


class TestFiles:
    def test_are_sent_with_their_bytes(self, public):
        row = ReleaseFile.objects.get(release=public[1], name="captions-train.jsonl")
        answer = get(f"{LABEL}/files/{row.name}")
        data = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert (answer.status_code, len(data), answer["ETag"]) == (200, row.bytes, f'"{row.sha256}"')
        assert answer["Cache-Control"] == "no-cache"
        again = get(f"{LABEL}/files/{row.name}", if_none_match=f'"{row.sha256}"')
        assert (again.status_code, again.content) == (304, b"")

    def test_come_with_the_pictures_as_one_download(self, public):
        here, release = public
        answer = get(f"{LABEL}/archive.zip")
        whole = b"".join(answer.streaming_content)
        assert (answer.status_code, answer["Cache-Control"], answer["X-Robots-Tag"]) == (200, "no-cache", "noindex")
        assert answer["Content-Disposition"] == f'attachment; filename="cvlue-{LABEL}.zip"'
        with zipfile.ZipFile(io.BytesIO(whole)) as read:
            pictures = {name for name in read.namelist() if "/images/" in name}
            assert (len(pictures), read.testzip()) == (12, None)
            assert not [name for name in read.namelist() if "key" in name]
        assert f'href="/p/cvlue/{LABEL}/archive.zip"' in text(f"en/{LABEL}/files")
        assert "archive.index" not in text(f"en/{LABEL}/files")
        assert get(f"{LABEL}/files/archive.index").status_code == 404
        assert get(f"{LABEL}/archive.zip", if_none_match=answer["ETag"]).status_code == 304
        assert Download.objects.get(name="archive.zip").n == 1
        image = in_split(release, "train")[0]
        withdraw(here, image.number)
        left = get(f"{LABEL}/archive.zip", range="bytes=0-", if_range=answer["ETag"])
        with zipfile.ZipFile(io.BytesIO(b"".join(left.streaming_content))) as read:
            [taken] = pictures - set(read.namelist())
        assert (left.status_code, taken.endswith((f"-{image.number}.png", f"-{image.number}.jpg"))) == (
            200,
            True,
        )

    @pytest.mark.parametrize("name", ["captions-test-key.jsonl", "archive.index"])
    def test_keys_and_the_index_of_the_archive_are_not_found(self, public, name):
        assert ReleaseFile.objects.filter(release=public[1], name=name).exists()
        assert get(f"{LABEL}/files/{name}").status_code == 404

    def test_downloads_are_counted_by_file_and_day(self, public):
        address = f"{LABEL}/files/captions-train.jsonl"
        get(address)
        get(address, range="bytes=0-9")
        get(address, range="bytes=10-")
        Client().head(f"/p/cvlue/{address}")
        get(f"{LABEL}/files/README.md")
        assert list(Download.objects.order_by("name").values_list("name", "n")) == [
            ("README.md", 1),
            ("captions-train.jsonl", 2),
        ]

    def test_terms_to_accept_close_them_to_people_without_an_account(self, public):
        opened(public[0], terms=TERMS, terms_mode="account")
        answer = get(f"{LABEL}/files/captions-train.jsonl")
        assert (answer.status_code, Download.objects.count()) == (403, 0)
        assert get(f"{LABEL}/archive.zip").status_code == 403
        body = text(f"en/{LABEL}/files")
        assert f'href="/p/cvlue/{LABEL}/files/captions-train.jsonl"' in body  # leads to where they are accepted
        assert "accepted the terms of use" in body
        assert '<a href="/submit/cvlue">Sign in and accept the terms</a>' in body


class TestWithdrawal:
    def test_of_a_picture_refuses_its_bytes_at_the_next_request(self, public):
        here, release = public
        image = in_split(release, "train")[0]
        entry = ReleaseEntry.objects.select_related("item").get(release=release, image=image)
        sample = f"en/{LABEL}/samples/{entry.item.label}"
        shard = f"{LABEL}/files/captions-train-00000-of-00001.parquet"
        addresses = [picture_address(image), picture_address(image, "thumb"), sample, shard]
        assert [get(address).status_code for address in addresses] == [200] * 4
        withdraw(here, image.number)
        assert [get(address).status_code for address in addresses] == [410] * 4
        # Texts and other pictures stay.
        assert get(f"{LABEL}/files/captions-train.jsonl").status_code == 200
        assert get(f"{LABEL}/files/captions-test-00000-of-00001.parquet").status_code == 200
        assert entry.item.label not in text(f"en/{LABEL}/samples")
        assert image.label in text(f"en/{LABEL}/changes")
        assert [row["image"] for row in get(f"{LABEL}/gone.json").json()["pictures"]] == [image.label]
        assert "contains a withdrawn picture" in text(f"en/{LABEL}/files")
        assert f"Pictures of {LABEL} were withdrawn" in text("feed.atom")
        restore(here, image)
        assert [get(address).status_code for address in addresses] == [200] * 4
        assert get(f"{LABEL}/gone.json").json()["pictures"] == []

    def test_of_a_release_leaves_a_notice_with_the_reason(self, public):
        here, release = public
        releases.withdraw_release(
            actor=here.admin, release_id=release.pk, reason="Wrong <licence>", client_key=uuid.uuid4()
        )
        answer = get(f"en/{LABEL}/")
        assert (answer.status_code, "Wrong &lt;licence&gt;" in answer.content.decode()) == (410, True)
        for page in (f"en/{LABEL}/files", f"{LABEL}/files/captions-train.jsonl", f"{LABEL}/CITATION.cff"):
            assert get(page).status_code == 410
        assert "Wrong &lt;licence&gt;" in text("en/")
        assert "captions-v1 was withdrawn" in text("feed.atom")

    def test_of_a_release_that_was_never_public_is_not_told(self, here):
        world, release = here
        opened(world)
        releases.withdraw_release(actor=world.admin, release_id=release.pk, reason="R", client_key=uuid.uuid4())
        assert get(f"en/{LABEL}/").status_code == 404
        assert LABEL not in text("en/")

    def test_a_closed_release_says_that_it_was_public(self, public):
        here, release = public
        services.close_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        answer = get(f"en/{LABEL}/")
        assert (answer.status_code, "is no longer public" in answer.content.decode()) == (410, True)
        services.open_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        assert get(f"en/{LABEL}/").status_code == 200


class TestCovering:
    """Something in a picture of a public release is covered."""

    SHARDS = tuple(f"captions-{split}-00000-of-00001.parquet" for split in ("test", "train", "valid"))
    OTHERS = ("README.md", "captions-test.jsonl", "captions-train.jsonl", "captions-valid.jsonl", "checksums.txt")

    def test_files_with_pictures_are_gone_for_members_and_everybody(self, public):
        here, release = public
        image, admin = in_split(release, "train")[0], signed_in(here.admin)
        inside = f"/api/v1/releases/{release.pk}"
        kept = {name: body(get(f"{LABEL}/files/{name}")) for name in self.OTHERS}
        assert [get(f"{LABEL}/files/{name}").status_code for name in self.SHARDS] == [200] * 3
        assert [admin.get(f"{inside}/files/{name}").status_code for name in self.SHARDS] == [200] * 3
        assert body(get(f"{LABEL}/archive.zip"))
        assert body(admin.get(f"{inside}/archive.zip"))
        cover(here, image)
        for swept in (False, True):  # at once, and once the files are destroyed
            for name in self.SHARDS:
                answer = get(f"{LABEL}/files/{name}")
                assert (answer.status_code, "<code>release_file_covered</code>" in answer.content.decode()) == (
                    410,
                    True,
                )
                assert told(admin.get(f"{inside}/files/{name}")) == (410, "release_file_covered")
            assert "<code>release_file_covered</code>" in get(f"{LABEL}/archive.zip").content.decode()
            assert get(f"{LABEL}/archive.zip").status_code == 410
            assert told(admin.get(f"{inside}/archive.zip")) == (410, "release_file_covered")
            assert {name: body(get(f"{LABEL}/files/{name}")) for name in self.OTHERS} == kept
            assert {name: body(admin.get(f"{inside}/files/{name}")) for name in self.OTHERS} == kept
            keys = [store().exists(key_of(release.pk, name)) for name in self.SHARDS]
            assert keys == [not swept] * 3
            if not swept:
                assert releases.destroy_release_files() == 3
        assert {key_of(release.pk, name) for name in self.SHARDS} < set(destroyed_keys())
        assert releases.destroy_release_files() == 0

    def test_pages_say_why(self, public):
        here, release = public
        cover(here, in_split(release, "train")[0])
        page = text(f"en/{LABEL}/files")
        assert "Something in a picture was covered after this release was frozen" in page
        assert page.count("contains pictures; destroyed") == 3
        assert "archive.zip" not in page
        for name in self.SHARDS:
            assert f"/files/{name}" not in page
        assert f'href="/p/cvlue/{LABEL}/files/captions-train.jsonl"' in page
        shown = signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()
        assert (shown["covered_pictures"], shown["archive"]) == (1, None)
        assert {file["name"] for file in shown["files"] if file["is_destroyed"]} == set(self.SHARDS)
        [row] = queries.publication_detail(here.admin, "cvlue")["releases"]
        assert (row["closed_files"], row["withdrawn_images"]) == (list(self.SHARDS), 0)

    def test_the_picture_is_no_sample_until_somebody_has_looked_at_its_new_version(self, public):
        here, release = public
        image = in_split(release, "train")[0]
        entry = ReleaseEntry.objects.select_related("item").get(release=release, image=image)
        sample, old = f"en/{LABEL}/samples/{entry.item.label}", picture_address(image)
        assert [get(address).status_code for address in (sample, old)] == [200, 200]
        cover(here, image)
        new = picture_address(image)
        assert new != old
        assert [get(address).status_code for address in (sample, old, new)] == [410] * 3
        assert entry.item.label not in text(f"en/{LABEL}/samples")
        clear(here.curator, image)
        assert [get(address).status_code for address in (sample, old, new)] == [200, 404, 200]
        assert entry.item.label in text(f"en/{LABEL}/samples")

    def test_nor_while_nobody_decided_on_what_a_detector_added(self, public):
        _, release = public
        image = in_split(release, "train")[0]
        entry = ReleaseEntry.objects.select_related("item").get(release=release, image=image)
        face = {"key": "faces-0", "box": [9, 9, 60, 60], "what": "face", "score": 0.9}
        assert record_proposals(image_id=image.pk, version=1, detector="centerface-1", regions=[face])
        sample, picture = f"en/{LABEL}/samples/{entry.item.label}", picture_address(image)
        assert [get(address).status_code for address in (sample, picture)] == [410, 410]


def cover(here, image):
    regions = [Region("a", (2.0, 2.0, 8.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=0, regions=regions, client_key=uuid.uuid4())


def body(answer):
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


class TestCaches:
    def test_a_kept_page_costs_one_statement_and_sets_no_cookie(self, public):
        first = get(f"en/{LABEL}/")
        browser = signed_in(public[0].admin)
        with CaptureQueriesContext(
            connection,
        ) as statements:
            answer = browser.get(f"/p/cvlue/en/{LABEL}/")
        assert (len(statements), answer.content) == (1, first.content)
        assert answer["Cache-Control"] == "public, max-age=60"
        assert answer["Content-Security-Policy"] == POLICY
        assert [name for name in ("Set-Cookie", "Vary", "X-Grants") if name in answer] == []
        assert not answer.cookies

    def test_an_unchanged_page_is_304(self, public):
        tag = get(f"en/{LABEL}/")["ETag"]
        assert tag.endswith(f'-{site.BUILD}"')
        with CaptureQueriesContext(connection) as statements:
            again = get(f"en/{LABEL}/", if_none_match=tag)
        assert (again.status_code, again.content, again["ETag"], len(statements)) == (304, b"", tag, 1)

    def test_every_change_gives_another_version(self, public):
        here, release = public
        seen = [get(f"en/{LABEL}/")["ETag"]]

        def changed():
            seen.append(get("en/")["ETag"])
            return len(set(seen)) == len(seen)

        opened(here, terms=TERMS)
        assert changed()
        image = withdraw(here, in_split(release, "test")[0].number)
        assert changed()
        restore(here, image)
        assert changed()
        here.benchmark.title = {**here.benchmark.title, "en": "Other"}
        here.benchmark.save(update_fields=["title"])
        assert changed()
        assert "Other" in text("en/")
        here.benchmark.categories.filter(slug="tea").update(name={"zh-Hans": "茶", "zh-Hant": "茶", "en": "Teas"})
        assert changed()
        assert "Teas" in text(f"en/{LABEL}/")
        services.close_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        assert changed()

    def test_work_on_the_benchmark_changes_nothing(self, public):
        here, _ = public
        tag = get("en/")["ETag"]
        Image.objects.filter(benchmark=here.benchmark, number=1).update(flags=[{"code": "blurred"}])
        here.benchmark.picture_bytes = 7
        here.benchmark.save(update_fields=["picture_bytes"])
        assert get("en/")["ETag"] == tag

    def test_the_style_sheet_is_kept_for_ever(self, public):
        address = re.search(r'href="(/p/pages-[0-9a-f]{12}\.css)"', text("en/"))[1]
        answer = Client().get(address)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "public, max-age=31536000, immutable")


class TestPrograms:
    def test_robots_may_read_public_pages_alone(self, public):
        lines = Client().get("/robots.txt").content.decode().splitlines()
        assert lines[:3] == ["User-agent: *", "Allow: /p/", "Disallow: /"]

    def test_the_sitemap_lists_open_pages_in_every_language(self, public):
        body = Client().get("/sitemap.xml").content.decode()
        assert body.count("<loc>") == 3 * 4
        assert f"<loc>http://testserver/p/cvlue/zh-Hant/{LABEL}/board</loc>" in body
        opened(public[0], is_open=False)
        assert "<loc>" not in Client().get("/sitemap.xml").content.decode()
