"""The public board: scored systems and listed submissions, without people, and without small groups."""

import json
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import Sum
from django.test import Client

from annotation.releases.models import Release
from annotation.tallies.models import PUBLIC, Tally
from curation.benchmarks.models import ProtocolVersion
from evaluation.publication import queries
from evaluation.publication.api import boards
from evaluation.publication.models import Publication, PublicRelease
from evaluation.publication.rules import Settings
from evaluation.runs.models import Run
from evaluation.scoring.models import SetReport
from evaluation.scoring.rules import PROFILE, Line, report_of
from evaluation.submissions import services
from evaluation.submissions.queries import template
from evaluation.systems.models import System
from tests.evaluation.accepted import protocol, set_of, set_of_work
from tests.evaluation.submissions.predictions import release_of_choices, right, scored, world_with_release
from tests.people import key

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    cache.clear()


def public_world(**release):
    """A published release of three pictures, open to everybody; ``release``: settings of the protocol's part."""
    content = protocol("x")
    content["images"] = {"licences": []}
    content["languages"] = {"content": "zh-Hans"}
    content["release"] |= {"licence": "CC-BY-4.0", "gates": ["licence"], "exporters": ["jsonl"]} | release
    team, frozen = world_with_release(content=content)
    Publication.objects.create(benchmark=team.benchmark, is_open=True)
    PublicRelease.objects.create(release=frozen, benchmark=team.benchmark)
    frozen.state, frozen.published_at = "published", frozen.frozen_at
    frozen.save(update_fields=["state", "published_at"])
    return team, Release.objects.get(pk=frozen.pk)


def system_with_scores(team, release, groups=(("", ""), ("category", "lantern"))):
    """A system with figures of three queries: over everything and by category, or as ``groups`` says."""
    system = System.objects.create(
        slug="seer",
        name="Seer",
        revision="r1",
        description={"zh-Hans": "", "zh-Hant": "", "en": ""},
        backend="x",
        locator="x",
        files_sha256="0" * 64,
        capabilities=["embed"],
    )
    run = Run.objects.create(
        benchmark=team.benchmark,
        protocol=team.benchmark.protocol,
        system=system,
        suite="retrieval",
        set=set_of_work(team),
        state="open",
        settings_sha256="0" * 64,
    )
    lines = [Line("t2i", group_by, group, "R@1", 0.625, 0.5, 0.75, 3, 3, 0, 0, {}) for group_by, group in groups]
    SetReport.objects.create(
        run=run, set=set_of(release), profile=PROFILE, entries_digest="d" * 64, report=report_of(lines, split="test")
    )


def version():
    return Tally.objects.filter(of=PUBLIC).aggregate(n=Sum("n"))["n"]


def test_a_report_on_a_release_makes_pages_new_and_one_on_accepted_work_does_not():
    team, release = public_world()
    set_of(release)
    before = version()
    system_with_scores(team, release)
    assert version() == before + 1
    report = SetReport.objects.get()
    # As a process of the version before writes one, which names no set.
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into evaluation_setreport (run_id, profile, entries_digest, report)"
            " select run_id, profile, entries_digest, report from evaluation_setreport"
        )
    assert version() == before + 1
    assert SetReport.objects.exclude(pk=report.pk).get().set == report.run.set


def page(release):
    answer = Client().get(f"/p/cvlue/en/{release.label}/board")
    assert answer.status_code == 200
    return answer.content.decode()


def test_listed_submissions_have_systems_and_no_people():
    team, release = public_world()
    submission = scored(team.contributor, release, right(), system="Some model", note="a private note")
    assert "Some model" not in page(release)
    services.list_submission(actor=team.contributor, submission_id=submission.pk, client_key=key())
    body = page(release)
    assert "Some model" in body
    assert "<b>100.0</b><small>[" in body
    assert "a private note" not in body
    assert team.contributor.name not in body
    table = Client().get(f"/p/cvlue/en/{release.label}/board/submissions.csv")
    assert (table.status_code, b"Some model" in table.content) == (200, True)


def named(team, who, name):
    services.name_crew(actor=who, benchmark_slug="cvlue", name=name, client_key=key())


def test_listed_submissions_have_the_crew_that_made_them():
    team, release = public_world()
    for who, system in ((team.contributor, "Some model"), (team.annotator, "Other model")):
        submission = scored(who, release, right(), system=system)
        services.list_submission(actor=who, submission_id=submission.pk, client_key=key())
    assert ">Team</th>" not in page(release)  # nobody has one
    named(team, team.contributor, "灯会组")
    body = page(release)
    assert re.findall(r'<th scope="row">(\w+ model)</th><td class="crew">(.*?)</td>', body) == [
        ("Some model", "灯会组"),
        ("Other model", ""),
    ]
    assert re.findall(r'<th colspan="(\d)" class="over">(.*?)</th>', body) == [
        ("3", "Text to picture"),
        ("3", "Picture to text"),
    ]
    assert team.contributor.name not in body
    table = Client().get(f"/p/cvlue/en/{release.label}/board/submissions.csv").content.decode("utf-8-sig")
    rows = [line.split(",") for line in table.splitlines()]
    assert {(row[3], row[4]) for row in rows} == {
        ("system", "crew"),
        ("Some model", "灯会组"),
        ("Other model", ""),
    }
    # A new name is on the page at once: it counts for the page's version.
    named(team, team.contributor, "新灯会")
    assert "新灯会" in page(release)


def test_systems_have_intervals_and_files():
    team, release = public_world()
    system_with_scores(team, release)
    body = page(release)
    assert "<b>62.5</b><small>[50.0, 75.0]</small>" in body
    assert "By category" in body
    for name in ("leaderboard.csv", "leaderboard.svg", "leaderboard.tex", "leaderboard.png", "groups-category.csv"):
        answer = Client().get(f"/p/cvlue/en/{release.label}/board/{name}")
        assert (name, answer.status_code) == (name, 200)
    assert Client().get(f"/p/cvlue/en/{release.label}/board/other.csv").status_code == 404


def test_tables_by_group_are_offered_where_they_have_figures():
    team, release = public_world()
    system_with_scores(team, release)
    assert re.findall(r"board/([a-z-]+)\.csv\"", page(release)) == ["leaderboard", "groups-category"]
    assert Client().get(f"/p/cvlue/en/{release.label}/board/groups-distance.csv").status_code == 404


def test_a_board_without_figures_by_group_offers_no_tables_by_group():
    team, release = public_world()
    system_with_scores(team, release, groups=[("", "")])
    assert re.findall(r"board/([a-z-]+)\.csv\"", page(release)) == ["leaderboard"]


def test_small_groups_are_left_out_where_answers_are_withheld():
    team, release = public_world(withheld=["test"])
    system_with_scores(team, release)
    body = page(release)
    assert "<b>62.5</b>" in body
    assert "By category" not in body
    assert "groups of fewer than 20 queries are left out" in body
    assert re.findall(r"board/([a-z-]+)\.csv\"", body) == ["leaderboard"]
    assert Client().get(f"/p/cvlue/en/{release.label}/board/groups-category.csv").status_code == 404
    board = queries.public_board(release, Settings([], True, 200, 3))
    assert [score["group"] for score in board.content["systems"][0]["scores"]] == ["", "lantern"]
    assert board.content["gallery"]["digest"] == ""


def test_protocols_of_today_have_no_part_and_drop_groups_all_the_same():
    team, _ = public_world(withheld=["test"])
    assert "publication" not in ProtocolVersion.objects.get(benchmark=team.benchmark).content
    assert Settings.of({}).least_group == 20


PROFILE_OF_CHOICES = "cvqa-mcq/generated"


def public_choices(**release):
    """A published release of 24 questions with options, and two listed submissions that answer them with letters."""
    team, _ = public_world(**release)
    choices = release_of_choices(team, ["China"] * 20 + ["Japan"] * 4)
    choices.state, choices.published_at = "published", choices.frozen_at
    choices.save(update_fields=["state", "published_at"])
    PublicRelease.objects.create(release=choices, benchmark=team.benchmark)
    lines = template(team.contributor, choices.pk).content.decode().splitlines()
    for letter in "AB":
        rows = [json.dumps(json.loads(line) | {"response": letter}, ensure_ascii=False) for line in lines]
        submission = scored(
            team.contributor, choices, "\n".join(rows).encode(), profile=PROFILE_OF_CHOICES, system=f"Always {letter}"
        )
        services.list_submission(actor=team.contributor, submission_id=submission.pk, client_key=key())
    return Release.objects.get(pk=choices.pk)


def lines_of(body, title):
    """The lines of the table under a heading, each as its texts."""
    part = body[body.index(f"<h2>{title} <span") :]
    rows = re.findall(r"<tr>(.*?)</tr>", part[: part.index("</table>")], re.DOTALL)
    return [[re.sub(r"<.*?>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def test_questions_have_a_level_of_guessing_and_a_table_for_each_tag():
    release = public_choices()
    body = page(release)
    assert '<th scope="row" class="muted">Guessing</th><td class="n">25.0</td>' in body
    head, whole, *groups = lines_of(body, "By country")
    assert head == ["", "Always A", "Always B", "Guessing", "questions"]
    shares = [[float(cell.split("[")[0]) for cell in row[1:4]] for row in (whole, *groups)]
    assert [row[0] for row in (whole, *groups)] == ["All", "China", "Japan"]
    assert [row[4] for row in groups] == ["20", "4"]
    assert {row[2] for row in shares} == {25.0}
    mean = [(20 * china + 4 * japan) / 24 for china, japan in zip(shares[1][:2], shares[2][:2], strict=True)]
    assert shares[0][:2] == [pytest.approx(one, abs=0.06) for one in mean]
    for address in re.findall(r'href="(/p/cvlue/en/[^"]*board/[^"]*)"', body):
        assert Client().get(address.replace("&amp;", "&")).status_code == 200
    assert f"groups-country.svg?profile={PROFILE_OF_CHOICES.replace('/', '%2F')}" in body
    unknown = f"/p/cvlue/en/{release.label}/board/groups-grade.csv?profile={PROFILE_OF_CHOICES}"
    assert Client().get(unknown).status_code == 404


def test_small_groups_of_questions_are_left_out_where_answers_are_withheld():
    release = public_choices(withheld=["test"])
    body = page(release)
    assert "Guessing" in body
    assert "By country" not in body  # one country is left, which compares nothing
    assert "Japan" not in body
    for name in ("groups-country.csv", "groups-country.svg"):
        address = f"/p/cvlue/en/{release.label}/board/{name}?profile={PROFILE_OF_CHOICES}"
        assert Client().get(address).status_code == 404
    whole = Client().get(f"/p/cvlue/en/{release.label}/board/leaderboard.csv?profile={PROFILE_OF_CHOICES}")
    assert (whole.status_code, b"Always A" in whole.content, b"Japan" in whole.content) == (200, True, False)


def test_rows_need_not_have_the_same_metrics():
    team, release = public_world()
    whole = [json.loads(line) for line in right().splitlines()]
    texts_alone = [row for row in whole if not row["id"].startswith("images/")]
    assert 0 < len(texts_alone) < len(whole)
    for rows, system in ((whole, "Whole"), (texts_alone, "Texts alone")):
        data = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
        submission = scored(team.contributor, release, data, profile="cvlue-itr/official", system=system)
        services.list_submission(actor=team.contributor, submission_id=submission.pk, client_key=key())
    body = page(release)
    part = body[body.index("Texts alone") :]
    assert re.findall(r"<b>(.*?)</b>", part[: part.index("</tr>")]) == ["100.0"] * 3 + ["–"] * 3


@pytest.mark.parametrize(("withheld", "least"), [([], 0), (["test"], 20), (["valid"], 20), (["valid", "test"], 20)])
def test_groups_are_limited_whichever_split_is_withheld(withheld, least):
    _, release = public_world(withheld=withheld)
    assert queries.public_board(release, Settings.of({})).least_group == least


def test_numbers_that_are_no_shares_are_no_percentages():
    assert [boards._number(metric, 3.25) for metric in ("mean rank", "score")] == ["3.25"] * 2
    assert boards._number("accuracy", 0.3254) == "32.5"
