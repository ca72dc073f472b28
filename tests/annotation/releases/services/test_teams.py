"""Releases of a benchmark whose teams write in languages of their own."""

import csv
import json
import uuid

import pyarrow.parquet as pq
import pytest

from annotation.items.models import Item, ItemRevision
from annotation.releases import queries, services
from annotation.releases.models import ReleaseEntry
from curation.core import jobs
from curation.people.models import Team
from tests.annotation.releases.content import accepted, filled, frozen, picture, protocol, team
from tests.kinds import CONTENTS, numbers_of
from tests.protocols import names
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@shared
def here():
    content = protocol(licence="per-picture", exporters=["jsonl", "parquet", "csv", "croissant"])
    return team(content=content | {"languages": {"content": "team", "translation": "en"}})


def pair(here, slug, tag, language, country, script, continent):
    values = {"pair": slug, "language": tag, "script": script, "continent": continent}
    localised = {"country": names(country), "language_name": names(language)}
    return Team.objects.create(benchmark=here.benchmark, name=slug, **values, **localised)


@pytest.fixture
def release(here):
    cairo = pair(here, "egypt_egyptian_arabic", "arz-EG", "Egyptian Arabic", "Egypt", "arabic", "africa")
    lahore = pair(here, "pakistan_urdu", "ur-PK", "Urdu", "Pakistan", "arabic", "asia")
    for number in range(1, 4):
        accepted(here, number, team=cairo)
    accepted(here, 4, team=lahore, licence="own-work")
    return frozen(here)


def test_each_record_names_its_teams_language_and_country(release):
    records = [entry.record for entry in ReleaseEntry.objects.filter(release=release).order_by("image__number")]
    fields = ["language", "language_name", "translation_language", "country", "continent", "research_only"]
    assert [[record[name] for name in fields] for record in records] == [
        ["arz-EG", "Egyptian Arabic", "en", "Egypt", "africa", False]
    ] * 3 + [["ur-PK", "Urdu", "en", "Pakistan", "asia", False]]
    assert all("slot" not in record for record in records)  # a picture has one item of this kind


def test_the_releases_languages_are_those_of_its_records(release):
    [facts] = queries.facts_of(release).kinds
    assert (facts.language, facts.languages) == ("mul", ["arz-EG", "en", "ur-PK"])
    assert facts.columns == [
        "language",
        "language_name",
        "translation_language",
        "country",
        "continent",
        "distance",
        "research_only",
    ]


def test_every_format_carries_them(release, media):
    assert jobs.run(release.job_id, services.write_files) == "done"
    files = {path.name: path.read_bytes() for path in services.folder_of(release.pk).iterdir()}
    lines = [json.loads(line) for name, text in files.items() if name.endswith(".jsonl") for line in text.splitlines()]
    assert {record["language"] for record in lines} == {"arz-EG", "ur-PK"}
    assert b",language,language_name,translation_language,country,continent," in files["captions-train.csv"]
    assert json.loads(files["croissant.json"])["inLanguage"] == ["arz-EG", "en", "ur-PK"]
    card = files["README.md"].decode()
    assert "language:\n- arz\n- en\n- ur\nlanguage_bcp47:\n- arz-EG\n- en\n- ur-PK\nlicense: other\n" in card
    assert "| Egyptian Arabic | arz-EG | Egypt | 3 |\n| Urdu | ur-PK | Pakistan | 1 |" in card
    assert (
        "| country | language | all | none | kite | panda | tea |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| Egypt | Egyptian Arabic | 3 (3) | 1 (1) | 1 (1) | 0 | 1 (1) |\n"
        "| Pakistan | Urdu | 1 (1) | 0 | 0 | 1 (1) | 0 |\n"
    ) in card


def test_benchmarks_of_one_language_have_the_records_they_had():
    here = team(slug="plain", prefix="plain-", distance="")
    filled(here, 3)
    [facts] = queries.facts_of(frozen(here)).kinds
    assert (facts.language, facts.languages, facts.columns) == ("zh-Hans", [], [])


def test_later_releases_order_options_by_the_seed_of_the_first(here):
    filled(here, 4)
    first = frozen(here, seed=11)
    assert first.kinds.get().option_seed == 11
    services.withdraw_release(actor=here.admin, release_id=first.pk, reason="wrong", client_key=uuid.uuid4())
    second = frozen(here, seed=12)
    third = frozen(here, seed=13)
    assert [one.kinds.get().option_seed for one in (second, third)] == [11, 11]
    assert queries.facts_of(second).about.option_seed == 11


def choice_benchmark(slug, **release):
    """A benchmark with one accepted choice question, on a picture given for research only."""
    choice = {"per_picture": {"minimum": 1, "maximum": 1}, **numbers_of("multiple_choice")}
    content = protocol(gates=["nothing_accepted"], splits={"test": 100}, **release)
    content["kinds"] = {"multiple_choice": choice}
    here = team(slug=slug, prefix=f"{slug}-", content=content | {"languages": {"content": "zh-Hans"}}, distance="")
    image = picture(
        here, 1, source={"kind": "own", "uses": {"research": True, "commercial": False}}, licence="own-work"
    )
    at = {"benchmark": here.benchmark, "kind": "multiple_choice", "image": image, "number": 1}
    item = Item.objects.create(**at, state="accepted", revision_no=1, accepted_no=1)
    ItemRevision.objects.create(
        item=item,
        no=1,
        author=here.annotator,
        origin="annotator",
        content=CONTENTS["multiple_choice"](1),
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    return here


def test_cvqas_format_is_written_whatever_the_languages_and_the_licence():
    here = choice_benchmark("one-licence", exporters=["jsonl", "cvqa_hub"])
    release = frozen(here, "multiple_choice")
    assert queries.facts_of(release).about.columns == ["language_name", "country", "research_only"]
    assert jobs.run(release.job_id, services.write_files) == "done"
    [row] = pq.read_table(services.folder_of(release.pk) / "cvqa-hub-test-00000-of-00001.parquet").to_pylist()
    assert (row["Subset"], row["Image Source"]) == ("('', '')", "Self-research_only")


def test_without_cvqas_format_records_have_no_field_for_it():
    here = choice_benchmark("plain", exporters=["jsonl"])
    assert queries.facts_of(frozen(here, "multiple_choice")).about.columns == []


def test_the_list_of_licences_names_who_took_the_picture():
    here = choice_benchmark("licences", exporters=["jsonl"], licence="per-picture")
    release = frozen(here, "multiple_choice")
    assert jobs.run(release.job_id, services.write_files) == "done"
    [row] = csv.DictReader((services.folder_of(release.pk) / "licences.csv").read_text("utf-8-sig").splitlines())
    assert (row["source_kind"], row["source_author"]) == ("own", here.contributor.name)


def test_a_question_asked_twice_on_a_picture_is_a_warning_and_stops_no_release():
    here = choice_benchmark("twice", exporters=["jsonl"])
    first = Item.objects.get(benchmark=here.benchmark)
    revision = first.revisions.get()
    at = {"benchmark": here.benchmark, "kind": "multiple_choice", "image": first.image, "number": 2, "slot": 1}
    second = Item.objects.create(**at, state="accepted", revision_no=1, accepted_no=1)
    more = {"origin": "annotator", "protocol": here.benchmark.protocol, "client_key": uuid.uuid4()}
    ItemRevision.objects.create(item=second, no=1, author=here.annotator2, content=revision.content, **more)
    draft = services.create_release(
        actor=here.admin, benchmark_slug="twice", kinds=["multiple_choice"], client_key=uuid.uuid4()
    )
    shown = queries.release_detail(here.admin, draft.pk)
    assert [(w["code"], w["label"], w["params"]["other"], w["link"]) for w in shown["warnings"]] == [
        ("question_twice", second.label, first.label, f"/b/twice/items/{second.pk}")
    ]
    assert shown["gates"] == []
    assert frozen(here, "multiple_choice").frozen_at is not None
