"""A protocol's faults are named by file, line and key, all of them at once."""

from pathlib import Path

import pytest
import yaml

from curation.benchmarks import rules
from curation.benchmarks.queries import available_names
from curation.benchmarks.rules.marked_yaml import FileInvalid

FOLDER = Path(__file__).parents[3] / "fixtures" / "protocols"
CVLUE = (FOLDER / "cvlue.yaml").read_text(encoding="utf-8")
AVAILABLE = available_names()


def parse(source):
    return rules.parse(source, available=AVAILABLE, file="mine.yaml")


def faults(source):
    with pytest.raises(FileInvalid) as refused:
        parse(source)
    return [str(p) for p in refused.value.problems]


def line_of(text, source=CVLUE):
    assert source.count(text) == 1
    return source[: source.index(text)].count("\n") + 1


def change(old, new):
    assert CVLUE.count(old) == 1
    return CVLUE.replace(old, new)


def test_the_preset_holds_the_papers_numbers():
    content = parse(CVLUE).content
    captions = content["kinds"]["captions"]
    assert (captions["slots"], captions["minimum_characters"]) == (5, 8)
    assert captions["overlap"] == {"measure": "bigram_jaccard", "limit_percent": 30}
    assert [c["code"] for c in captions["human_checks"]] == [
        "important_parts",
        "no_future_or_past",
        "no_speech",
        "no_names",
    ]
    assert content["tracks"]["package"] == {
        "size": 100,
        "sample_percent": 25,
        "pass_over_percent": 97,
        "self_check": True,
        "blind": False,
        "stall_days": 3,
        "review_pool": None,
        "inspection_pool": None,
    }
    assert content["release"]["splits"] == {"train": 60, "valid": 10, "test": 30}
    assert content["images"]["near_duplicate_distance"] == 18
    assert [e["code"] for e in content["images"]["licences"] if not e["releasable"]] == ["unclear"]
    assert content["images"]["licences"][1]["name"]["en"] == "CC0 1.0 public domain dedication"


def test_kinds_that_are_not_built_are_kept_as_written():
    protocol = parse(CVLUE.replace("\nkinds:\n", "\nkinds:\n  exam: {papers: 3}\n", 1))
    assert protocol.planned == [
        "kinds.exam",
        "people",
    ]
    assert protocol.content["planned"]["exam"] == {"papers": 3}
    assert list(protocol.content["kinds"]) == ["captions", "vqa", "boxes", "grounding", "dialogue"]


def test_the_content_is_json_and_the_hash_names_the_file():
    one, other = parse(CVLUE), parse(CVLUE + "\n# a remark\n")
    assert one.content == other.content
    assert one.source_sha256 != other.source_sha256
    assert len(one.source_sha256) == 64


def test_the_trial_preset_differs_in_its_package_and_in_what_keeps_it_from_a_release():
    demo = parse((FOLDER / "demo.yaml").read_text(encoding="utf-8")).content
    cvlue = parse(CVLUE).content
    assert {key for key in cvlue if cvlue[key] != demo[key]} == {"meta", "roles", "tracks", "release"}
    gates = [gate for gate in cvlue["release"]["gates"] if gate not in ("item_not_accepted", "quota")]
    capabilities = {role["code"]: role["capabilities"] for role in demo["roles"]}
    of_cvlue = {role["code"]: role["capabilities"] for role in cvlue["roles"]}
    assert capabilities == of_cvlue | {"contributor": ["collect", "click:grounding"]}
    assert demo["release"] == cvlue["release"] | {"gates": gates}
    assert demo["tracks"]["package"] == cvlue["tracks"]["package"] | {"size": 10, "sample_percent": 30}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda p: p.name)
def test_every_preset_is_valid_and_named_as_its_file(path):
    assert parse(path.read_text(encoding="utf-8")).name == path.stem


def test_roles_are_bundles_of_capabilities():
    assert {role["code"]: role["capabilities"] for role in parse(CVLUE).content["roles"]} == {
        "admin": ["administer", "collect", "inspect_images"],
        "curator": ["collect", "inspect_images", "inspect"],
        "senior": ["review"],
        "annotator": ["annotate", "click:grounding", "question:dialogue", "answer:dialogue"],
        "contributor": ["collect"],
    }


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[annotate:captions]", None),
        ("[annotate, review:grounding]", None),
        ("[anotate]", "one of administer, collect, "),
        ("[own]", "one of administer, collect, "),
        ("['annotate:']", "a kind behind the colon, got 'annotate:'"),
        ("[collect:captions]", "collect without a kind, got 'collect:captions'"),
        ("[annotate:captoins]", "one of the kinds captions, vqa, boxes, grounding, dialogue, got 'captoins'"),
    ],
)
def test_capabilities_are_known_and_their_kinds_stand_in_the_file(written, expected):
    source = change('[annotate, "click:grounding", "question:dialogue", "answer:dialogue"]', written)
    if expected is None:
        assert parse(source).content["roles"][3]["capabilities"] == yaml.safe_load(written)
        return
    at = line_of("{code: annotator,")
    found = faults(source)
    assert len(found) == 1
    assert found[0].startswith(f"mine.yaml:{at}: roles.3.capabilities.0: expected {expected}")


def test_somebody_administers_and_nobody_takes_a_reserved_name():
    at = line_of("roles:\n")
    without = change("[administer, collect, inspect_images]", "[collect, inspect_images]")
    assert faults(without) == [f"mine.yaml:{at}: roles: expected a role with the capability administer"]
    at = line_of("{code: senior,")
    for reserved in ("owner", "outsider"):
        assert faults(change("{code: senior,", f"{{code: {reserved},")) == [
            f"mine.yaml:{at}: roles.2.code: expected a code of the benchmark's own; {reserved} is reserved"
        ]


def test_who_signs_up_is_a_word_even_where_yaml_reads_a_truth_value():
    assert (
        parse(change("\npublication:\n", "\npublication:\n  sign_up: off\n")).content["publication"]["sign_up"] == "off"
    )
    at = line_of("publication:\n") + 1
    assert faults(change("\npublication:\n", "\npublication:\n  sign_up: on\n")) == [
        f"mine.yaml:{at}: publication.sign_up: expected 'off', 'invited' or 'open', got True"
    ]


def test_teams_give_roles_of_the_protocol():
    none = "teams: null  # the paper tells of groups by task, not of teams"
    teams = "teams: {size_maximum: 3, roles: [annotator, verifier], lead_may_invite: true}"
    at = line_of(none)
    assert faults(change(none, teams)) == [
        (
            f"mine.yaml:{at}: teams.roles.1: expected one of the roles admin, curator, senior, annotator, contributor, "
            "got 'verifier'"
        )
    ]
    assert parse(change(none, teams.replace(", verifier", ""))).content["teams"] == {
        "size_maximum": 3,
        "roles": ["annotator"],
        "lead_may_invite": True,
    }
    assert parse(CVLUE).content["teams"] is None


def test_what_people_agree_to_has_a_name_that_changes_with_it():
    content = parse(CVLUE).content
    asked = rules.consent_sha256(content)
    assert (len(asked), rules.consent_sha256(parse(CVLUE + "# a remark\n").content)) == (64, asked)
    declared = change(
        "  donors:\n",
        "  eligibility:\n    - {code: fluent, name: {zh-Hans: 流利, zh-Hant: 流利, en: Fluent}}\n  donors:\n",
    )
    others = [
        change("consent:\n  version: 1", "consent:\n  version: 2"),
        change("public research data set", "data set"),
        declared,
    ]
    assert len({asked} | {rules.consent_sha256(parse(o).content) for o in others}) == 4
    of_pictures = parse(change("uses: none", "uses: ask")).content
    assert rules.consent_sha256(of_pictures) == asked
    assert rules.consent_sha256(content | {"consent": None}) == ""
    assert rules.consent_sha256({}) == ""


def test_a_wrong_type_is_named_by_line_and_key():
    at = line_of("    slots: 5  #")
    assert faults(change("    slots: 5  #", "    slots: five  #")) == [
        f"mine.yaml:{at}: kinds.captions.slots: expected a whole number, got 'five'"
    ]
    at = line_of("    size: 100")
    assert faults(change("    size: 100", '    size: "100"')) == [
        f"mine.yaml:{at}: tracks.package.size: expected a whole number, got '100'"
    ]


def test_an_unknown_key_names_the_known_ones():
    at = line_of("    self_check: true")
    assert faults(change("    self_check: true", "    selfcheck: true")) == [
        f"mine.yaml:{line_of('  package:')}: tracks.package.self_check: expected this key, which is missing",
        (
            f"mine.yaml:{at}: tracks.package.selfcheck: expected one of the keys "
            "size, sample_percent, pass_over_percent, self_check, blind, stall_days, review_pool, inspection_pool"
        ),
    ]


def test_a_key_that_stands_twice_names_both_lines():
    at = line_of("    pass_over_percent: 97")
    found = faults(change("    pass_over_percent: 97", "    size: 20\n    pass_over_percent: 97"))
    first = line_of("    size: 100")
    assert found == [f"mine.yaml:{at}: tracks.package.size: expected each key once; it stands on line {first} too"]


def test_every_fault_is_told_at_once_in_the_order_of_lines():
    source = change("train: 60", "train: 61").replace("limit_percent: 30", "limit_percent: 300")
    source = source.replace("  list: cvlue", "  list: ../../secret")
    lines = [int(f.split(":")[1]) for f in faults(source)]
    assert lines == sorted(lines)
    assert [f.split(": ")[1] for f in faults(source)] == [
        "taxonomy.list",
        "kinds.captions.overlap.limit_percent",
        "release.splits",
    ]
    assert faults(source)[2].endswith("expected train, valid and test to add up to 100, got 101")


def test_a_missing_language_is_a_fault():
    found = faults(change("{zh-Hans: 有水印, zh-Hant: 有浮水印, en: Watermark}", "{zh-Hans: 有水印, en: Watermark}"))
    at = line_of("{code: watermark")
    assert found == [f"mine.yaml:{at}: images.refusal_reasons.1.name.zh-Hant: expected this key, which is missing"]


def test_a_code_that_stands_twice_is_a_fault():
    found = faults(change("{code: watermark,", "{code: not_a_photo,"))
    at = line_of("  refusal_reasons:")
    assert found == [f"mine.yaml:{at}: images.refusal_reasons: expected each code once; twice: not_a_photo"]


def test_what_is_no_yaml_names_the_line():
    assert faults("meta: [1,\nlanguages: {")[0].startswith("mine.yaml:2: (whole file): expected YAML (")
    assert faults("")[0] == "mine.yaml:1: (whole file): expected a mapping, the file is empty"
    assert faults("- just\n- a list\n")[0].startswith("mine.yaml:1: (whole file): expected a mapping")


def test_aliases_are_refused_before_they_expand():
    bomb = "a: &a [x, x]\n" + "".join(f"{n}: &{n} [*{p}, *{p}]\n" for p, n in zip("abcdefgh", "bcdefghi", strict=True))
    assert faults(bomb)[0] == "mine.yaml:2: *a: expected the value itself, no alias"


def test_tags_build_no_objects():
    source = change(
        '  source: "CVLUE: A New', '  source: !!python/object/apply:os.system ["exit 1"]\n  x: "CVLUE: A New'
    )
    assert any("meta.source" in f for f in faults(source))


def test_deep_nesting_is_refused():
    assert len(faults("a: " + "[" * 5000 + "]" * 5000)) == 1


def test_the_file_is_plain_yaml_for_other_readers():
    assert yaml.safe_load(CVLUE)["tracks"]["package"]["size"] == 100


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"),
    [
        (
            "list: cvlue",
            "list: cvleu",
            "taxonomy.list",
            "one of the lists cmmu, cmmu-difficulty, cmmu-grades, cvlue, cvqa, tcc-bench, vistai, got 'cvleu'",
        ),
        (
            "exporters: [jsonl, parquet,",
            "exporters: [jsonl, coco_instances,",
            "release.exporters.1",
            "one of the exporters jsonl, parquet",
        ),
        ("gates: [nothing_accepted,", "gates: [nothing,", "release.gates.0", "one of the gates nothing_accepted, "),
        (
            "systems: [demo-dual-encoder, demo-scripted]",
            "systems: [clip, demo-scripted]",
            "evaluation.systems.0",
            "one of the systems ",
        ),
        (
            "suites: [retrieval, vqa, grounding, dialogue]",
            "suites: [retreival, vqa, grounding, dialogue]",
            "evaluation.suites.0",
            "one of the suites retrieval, vqa, grounding, dialogue, cvqa, tcc, vistai, got",
        ),
    ],
)
def test_what_the_file_names_is_there(old, new, key, expected):
    at = line_of(old)
    found = faults(change(old, new))
    assert len(found) == 1
    assert found[0].startswith(f"mine.yaml:{at}: {key}: expected {expected}")


def test_numbers_about_people_name_roles_and_kinds_of_the_file():
    source = change("{role: annotator, kind: vqa, people: 108}", "{role: writer, kind: vqs, people: 108}")
    source = source.replace("{items: 5, judged_by: senior}", "{items: 5, judged_by: teacher}")
    assert [f.split(": ")[1] for f in faults(source)] == [
        "people.staff.1.kind",
        "people.staff.1.role",
        "people.qualification.judged_by",
    ]


def test_sites_name_licences_of_the_file_and_hosts():
    site = "{code: flickr, name: {zh-Hans: F, zh-Hant: F, en: F}, hosts: [https://flickr.com], licences: [CC-BY-9.0]}"
    at = line_of("  sites: []")
    wrong_host = faults(change("  sites: []", f"  sites: [{site}]"))
    assert len(wrong_host) == 1
    assert wrong_host[0].startswith(f"mine.yaml:{at}: images.sites.0.hosts.0: expected a name of the form")
    wrong_licence = faults(change("  sites: []", f"  sites: [{site.replace('https://', '')}]"))
    assert len(wrong_licence) == 1
    assert wrong_licence[0].startswith(
        f"mine.yaml:{at}: images.sites.0.licences.0: expected one of the licences own-work"
    )


def test_a_quotas_minimum_is_no_more_than_its_target():
    found = faults(change("per_category_minimum: 100", "per_category_minimum: 1000"))
    assert [f.split(": ", 2)[2] for f in found] == ["expected minimum not above target (1000 > 326)"]


def test_a_protocol_may_do_without_packages_and_consent():
    content = parse((FOLDER / "cvqa.yaml").read_text("utf-8")).content
    assert content["tracks"]["package"] is None
    assert content["tracks"]["peer"] == {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
    assert "tracks.peer" not in rules.planned_parts(content)
    # A text from before the peer track was built still says that it is planned.
    old = (FOLDER / "cvqa.yaml").read_text("utf-8").replace("  peer:  #", "  planned: {peer: {stars: 1}}\n  peer:  #")
    assert "tracks.peer" in rules.planned_parts(parse(old).content)
    without = CVLUE[: CVLUE.index("consent:\n")] + CVLUE[CVLUE.index("taxonomy:\n") :]
    assert parse(without).content["consent"] is None


def test_kinds_that_divide_their_pictures_by_themselves_are_there():
    listed = CVLUE.replace("  withheld: [test]", "  per_task: [grounding, dialogue]\n  withheld: [test]")
    assert parse(listed).content["release"]["per_task"] == ["grounding", "dialogue"]
    assert parse(CVLUE).content["release"]["per_task"] == []
    [fault] = faults(listed.replace("per_task: [grounding", "per_task: [exam"))
    assert "release.per_task.0" in fault


def test_a_planned_track_is_one_of_three():
    package = CVLUE.index("  package:\n")
    found = faults(CVLUE[:package] + "  planned: {pier: {stars: 1}}\n" + CVLUE[package:])
    assert [f.split(": ")[1] for f in found] == ["tracks.planned.pier"]


def test_changes_are_named_by_path_and_coded_entries_by_their_code():
    before = {"a": {"n": 1}, "licences": [{"code": "x", "ok": True}, {"code": "y", "ok": True}], "tags": ["p", "q"]}
    after = {"a": {"n": 2}, "licences": [{"code": "y", "ok": False}, {"code": "z", "ok": True}], "tags": ["p"]}
    assert rules.changes(before, after) == [
        ("a.n", 1, 2),
        ("licences.y.ok", True, False),
        ("licences.z", None, {"code": "z", "ok": True}),
        ("licences.x", {"code": "x", "ok": True}, None),
        ("tags", ["p", "q"], ["p"]),
    ]
    assert rules.changes(before, before) == []


def test_another_order_of_entries_is_a_change():
    one, other = {"code": "a"}, {"code": "b"}
    assert rules.changes({"r": [one, other]}, {"r": [other, one]}) == [("r", ["a", "b"], ["b", "a"])]


def test_what_is_missing_equals_what_is_empty_and_true_is_no_number():
    assert rules.changes({"tracks": {}}, {"tracks": {"planned": {}, "package": None}, "teams": None, "l": []}) == []
    assert rules.changes({"a": 1}, {"a": True}) == [("a", 1, True)]
    assert rules.changes({"a": 0}, {"a": None}) == [("a", 0, None)]


@pytest.mark.parametrize(
    ("path", "before", "after", "locking"),
    [
        ("kinds.captions.slots", 5, 4, ["captions"]),
        ("kinds.captions.track", None, "peer", ["captions"]),
        ("kinds.captions.per_picture", None, {"minimum": 1, "maximum": 2}, ["captions"]),
        ("kinds.captions.package.size", 50, 60, ["captions"]),
        ("kinds.captions", {"slots": 5}, None, ["captions"]),
        ("kinds.vqa", {"slots": 3}, None, ["vqa"]),
        ("kinds.vqa", None, {"slots": 3}, []),  # taken up: nothing was made of it yet
        ("kinds.captions.minimum_words", None, 3, ["captions"]),
        ("kinds.captions.skip_reasons", [], [{"code": "dark"}], []),
        ("kinds.captions.skip_reasons.dark", None, {"code": "dark"}, []),
        ("kinds.captions.skip_reasons.dark", {"code": "dark"}, None, ["captions"]),
        ("kinds.captions.review_reasons.dark", None, {"code": "dark"}, ["captions"]),
        ("kinds.captions.drafting", None, {"model": "m"}, []),
        ("kinds.captions.drafting", {"model": "m"}, None, []),
        ("kinds.captions.drafting.model", "m", "n", []),
        ("kinds.captions.blind_trials", None, {"model": "m"}, []),  # questions from before get their trials, too
        ("kinds.captions.blind_trials", {"model": "m"}, None, []),
        ("kinds.captions.blind_trials.model", "m", "n", []),  # the server may offer it no longer
        ("tracks.package.size", 100, 50, ["captions"]),
        ("tracks.package", {"size": 100}, None, ["captions"]),
        ("tracks.package", None, {"size": 100}, []),
        ("tracks.package.review_pool", None, {"people": 1, "held": 5}, ["captions"]),
        ("tracks.peer.items_per_team", 200, 100, ["vqa"]),
        ("tracks.peer", None, {"items_per_team": 200}, []),
        ("tracks.peer", {"items_per_team": 200}, None, ["vqa"]),
        ("tracks.planned.panel.rounds", 1, 2, []),
        ("taxonomy.list", "a", "b", ["captions", "vqa", "boxes"]),
        ("taxonomy.pairs", None, "b-pairs", ["captions", "vqa", "boxes"]),
        ("languages.content", "en", "team", ["captions", "vqa", "boxes"]),
        ("languages.translation", None, "en", []),
        ("languages.translation", "en", "zh-Hans", ["captions", "vqa", "boxes"]),
        ("languages.translation", "en", None, ["captions", "vqa", "boxes"]),
        ("images.side", 1, 2, []),
        ("planned.boxes", 1, 2, []),
    ],
)
def test_items_lock_what_they_depend_on(path, before, after, locking):
    tracks = {"captions": "package", "vqa": "peer", "boxes": "package2"}
    change_ = rules.Change(path, before, after)
    assert [kind for kind, track in tracks.items() if change_.is_locked({kind: track})] == locking
    assert change_.is_locked(tracks) is bool(locking)
    assert not change_.is_locked({})


def test_an_inspection_that_means_little_is_a_warning_at_its_line():
    source = change("    size: 100\n", "    size: 20\n").replace("sample_percent: 25", "sample_percent: 10")
    (warned,) = parse(source).warnings
    assert (warned.code, warned.line, warned.path) == (
        "inspection_weak",
        line_of("    size: 20\n", source),
        "tracks.package.size",
    )
    assert warned.params | {"chance": round(warned.params["chance"], 3)} == {
        "size": 20,
        "sample": 2,
        "errors_allowed": 0,
        "right_percent": 90,
        "chance": 0.805,
    }
    assert str(warned).endswith("work that is 90% right passes in 81% of cases")
    assert rules.warnings_of(parse(source).content, source) == [warned]
