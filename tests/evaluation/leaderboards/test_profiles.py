"""Boards of what profiles score: planted heat maps are recovered, files say the same, and two rows are compared."""

import csv
import io
import json
import uuid

import numpy as np
import pgtrigger
import pytest

from curation.core.registry import Registry
from evaluation.answering.services import systems
from evaluation.backends import registry
from evaluation.leaderboards.queries import profiles
from evaluation.metrics.comparison import paired
from evaluation.profiles.reports import SEED
from evaluation.runs.rules import NO_PICTURE
from evaluation.runs.services import settings as run_settings
from evaluation.runs.services import working
from evaluation.scoring.models import ReportUnits
from evaluation.submissions import queries as submission_queries
from evaluation.submissions.services import list_submission
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from tests.evaluation.accepted import benchmark, protocol
from tests.evaluation.answering.benchmarks import RED, lines, picture
from tests.evaluation.answering.double import Double, record
from tests.evaluation.answering.double import Entry as Backend
from tests.evaluation.sets.files import create, read, start, work, zipped
from tests.evaluation.submissions.predictions import release_of_choices, scored, world_with_release
from tests.people import signed_in

pytestmark = pytest.mark.django_db

PAIRS = {"CN": "Chinese - China", "JP": "Japanese - Japan", "KE": "Swahili - Kenya"}
PROFILE = "cvqa-mcq/generated"
# Right answers by pair and manner, of two questions about each of two pictures; those of the first picture come first.
PLANTED = {"seeing": {"CN": 4, "JP": 2, "KE": 1}, "blind": {"CN": 1, "JP": 1, "KE": 0}, "english": {"CN": 3, "KE": 4}}


def question(pair, n):
    language, country = PAIRS[pair].split(" - ")
    return {
        "ID": f"{pair}{n // 2}_{n % 2}",
        "Subset": str((language, country)),
        "Question": f"{pair}第{n}题",
        "Translated Question": f"{pair} {n}?",
        "Options": ["一", "二", "三", "四"],
        "Translated Options": ["one", "two", "three", "four"],
        "Label": 1,
        "Category": "Food" if n < 2 else "Sports",
        "Image Type": "Self",
    }


@pytest.fixture
def team(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return benchmark()


@pytest.fixture
def planted(team, monkeypatch, tmp_path):
    """A set with three runs of one system, which differ in pictures and language; what each answers is known."""
    double = Double()
    entries = Registry("backend", {**registry.BACKENDS, "double": Backend(double)})
    for module in (systems, run_settings, working, system_services, system_queries):
        monkeypatch.setattr(module, "BACKENDS", entries)
    system_services.add_system(system_queries.read_record(record(tmp_path, "generate")))
    for pair in PAIRS:
        for n in range(2):
            picture(tmp_path / "pictures" / f"{pair}{n}.jpg", RED)
    gold = lines(tmp_path / "cvqa.jsonl", [question(pair, n) for pair in PAIRS for n in range(4)])
    row = read(create(team, "cvqa", gold, zipped(tmp_path / "pictures"), name="三国"))
    runs = {}
    for manner, choices in {"seeing": {}, "blind": {"pictures": NO_PICTURE}, "english": {"sides": "en"}}.items():
        form = "{} {}?" if manner == "english" else "{}第{}题"
        right = {form.format(pair, n) for pair, count in PLANTED[manner].items() for n in range(count)}
        every = [form.format(pair, n) for pair in PAIRS for n in range(4)]
        double.replies = {one: "B" if one in right else "不知道" for one in every}
        runs[manner] = work(start(team, row, "double", **choices))
    return row, runs


def get(person, row, what, **query):
    return signed_in(person).get(f"/api/v1/sets/{row.pk}/{what}", query)


def shares(manner):
    return [PLANTED[manner].get(pair, 0) / 4 for pair in PAIRS]


def test_a_planted_heat_map_is_recovered_on_the_board_and_in_every_file(team, planted):
    row, runs = planted
    board = get(team.senior, row, "board", tag="pair").json()
    assert (board["profile"], board["metric"], board["chance"]) == (PROFILE, "accuracy", 0.25)
    assert board["tags"] == ["category", "pair", "country", "language"]
    assert [(group["group"], group["n"], group["chance"]) for group in board["groups"]] == [
        (name, 4, 0.25) for name in PAIRS.values()
    ]
    order = ["seeing", "english", "blind"]  # two of seven right answers each, the older run first
    assert [one["run"] for one in board["rows"]] == [runs[manner].pk for manner in order]
    assert {
        manner: [figure["value"] for figure in one["groups"]] for manner, one in zip(order, board["rows"], strict=True)
    } == {manner: shares(manner) for manner in order}
    # Two pictures in each pair; where all are right or wrong the interval is Wilson's over them.
    low, high = (board["rows"][0]["groups"][0][end] for end in ("low", "high"))
    assert (low, high) == (pytest.approx(0.3424, abs=1e-4), 1)
    assert [one["text_only"] for one in board["rows"]] == [2 / 12, None, None]
    scores = {one["run"]: one for one in get(team.senior, row, "scores").json()}
    assert scores[runs["seeing"].pk]["text_only"] == runs["blind"].pk
    assert scores[runs["seeing"].pk]["metrics"][0]["chance"] == 0.25

    answer = get(team.senior, row, "board/groups-pair.csv", profile=PROFILE)
    assert answer["Content-Disposition"] == f'attachment; filename="set-{row.pk}-groups-pair.csv"'
    written = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {(one["row"], one["group"]): float(one["value"]) for one in written} == {
        (f"run-{runs[manner].pk}", name): share
        for manner in order
        for name, share in zip(PAIRS.values(), shares(manner), strict=True)
    }
    assert {(one["chance"], one["n_expected"]) for one in written} == {("0.25", "4")}
    whole = get(team.senior, row, "board/leaderboard.csv", profile=PROFILE).content.decode("utf-8-sig")
    (first, second, last) = csv.DictReader(io.StringIO(whole))
    assert (first["value"], first["text_only"], first["n_unparsable"], first["n_missing"]) == (
        repr(7 / 12),
        repr(2 / 12),
        "5",
        "0",
    )
    assert (last["manner"].rpartition(" ")[2], second["text_only"]) == ("text-only", "")
    tex = get(team.senior, row, "board/groups-pair.tex", profile=PROFILE, lang="en").content.decode()
    assert "Chinese - China & \\textbf{100.0} {\\scriptsize [34.2, 100.0]} & 75.0" in tex
    assert "Country and language & " in tex
    assert " & 25.0 \\\\" in tex


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh-Hans", ("三国", "正确率", "虚线为随机作答", "无图")),
        ("zh-Hant", ("三国", "正確率", "虛線為隨機作答", "無圖")),
        ("en", ("三国", "Accuracy", "dashed line: guessing", "no picture")),
    ],
)
def test_charts_have_the_words_of_the_language_and_the_planted_shares(team, planted, lang, words):
    row, _ = planted
    drawn = get(team.senior, row, "board/leaderboard.svg", profile=PROFILE, lang=lang, theme="dark").content.decode()
    assert all(word in drawn for word in words), [word for word in words if word not in drawn]
    heat = get(team.senior, row, "board/groups-pair.svg", profile=PROFILE, lang=lang).content.decode()
    assert [f">{text}<" in heat for text in (*PAIRS.values(), "100", "25")] == [True] * 5


def test_two_runs_are_compared_on_their_common_questions_by_picture(team, planted):
    row, runs = planted
    one, other = f"run-{runs['seeing'].pk}", f"run-{runs['english'].pk}"
    answer = get(team.senior, row, "comparison", one=one, other=other).json()
    # Pictures in order: China's two, Japan's two, Kenya's two.
    only_one, only_other = np.array([0, 1, 2, 0, 0, 0]), np.array([0, 0, 0, 0, 1, 2])
    expected = paired(only_one, only_other, np.full(6, 2), seed=SEED)
    assert answer == {
        "n": 12,
        "images": 6,
        "both": 4,
        "only_one": 3,
        "only_other": 3,
        "neither": 2,
        "difference": 0.0,
        "low": expected.low,
        "high": expected.high,
        "p": expected.p,
        "method": expected.method,
        "interval": expected.interval,
    }
    # The samples behind one of the counts.
    filters = {"against": runs["english"].pk, "than": "better"}
    samples = signed_in(team.senior).get(f"/api/v1/runs/{runs['seeing'].pk}/samples", filters).json()
    assert sorted(sample["key"] for sample in samples["results"]) == ["CN1_1", "JP0_0", "JP0_1"]


def test_what_cannot_be_shown_or_compared_is_refused(team, planted, django_assert_max_num_queries):
    row, runs = planted
    one, other = (f"run-{runs[manner].pk}" for manner in ("seeing", "blind"))
    for what, query in [
        ("board", {"profile": "cvqa-mcq/paper"}),
        ("board", {"tag": "grade"}),
        ("board/groups-grade.csv", {}),
        ("board/groups-pair.pdf", {}),
        ("comparison", {"one": one, "other": "run-1000000"}),
        ("comparison", {"one": one, "other": f"submission-{runs['blind'].pk}"}),
    ]:
        refused = get(team.senior, row, what, **query)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found"), (what, query)
    refused = get(team.senior, row, "comparison", one=one, other="2")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    assert get(team.annotator, row, "board").status_code == 403
    with django_assert_max_num_queries(8):
        profiles.set_board(team.senior, row.pk)

    with pgtrigger.ignore("evaluation.ReportUnits:append_only"):
        ReportUnits.objects.filter(report__run=runs["blind"]).delete()
    board = json.loads(get(team.senior, row, "board").content)
    assert [one["is_comparable"] for one in board["rows"]] == [True, True, False]
    refused = get(team.senior, row, "comparison", one=one, other=other)
    assert (refused.status_code, refused.json()["code"], refused.json()["params"]) == (
        409,
        "row_not_comparable",
        {"row": other},
    )


COUNTRIES = ["China"] * 3 + ["Singapore"] * 3 + ["Malaysia"] * 2 + ["Indonesia"]


@pytest.mark.parametrize(
    ("withheld", "least", "groups"),
    [
        ([], 0, ["China", "Indonesia", "Malaysia", "Singapore"]),
        (["test"], 3, ["China", "Singapore"]),
        (["test"], None, None),
    ],
)
def test_small_groups_of_withheld_answers_are_on_no_board_of_a_release(settings, tmp_path, withheld, least, groups):
    settings.MEDIA_ROOT = tmp_path
    content = protocol("x")
    content["release"] |= {"withheld": withheld}
    content |= {"publication": {"least_group": least}} if least else {}
    team, _ = world_with_release(1, content=content)
    release = release_of_choices(team, COUNTRIES)
    template = submission_queries.template(team.contributor, release.pk).content.decode()
    answers = [json.loads(line) | {"response": "A"} for line in template.splitlines()]
    data = "\n".join(json.dumps(one, ensure_ascii=False) for one in answers).encode()
    for _ in range(2):
        found = scored(team.contributor, release, data, profile=PROFILE)
        list_submission(actor=team.contributor, submission_id=found.pk, client_key=uuid.uuid4())

    def opened(what, **query):
        return signed_in(team.senior).get(f"/api/v1/releases/{release.pk}/{what}", {"profile": PROFILE, **query})

    board = opened("profile-board").json()
    assert board["least_group"] == (0 if least == 0 else least or 20)
    names = [file["name"] for file in board["charts"]]
    assert ("groups-country.csv" in names, "leaderboard.csv" in names) == (groups is not None, True)
    if groups is None:  # of fewer than 20 answers no group is left
        assert (board["tags"], board["groups"], opened("leaderboard/groups-country.csv").status_code) == ([], [], 404)
        assert opened("profile-board", tag="country").status_code == 404
        return
    board = opened("profile-board", tag="country").json()
    assert [group["group"] for group in board["groups"]] == groups
    assert [len(row["groups"]) for row in board["rows"]] == [len(groups)] * 2
    written = csv.DictReader(io.StringIO(opened("leaderboard/groups-country.csv").content.decode("utf-8-sig")))
    assert [one["group"] for one in written] == groups * 2
    heat = opened("leaderboard/groups-country.svg", lang="en").content.decode()
    assert [country for country in sorted(set(COUNTRIES)) if f">{country}<" in heat] == groups
