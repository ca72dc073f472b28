"""How a protocol says where the items of a kind come from, and what stored versions without these keys mean."""

from pathlib import Path

import pytest
import yaml

from curation.benchmarks import rules
from curation.benchmarks.queries import available_names, presets
from curation.benchmarks.rules.marked_yaml import FileInvalid

FOLDER = Path(__file__).parents[3] / "fixtures" / "protocols"
CVLUE = (FOLDER / "cvlue.yaml").read_text(encoding="utf-8")
AVAILABLE = available_names()
PEER = {"items_per_team": 200, "spot_check_percent": 10}


def source(captions=None, tracks=None, **parts):
    """The text of CVLUE's protocol with more settings of captions, and with more tracks."""
    content = yaml.safe_load(CVLUE) | parts
    content["kinds"]["captions"] |= captions or {}
    content["tracks"] |= tracks or {}
    return yaml.safe_dump(content, allow_unicode=True)


def parse(text):
    return rules.parse(text, available=AVAILABLE, file="mine.yaml")


def faults(text):
    with pytest.raises(FileInvalid) as refused:
        parse(text)
    return [(p.key, p.expected, p.code) for p in refused.value.problems]


DEFAULTS = rules.KindWork(track="package", per_picture=rules.PerPicture(minimum=1, maximum=1), subset=None)


@pytest.mark.parametrize(
    "content", [{}, {"kinds": {}}, {"kinds": {"captions": None}}, {"kinds": {"captions": {"slots": 5}}}]
)
def test_a_version_without_the_keys_has_the_defaults(content):
    assert rules.work_of(content, "captions") == DEFAULTS


def test_presets_work_in_packages_once_questions_and_boxes_on_subset_a():
    works = {
        (name, kind): rules.work_of(p.content, kind) for name, p in presets().items() for kind in p.content["kinds"]
    }
    for name, track in (("cvqa", "peer"), ("tcc-bench", "panel")):
        choice = works.pop((name, "multiple_choice"))
        assert choice == rules.KindWork(track=track, per_picture=rules.PerPicture(minimum=1, maximum=3), subset=None)
    for name in ("cvlue", "demo"):
        assert works.pop((name, "grounding")) == DEFAULTS.model_copy(update={"track": "pair", "subset": "A"})
        assert works.pop((name, "dialogue")) == DEFAULTS.model_copy(update={"track": "pair", "subset": "B"})
    on_subset_a = DEFAULTS.model_copy(update={"subset": "A"})
    assert works == {
        (name, kind): DEFAULTS if kind == "captions" else on_subset_a
        for name in ("cvlue", "demo")
        for kind in ("captions", "vqa", "boxes")
    }


def test_what_the_keys_say():
    captions = {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}, "subset": "A"}
    content = parse(source(captions, {"peer": PEER})).content
    assert rules.work_of(content, "captions") == rules.KindWork(
        track="peer", per_picture=rules.PerPicture(minimum=1, maximum=3), subset="A"
    )
    assert rules.work_of(content, "vqa").track == "package"
    assert content["kinds"]["captions"] | captions == content["kinds"]["captions"]
    assert content["tracks"]["peer"] == PEER | {"blind": False}
    assert parse(source(tracks={"peer": PEER | {"blind": True}})).content["tracks"]["peer"]["blind"] is True


def test_defaults_that_are_written_out_are_no_change():
    plain = parse(source()).content
    named = parse(source({"track": "package", "per_picture": {"minimum": 1, "maximum": 1}, "subset": None})).content
    assert rules.changes(plain, named) == []
    more = parse(source({"per_picture": {"minimum": 2, "maximum": 2}})).content
    assert rules.changes(plain, more) == [("kinds.captions.per_picture", None, {"minimum": 2, "maximum": 2})]


def test_the_keys_are_not_the_kinds_own():
    settings = {"slots": 5, "track": "peer", "subset": "A", "per_picture": {}, "package": {}, "peer": {}}
    work, own = rules.split_settings(settings)
    assert (own, sorted(work)) == ({"slots": 5}, ["package", "peer", "per_picture", "subset", "track"])


@pytest.mark.parametrize(
    ("captions", "key", "expected", "code"),
    [
        ({"track": "raffle"}, "track", "'package', 'peer', 'panel' or 'pair', got 'raffle'", "none_of_these"),
        ({"track": "peer"}, "track", "one of the tracks package, pair, got 'peer'", "name_unknown"),
        ({"subset": "C"}, "subset", "one of the subsets A, B, got 'C'", "name_unknown"),
        ({"per_picture": 2}, "per_picture", "a mapping, got 2", "no_mapping"),
        ({"per_picture": {"minimum": 1}}, "per_picture.maximum", "this key, which is missing", "key_missing"),
        ({"per_picture": {"minimum": 0, "maximum": 1}}, "per_picture.minimum", "at least 1, got 0", "too_small"),
        ({"per_picture": {"minimum": 3, "maximum": 2}}, "per_picture", "minimum not above maximum (3 > 2)", ""),
        ({"package": 5}, "package", "a mapping, got 5", "no_mapping"),
        ({"package": {"size": 0}}, "package.size", "at least 1, got 0", "too_small"),
        ({"package": {"blind": True}}, "package.blind", "this key in tracks.package, for all kinds", "key_unwanted"),
        (
            {"package": {"stall_days": 1}},
            "package.stall_days",
            "this key in tracks.package, for all kinds",
            "key_unwanted",
        ),
        ({"peer": PEER}, "peer.items_per_team", "only settings of package, the kind's track", "key_unwanted"),
    ],
)
def test_faults_have_their_key(captions, key, expected, code):
    assert (f"kinds.captions.{key}", expected, code) in faults(source(captions))


def test_an_unknown_key_is_told_the_keys_of_both():
    [(key, expected, code)] = faults(source({"trak": "peer"}))
    assert (key, code) == ("kinds.captions.trak", "key_unknown")
    assert expected.startswith("one of the keys human_checks, ")
    assert expected.endswith(", track, per_picture, subset, package, peer, panel, pair")


def test_a_kind_may_differ_from_its_track():
    content = parse(source({"package": {"size": 50, "review_pool": {"people": 2, "held": 3}}})).content
    general = content["tracks"]["package"]
    assert rules.track_content(content, "package", "vqa") == general
    assert rules.track_content(content, "package", "captions") == general | {
        "size": 50,
        "review_pool": {"people": 2, "held": 3},
    }
    assert rules.track_content(content, "peer", "captions") is None
    assert rules.changes(parse(source()).content, content) == [
        ("kinds.captions.package", None, {"size": 50, "review_pool": {"people": 2, "held": 3}})
    ]


def test_a_kind_may_bring_the_whole_track():
    text = yaml.safe_load(source({"track": "peer", "peer": PEER}))
    content = parse(yaml.safe_dump(text, allow_unicode=True)).content
    assert content["tracks"]["peer"] is None
    assert rules.track_content(content, "peer", "captions") == PEER
    text["kinds"]["captions"]["peer"] = {"items_per_team": 200}
    assert faults(yaml.safe_dump(text, allow_unicode=True)) == [
        ("kinds.captions.peer.spot_check_percent", "this key, which is missing", "key_missing")
    ]


def test_a_kinds_own_packages_are_warned_about_too():
    [warned] = parse(source({"package": {"size": 10, "sample_percent": 30}})).warnings
    assert (warned.code, warned.path) == ("inspection_weak", "kinds.captions.package.size")


@pytest.mark.parametrize(
    ("peer", "key", "code"),
    [
        ({"items_per_team": 0}, "items_per_team", "too_small"),
        ({"spot_check_percent": 101}, "spot_check_percent", "too_large"),
        ({"stars_needed": 1}, "stars_needed", "key_unknown"),
    ],
)
def test_the_peer_tracks_numbers_are_checked(peer, key, code):
    found = faults(source(tracks={"peer": PEER | peer}))
    assert [(at, what) for at, _, what in found] == [(f"tracks.peer.{key}", code)]


def test_any_blind_track_hides_names():
    assert not rules.is_blind(None)
    assert not rules.is_blind({"tracks": {"package": {"size": 1}, "peer": None, "planned": {"peer": {"blind": True}}}})
    assert rules.is_blind({"tracks": {"package": {"blind": True}}})
    assert rules.is_blind({"tracks": {"package": {"blind": False}, "peer": {"blind": True}}})
