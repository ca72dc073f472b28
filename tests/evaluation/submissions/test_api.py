"""Handing in over HTTP: the form, the template, the file, and that no answer ever holds gold."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evaluation.submissions.models import Submission
from tests.evaluation.accepted import accepted_item, frozen_release
from tests.evaluation.submissions.predictions import picture, right, scored, submit, texts, world_with_release
from tests.people import key, send, signed_in, told
from tests.pictures import files

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def test_a_file_is_submitted_listed_and_downloaded():
    team, release = world_with_release(1)
    browser = signed_in(team.contributor)
    form = {"system": " 某模型 ", "profile": "cvlue-itr/official", "client_key": key()}
    answer = browser.post(
        f"/api/v1/releases/{release.pk}/submissions", form | {"file": SimpleUploadedFile("a.jsonl", right(1))}
    )
    assert answer.status_code == 201
    made = answer.json()
    assert (made["state"], made["system"], made["report"], made["release"]["label"]) == (
        "waiting",
        "某模型",
        None,
        "captions-v1",
    )
    listing = send(browser, "GET", f"releases/{release.pk}/submissions").json()
    assert [row["id"] for row in listing["results"]] == [made["id"]]
    requirements = listing["requirements"]
    assert (requirements["open"], requirements["withheld"]) == (True, False)
    assert (requirements["splits"], requirements["expected"]) == (["test"], 3)
    assert [p["name"] for p in requirements["profiles"]] == ["cvlue-itr/paper", "cvlue-itr/official"]
    assert (requirements["day"]["limit"], requirements["day"]["used"]) == (5, 1)
    file = browser.get(f"/api/v1/submissions/{made['id']}/file")
    assert b"".join(file.streaming_content) == right(1)


def test_below_the_disks_floor_no_file_is_stored(settings):
    team, release = world_with_release(1)
    held = files(settings.MEDIA_ROOT)
    settings.MEDIA_FLOOR_BYTES = 10**18
    form = {"system": "a", "profile": "cvlue-itr/official", "client_key": key()}
    answer = signed_in(team.contributor).post(
        f"/api/v1/releases/{release.pk}/submissions", form | {"file": SimpleUploadedFile("a.jsonl", right(1))}
    )
    assert told(answer) == (507, "storage_full")
    assert (Submission.objects.count(), files(settings.MEDIA_ROOT)) == (0, held)


def test_members_see_their_own_and_heads_see_all():
    team, release = world_with_release(1)
    mine, other = submit(team.contributor, release, right(1)), submit(team.annotator, release, right(1))
    seen = {
        who.username: [
            row["id"] for row in send(signed_in(who), "GET", f"releases/{release.pk}/submissions").json()["results"]
        ]
        for who in (team.contributor, team.annotator, team.admin, team.owner, team.senior)
    }
    assert seen == {
        "contributor": [mine.pk],
        "annotator": [other.pk],
        "admin": [other.pk, mine.pk],
        "owner": [other.pk, mine.pk],
        "senior": [],
    }
    for address in (f"submissions/{mine.pk}", f"submissions/{mine.pk}/file"):
        assert told(send(signed_in(team.annotator), "GET", address)) == (404, "not_found")


def test_listed_submissions_are_on_the_leaderboard():
    team, release = world_with_release(1)
    found = scored(team.contributor, release, right(1))
    board = f"releases/{release.pk}/leaderboard"
    assert send(signed_in(team.admin), "GET", board).json()["submissions"] == []
    assert told(send(signed_in(team.admin), "GET", f"{board}/submissions.csv")) == (404, "not_found")
    answer = send(signed_in(team.contributor), "POST", f"submissions/{found.pk}/list-on", {"client_key": key()})
    assert (answer.json()["listed"], answer.json()["available_actions"]) == (True, ["submission_list_off"])
    [profile] = send(signed_in(team.admin), "GET", board).json()["submissions"]
    [row] = profile["rows"]
    assert (profile["profile"], row["system"], row["n_expected"]) == ("cvlue-itr/paper", "某模型", 3)
    assert {(f["scope"], f["metric"]): f["value"] for f in row["figures"]}["t2i", "R@1"] == 1.0
    csv = signed_in(team.admin).get(f"/api/v1/{board}/submissions.csv").content.decode("utf-8-sig").splitlines()
    assert csv[0].startswith("release,profile,submission,system,crew,scope,metric,value")
    # One picture alone has no interval.
    assert csv[1] == f"captions-v1,cvlue-itr/paper,{found.pk},某模型,,t2i,R@1,1.0,,,2,,3,3,0,0,0,0"
    assert len(csv) == 7


def test_missing_and_unknown_fields_are_named():
    team, release = world_with_release(1)
    browser = signed_in(team.contributor)
    file = SimpleUploadedFile("a.jsonl", right(1))
    answer = browser.post(f"/api/v1/releases/{release.pk}/submissions", {"file": file, "nonsense": "x"})
    assert (answer.status_code, answer.json()["params"]["fields"]) == (400, {"nonsense": ["Unknown field."]})
    assert Submission.objects.count() == 0


def test_the_template_has_every_expected_row_and_is_accepted_unchanged():
    team, release = world_with_release(2)
    answer = signed_in(team.contributor).get(f"/api/v1/releases/{release.pk}/submissions/template")
    rows = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert {row["id"] for row in rows} == {picture(1), picture(2), *texts(1), *texts(2)}
    found = scored(team.contributor, release, answer.content)
    assert (found.state, found.report["n_scored"], found.report["metrics"]["t2i R@10"]["value"]) == ("scored", 6, 0.0)


def test_no_response_contains_a_correct_answer():
    """Of questions, whose right answers are texts that stand nowhere else."""
    team, _ = world_with_release(1)
    item = accepted_item(team, 7)
    record = {
        "item": "vqa-000007",
        "image": picture(7),
        "category": "lantern",
        "split": "test",
        "pairs": [{"question": "门前挂着什么？", "answer": "鲤鱼灯"}],
    }
    release = frozen_release(team, [item], number=2, kind="vqa", records={item.pk: record})
    browser = signed_in(team.contributor)
    said = [
        scored(team.contributor, release, json.dumps({"id": "7", "response": text}).encode(), profile="cvlue-vqa/exact")
        for text in ("灯笼", "鲤鱼灯")
    ]
    assert [one.report["metrics"]["accuracy"]["value"] for one in said] == [0.0, 1.0]
    addresses = [f"releases/{release.pk}/submissions", f"releases/{release.pk}/submissions/template"]
    answers = [send(browser, "GET", address) for address in [*addresses, *(f"submissions/{one.pk}" for one in said)]]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert all("鲤鱼灯" not in answer.content.decode() for answer in answers)


def test_all_members_find_the_releases_that_take_submissions():
    team, release = world_with_release(1)
    submit(team.contributor, release, right(1))
    address = f"benchmarks/{team.benchmark.slug}/submissions"
    seen = {who.username: send(signed_in(who), "GET", address).json() for who in (team.contributor, team.annotator)}
    assert {name: [(row["release"]["label"], row["mine"]) for row in rows] for name, rows in seen.items()} == {
        "contributor": [("captions-v1", 1)],
        "annotator": [("captions-v1", 0)],
    }
    withdrawn = {"state": "withdrawn", "withdrawn_at": release.frozen_at, "withdrawn_reason": "许可有误"}
    type(release).objects.filter(pk=release.pk).update(**withdrawn)
    assert send(signed_in(team.annotator), "GET", address).json() == []
