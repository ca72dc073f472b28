"""A release of captions and visual questions: what is run, submitted, shown and published of each kind."""

import uuid

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.releases.models import ReleaseEntry
from curation.core.errors import NotFound
from evaluation.leaderboards import queries as boards
from evaluation.profiles.registry import PROFILES
from evaluation.runs import queries as run_queries
from evaluation.runs import services as runs
from evaluation.runs.errors import SuiteNotForRelease
from evaluation.runs.models import Run
from evaluation.runs.services import chunks
from evaluation.scoring.queries import gallery_of, kind_with_results
from evaluation.submissions import queries, services
from evaluation.submissions.access import Submitter
from evaluation.submissions.errors import SubmissionLimit, SubmissionProfileUnsuited
from evaluation.suites.rules import PUBLISHED, kind_of, profiles_of
from tests.annotation.releases.content import accept, frozen, picture, team
from tests.evaluation.accepted import add_system, set_of
from tests.evaluation.publication.published import content, opened, published_release, reduced
from tests.evaluation.submissions.predictions import rows, scored, submit
from tests.kinds import numbers_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


@pytest.fixture
def here():
    """Captions of pictures 1 to 10, visual questions on 6 to 15; one submission a day."""
    base = content()
    protocol = base | {
        "kinds": base["kinds"] | {"vqa": numbers_of("vqa")},
        "evaluation": {"systems": [], "suites": ["retrieval"], "submissions_per_day": 1},
    }
    made = team(content=protocol)
    for n in range(1, 16):
        image = picture(made, n)
        reduced(image)
        for kind, numbers in (("captions", range(1, 11)), ("vqa", range(6, 16))):
            if n in numbers:
                accept(made, image, n, kind=kind)
    return made


@pytest.fixture
def release(here):
    return published_release(here, "captions", "vqa")


def of_test(release, kind):
    return list(ReleaseEntry.objects.filter(release=release, kind=kind, split="test").order_by("ordinal"))


def answers(release):
    """A file that answers every question of the release rightly."""
    gold = queries.gold_rows(release.kinds.get(kind="vqa"))
    return rows(*({"id": row.fields["id"], "response": row.fields["gold"]} for row in gold))


def test_a_profile_scores_one_kind_alone():
    profiles = [profile for kind in PUBLISHED for profile in profiles_of(kind)]
    assert len(set(profiles)) == len(profiles)
    assert [kind_of(profile) for profile in profiles] == [kind for kind in PUBLISHED for _ in profiles_of(kind)]
    assert {kind_of(name) for name in PROFILES if name not in profiles} == {""}


def test_a_submission_answers_the_kind_of_its_profile(here, release):
    captions, vqa = (len(of_test(release, kind)) for kind in ("captions", "vqa"))
    asked = queries.submissions_page(here.contributor, release.pk, page_size=9)["requirements"]
    assert (asked["kind"], asked["expected"]) == ("captions", 6 * captions)
    asked = queries.submissions_page(here.contributor, release.pk, kind="vqa", page_size=9)["requirements"]
    assert (asked["kind"], asked["expected"], asked["release"]["kinds"]) == ("vqa", 3 * vqa, ["captions", "vqa"])
    assert [one["name"] for one in asked["profiles"]] == list(profiles_of("vqa"))
    assert queries.template(here.contributor, release.pk, kind="vqa").content.count(b"\n") == 3 * vqa
    assert queries.template(here.contributor, release.pk, kind="vqa").name == "cvlue-v1-vqa-predictions.jsonl"
    found = scored(here.contributor, release, answers(release), profile="cvlue-vqa/exact")
    assert (found.state, found.report["n_expected"], found.report["n_missing"]) == ("scored", 3 * vqa, 0)
    assert {figure["value"] for figure in queries.figures(found.report["metrics"])} == {1.0}
    shown = queries.submission_detail(here.contributor, found.pk)
    assert (shown["kind"], shown["release"]["kinds"]) == ("vqa", ["captions", "vqa"])
    pages = {
        kind: queries.submissions_page(here.contributor, release.pk, kind=kind, page_size=9)["results"]
        for kind in ("captions", "vqa")
    }
    assert {kind: [row["id"] for row in listed] for kind, listed in pages.items()} == {
        "captions": [],
        "vqa": [found.pk],
    }


def test_limits_are_counted_by_kind_whether_it_was_released_alone_or_not(here, release):
    alone = frozen(here, "vqa")
    submit(here.contributor, release, answers(release), profile="cvlue-vqa/exact")
    with pytest.raises(SubmissionLimit):
        submit(here.contributor, alone, answers(alone), profile="cvlue-vqa/exact")
    submit(here.contributor, release, rows({"id": "x", "response": []}))  # captions have a limit of their own
    used = [
        queries.day_of(Submitter(here.contributor, None), here.benchmark, kind).used for kind in ("captions", "vqa")
    ]
    assert used == [1, 1]


def test_a_profile_of_a_kind_that_the_release_does_not_hold_is_refused(here, release):
    with pytest.raises(SubmissionProfileUnsuited):
        submit(here.contributor, release, b"x", profile="tcc-mcq/paper")
    with pytest.raises(SubmissionProfileUnsuited):
        submit(here.contributor, frozen(here, "captions"), b"x", profile="cvlue-vqa/exact")
    with pytest.raises(NotFound):
        queries.template(here.contributor, release.pk, kind="boxes")


def test_a_run_over_it_answers_the_kind_of_its_suite(here, release, tmp_path, by_number):
    add_system(tmp_path, "by-number", "by-number")
    given = {"actor": here.admin, "benchmark_slug": "cvlue", "system_slug": "by-number", "suite_name": "retrieval"}
    started = runs.start_run(**given, release_id=release.pk, client_key=uuid.uuid4())
    run = Run.objects.get(pk=started.run_id)
    captions = {entry.item_id for entry in of_test(release, "captions")}
    assert set(set_of(release).entries.values_list("item_id", flat=True)) == captions
    chunks.cut_pending(run.pk)
    [row] = run_queries.run_list(here.admin, "cvlue", release=release.pk)
    assert row["expected"] == 5 * len(captions)
    with pytest.raises(SuiteNotForRelease):
        runs.start_run(**given, release_id=frozen(here, "vqa").pk, client_key=uuid.uuid4())


def test_the_leaderboard_is_that_of_one_kind(here, release):
    assert [kind_with_results(release, kind) for kind in (None, "captions", "vqa")] == ["captions", "captions", "vqa"]
    gallery = gallery_of(release, "captions")
    tests = of_test(release, "captions")
    assert (gallery.images, gallery.texts) == (len(tests), 5 * len(tests))
    found = scored(here.contributor, release, answers(release), profile="cvlue-vqa/exact")
    services.list_submission(actor=here.contributor, submission_id=found.pk, client_key=uuid.uuid4())
    board = boards.leaderboard(here.admin, release.pk)
    assert (board["kind"], board["kinds"], board["suite"]) == ("captions", ["captions", "vqa"], "retrieval")
    assert board["submissions"] == []
    board = boards.leaderboard(here.admin, release.pk, kind="vqa")
    assert (board["kind"], board["suite"], len(board["submissions"])) == ("vqa", None, 1)
    assert board["has_profiles"] is True
    [file] = board["charts"]
    assert file["url"].endswith("/leaderboard/submissions.csv?kind=vqa")
    answer = signed_in(here.admin).get(file["url"])
    assert (answer.status_code, "cvlue-v1-vqa-submissions.csv" in answer["Content-Disposition"]) == (200, True)
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}/leaderboard?kind=boxes").status_code == 404


def test_public_pages_show_each_kind(here, release):
    opened(here, release)
    found = scored(here.contributor, release, answers(release), profile="cvlue-vqa/exact")
    services.list_submission(actor=here.contributor, submission_id=found.pk, client_key=uuid.uuid4())

    def text(address):
        answer = Client().get(f"/p/cvlue/en/cvlue-v1/{address}")
        assert answer.status_code == 200, address
        return answer.content.decode()

    page = text("")
    assert "Captions, Visual questions" in page
    assert page.count("<h2>Categories <span") == 2
    assert "cvlue-vqa/exact" not in text("board")
    found = scored(here.annotator, release, answers(release), profile="cvlue-vqa/official")
    services.list_submission(actor=here.annotator, submission_id=found.pk, client_key=uuid.uuid4())
    board = text("board?kind=vqa")
    assert board.count("<h2>Runs and submitted predictions</h2>") == 1
    for code, name in [("official", "published scorer"), ("exact", "exact match")]:
        assert f'<h3 title="cvlue-vqa/{code}">Scoring profile: CVLUE visual questions, {name}</h3>' in board
    assert (board.count('<th class="n">Accuracy</th>'), board.count('rowspan="2"'), board.count("colspan")) == (2, 0, 0)
    hant = Client().get("/p/cvlue/zh-Hant/cvlue-v1/board?kind=vqa").content.decode()
    assert ("評分方式：CVLUE 看圖問答（完全一致）" in hant, '<th class="n">正確率</th>' in hant) == (True, True)
    assert 'href="?kind=vqa" aria-current="true"' in text("board?kind=vqa")
    assert Client().get("/p/cvlue/en/cvlue-v1/board?kind=boxes").status_code == 404
    assert Client().get("/p/cvlue/en/cvlue-v1/board/submissions.csv").status_code == 404
    listed = Client().get("/p/cvlue/en/cvlue-v1/board/submissions.csv?kind=vqa")
    assert (listed.status_code, b"cvlue-v1-vqa,cvlue-vqa/exact" in listed.content) == (200, True)
    samples = text("samples")
    assert ">cap-" not in samples
    assert ("/samples/cap-" in samples, "/samples/vqa-" in samples) == (True, True)
    assert "/samples/cap-" not in text("samples?kind=vqa")
    some = ReleaseEntry.objects.filter(release=release, kind="vqa").exclude(split="test").first()
    assert "号东西1" in text(f"samples/{some.record['item']}")
    assert "Captions: The first release of its kind. · Visual questions:" in text("changes")
