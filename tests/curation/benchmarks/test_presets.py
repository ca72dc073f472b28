"""The five presets say what the papers say, number by number."""

import json
from pathlib import Path

import pytest

from curation.benchmarks.queries import preset, presets
from curation.benchmarks.rules import Capability, consent_sha256

PAPERS = ("cmmu", "cvlue", "cvqa", "tcc-bench", "vistai")


@pytest.fixture(scope="module")
def of():
    return {name: preset(name).content for name in PAPERS}


def test_there_are_five_papers_and_one_to_try_out():
    assert list(presets()) == ["cmmu", "cvlue", "cvqa", "demo", "tcc-bench", "vistai"]
    assert all(name == protocol.name for name, protocol in presets().items())


def test_what_is_read_once_cannot_be_spoilt_by_who_changes_it():
    preset("cvqa").content["images"]["sites"].clear()
    assert len(preset("cvqa").content["images"]["sites"]) == 5


def test_cvlue_tells_who_worked_on_what(of):
    people = of["cvlue"]["people"]
    counted = {(s["role"], s["kind"]): s["people"] for s in people["staff"]}
    kinds = ("captions", "vqa", "grounding", "dialogue")
    assert [counted["annotator", kind] for kind in kinds] == [41, 108, 44, 26]
    assert [counted["senior", kind] for kind in kinds] == [10, 12, 8, 13]
    assert counted["curator", None] == 4
    assert people["qualification"] == {"items": 5, "judged_by": "senior"}
    assert people["training"] == {"items": 50, "right_percent": 100, "guided_by": "senior"}
    assert people["cost"] == {"currency": "CNY", "amount": 550_000, "months": 6}


def test_cvlue_counts_objects_for_its_subsets(of):
    a, b = of["cvlue"]["images"]["subsets"]
    unbound = {"minimum": None, "maximum": None}
    assert a["objects"]["main"] == unbound | {"minimum": 2}
    assert a["objects"]["all"] == unbound | {"minimum": 3}  # "more than 2"
    assert b["objects"]["listed"] == b["objects"]["categories"] == {"minimum": 3, "maximum": 5}
    assert a["quota"] == {"per_category_minimum": 80, "per_category_target": 262}  # 72,306 questions, 3 a picture
    assert b["quota"] == {"per_category_minimum": 20, "per_category_target": 64}
    assert [round(n / 92) for n in (72_306 // 3, 30_009 - 72_306 // 3)] == [262, 64]
    assert of["cvlue"]["images"]["quota"] == {"per_category_minimum": 100, "per_category_target": 30_009 // 92}


def test_cvqa_works_in_teams_of_three_for_credit(of):
    content = of["cvqa"]
    assert content["teams"] == {"size_maximum": 3, "roles": ["annotator"], "lead_may_invite": True}
    assert content["people"]["staff"] == [{"role": "annotator", "kind": None, "people": 76}]
    assert content["people"]["credit"] == {"validated_items": 100, "or_manages_subsets": True}
    assert [q["code"] for q in content["people"]["questionnaire"]["questions"]] == [
        "age_band",
        "gender",
        "years_in_country",
        "native_speaker",
    ]
    assert content["people"]["questionnaire"]["shown_from"] == 5
    assert [e["code"] for e in content["consent"]["eligibility"]] == ["fluent", "at_home"]
    assert content["languages"] == {"content": "team", "translation": "en"}
    assert content["tracks"]["package"] is None
    assert content["tracks"]["peer"] == {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
    work = content["kinds"]["multiple_choice"]
    assert work["track"] == "peer"
    assert work["per_picture"] == {"minimum": 1, "maximum": 3}
    assert (work["options"], work["explanation"]) == (4, False)
    assert content["taxonomy"] == {"list": "cvqa", "pairs": "cvqa-pairs"}


def test_cvqa_names_its_sites_and_asks_donors(of):
    images = of["cvqa"]["images"]
    assert of["cvqa"]["consent"]["donors"] == {"uses": "ask"}
    assert images["sources"] == ["own", "donated", "external"]
    assert [site["code"] for site in images["sites"]] == [
        "flickr",
        "wikimedia_commons",
        "unsplash",
        "dollar_street",
        "pixabay",
    ]
    flickr = images["sites"][0]["licences"]
    assert all(code.startswith("CC") or code == "public-domain" for code in flickr)
    assert images["quota"] is None


def test_tcc_bench_limits_files_and_verifies_twice(of):
    content = of["tcc-bench"]
    assert content["images"]["bytes"] == {"minimum": 100_000, "maximum": 3_000_000}
    assert content["images"]["sources"] == ["external"]
    hosts = [host for site in content["images"]["sites"] for host in site["hosts"]]
    assert len(content["images"]["sites"]) == 6
    assert {"sohu.com", "bridge.chinese.cn", "digitalarchive.npm.gov.tw"} < set(hosts)
    releasable = [entry["code"] for entry in content["images"]["licences"] if entry["releasable"]]
    assert releasable == ["public-domain", "CC0-1.0", "nc-academic"]
    assert content["people"]["staff"] == [{"role": "annotator", "kind": None, "people": 6}]
    assert [e["code"] for e in content["consent"]["eligibility"]] == ["bachelor", "lived_there"]
    panel = content["tracks"]["panel"]
    assert (panel["people"], panel["on_failure"], panel["form"]) == (2, "exclude", [{"type": "pass"}])
    drafting = {"model": "gpt-4o", "prompt": "tcc-draft", "candidates_minimum": 3}
    assert content["kinds"]["multiple_choice"]["drafting"] == drafting
    trials = {"model": "gpt-4o", "prompt": "choice-text-only", "tries": 4, "flagged_from": 4}
    assert content["kinds"]["multiple_choice"]["blind_trials"] == trials
    assert content["kinds"]["multiple_choice"]["concept_in_question"] == "forbidden"
    assert "concept_leak" in content["release"]["gates"]
    assert content["languages"] == {"content": "zh-Hans", "translation": "en"}


def test_cmmu_refuses_small_pictures_and_splits_in_halves(of):
    content = of["cmmu"]
    assert content["images"]["side"]["minimum"] == 50
    assert content["release"]["splits"] == {"train": 0, "valid": 50, "test": 50}
    assert content["release"]["withheld"] == ["test"]
    types = content["planned"]["exam"]["types"]
    assert types["multiple_choice"] == {"options": {"minimum": 3, "maximum": 4}, "right": 1}
    assert types["multiple_response"]["right"] == {"minimum": 1, "maximum": 4}
    axes = content["taxonomy"]["axes"]
    assert [(axis["code"], axis["list"]) for axis in axes] == [
        ("grade", "cmmu-grades"),
        ("difficulty", "cmmu-difficulty"),
    ]
    assert "difficulty" not in content["planned"]["exam"]
    assert [r["capabilities"] for r in content["roles"] if r["code"] == "teacher"] == [["teach"]]
    assert content["tracks"]["planned"]["panel"]["rounds"] == 1


def test_vistai_waives_ownership_and_votes(of):
    content = of["vistai"]
    assert content["consent"]["donors"] == {"uses": "waive"}
    assert content["people"]["staff"] == [{"role": "contributor", "kind": "open_question", "people": 9}]
    assert content["tracks"]["planned"]["community"]["downvotes_remove"] == 3
    assert content["release"]["per_category"] == {"train": 5, "test_minimum": 100, "valid_target": 10}
    total = 3_795 + 869 + 105
    shares = {"train": round(10_500 / total), "valid": round(86_900 / total), "test": round(379_500 / total)}
    assert content["release"]["splits"] == shares
    assert content["evaluation"]["planned"]["settings"]["human_raters"] == 3
    assert content["languages"]["content"] == "zh-Hant"
    moderator = next(r for r in content["roles"] if r["code"] == "moderator")
    assert moderator["capabilities"] == ["moderate", "inspect_images"]


def test_every_capability_of_the_vocabulary_is_used_by_a_paper(of):
    used = {c.partition(":")[0] for content in of.values() for role in content["roles"] for c in role["capabilities"]}
    assert used == {c.value for c in Capability} - {"own"}


def test_every_preset_asks_for_consent_and_gives_reasons_to_withdraw(of):
    assert len({consent_sha256(content) for content in of.values()} - {""}) == 5
    for content in of.values():
        assert [r["code"] for r in content["images"]["takedown_reasons"]][:2] == [
            "contributor_asks",
            "person_shown_asks",
        ]
        assert [entry["code"] for entry in content["images"]["licences"] if not entry["releasable"]] == ["unclear"]


def test_kinds_and_tracks_that_are_not_built_are_planned(of):
    kinds = {name: sorted(content["planned"]) for name, content in of.items()}
    assert kinds == {
        "cmmu": ["exam"],
        "cvlue": [],
        "cvqa": [],
        "tcc-bench": [],
        "vistai": ["exam", "open_question"],
    }
    tracks = {name: sorted(content["tracks"]["planned"]) for name, content in of.items()}
    assert tracks == {
        "cmmu": ["panel"],
        "cvlue": [],
        "cvqa": [],
        "tcc-bench": [],
        "vistai": ["community", "panel"],
    }


def test_only_the_preset_to_try_out_draws_too_few_and_says_so():
    found = {name: [w.code for w in protocol.warnings] for name, protocol in presets().items() if protocol.warnings}
    assert found == {"demo": ["inspection_weak"]}
    assert "passes about seven times in ten" in preset("demo").source.replace("\n    # ", " ")


def test_systems_that_ship_answer_the_suites_that_there_are(of):
    requested = {
        name: (content["evaluation"]["systems"], content["evaluation"]["suites"]) for name, content in of.items()
    }
    assert requested == {
        "cmmu": ([], []),
        "cvlue": (["demo-dual-encoder", "demo-scripted"], ["retrieval", "vqa", "grounding", "dialogue"]),
        "cvqa": (["demo-scripted"], ["cvqa"]),
        "tcc-bench": (["demo-scripted"], ["tcc"]),
        "vistai": (["demo-scripted"], ["vistai"]),
    }
    planned = {name: content["evaluation"]["planned"]["suites"] for name, content in of.items()}
    assert planned == {
        "cmmu": ["exam_circular", "exam_fill_in"],
        "cvlue": [],
        "cvqa": [],
        "tcc-bench": ["multiple_choice_few_shot"],
        "vistai": ["dialogue_judged"],
    }


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_the_page_of_a_protocol_names_every_check_format_suite_and_system(language):
    locales = Path(__file__).resolve().parents[3] / "frontend" / "src" / "locales" / language
    known = set(json.loads((locales / "benchmarks.json").read_text())["name"])
    known |= set(json.loads((locales / "releases.json").read_text())["format"])
    known |= set(json.loads((locales / "runs.json").read_text())["suite"])
    lists = [("release", "gates"), ("release", "exporters"), ("evaluation", "suites"), ("evaluation", "systems")]
    for protocol in presets().values():
        for section, key in lists:
            content = protocol.content[section]
            codes = {*content.get(key, []), *content["planned"].get(key, [])}
            assert codes <= known, (protocol.name, section, key)
