"""The demo's teams: items in every state, each accepted by a colleague, made by the services of real work."""

import json
import os
import subprocess
import sys
import uuid
from collections import Counter

import pytest

from annotation.items.models import Draft, Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.peer import services as peer
from annotation.peer.queries import team_board
from annotation.releases import services as releases
from annotation.tracks import services as writing
from curation.core import jobs
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people import services as people
from curation.people.models import Person, Team
from evaluation.management import demo_teams
from fixtures import scenes
from fixtures.questions import EGYPT, TEAMS
from tests.people import PASSWORD, signed_in

pytestmark = pytest.mark.django_db

READ = """
import json, sys
from datasets import load_dataset
rows = load_dataset(sys.argv[1], "cvqa_hub", split="test")
print(json.dumps([{**row, "image": row["image"].size} for row in rows]))
"""


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def persons():
    owner = people.create_owner(username="owner", name="owner", password=PASSWORD)
    names = ["admin", "curator", *(name for pair in demo_teams.MEMBERS.values() for name in pair)]
    others = [Person.objects.create_person(username=name, name=name, password=PASSWORD) for name in names]
    return {person.username: person for person in (owner, *others)}


@pytest.fixture
def filled():
    made = persons()
    demo_teams.fill(made, file_of)
    return made


def file_of(seed):
    """Draw the scene of a seed."""
    return scenes.encode(scenes.scene(seed))


def rows():
    tables = (Team, Image, Item, ItemRevision, Draft, Verdict, AuditEvent)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def test_each_team_has_items_in_every_state_and_a_picture_without_one(filled):
    for work in TEAMS:
        team = Team.objects.get(pair=work.pair)
        assert team.lead.username == demo_teams.MEMBERS[work.pair][0]
        states = Counter(Item.objects.filter(team=team).values_list("state", flat=True))
        assert states == {"accepted": 2, "made": 1, "returned": 1, "todo": 1}
        assert Image.objects.filter(team=team, state="accepted", pii_clear_by__isnull=False).count() == 6
        assert Image.objects.filter(team=team, licence="own-research").count() == 1
        assert not ItemRevision.objects.filter(item__team=team, findings__contains=[{"severity": "error"}]).exists()


def test_the_visitor_finds_something_to_do_at_once(filled):
    board = team_board(filled["team-egypt"], demo_teams.SLUG, kind="multiple_choice", page_size=20)
    assert (board["accepted"], board["required"], board["to_check"]) == (2, 200, 1)
    assert len(board["results"]) == 6
    texts = {item["first_text"] for row in board["results"] for item in row["items"]}
    assert EGYPT.to_check.text.local in texts
    draft = Draft.objects.get(author=filled["team-egypt"])
    assert draft.content["question"] == {"local": EGYPT.begun.text.local, "translated": ""}


def test_every_star_is_a_colleagues(filled):
    stars = Verdict.objects.filter(outcome="star").values_list("judge_id", "author_id")
    assert len(stars) == 4
    assert all(judge != author for judge, author in stars)


def test_a_second_run_changes_nothing(filled):
    before = rows()
    demo_teams.fill(filled, file_of)
    assert rows() == before


def test_a_release_is_frozen_downloaded_and_opened_as_cvqas_data_set(filled, tmp_path):
    admin = filled["admin"]
    for work in TEAMS:
        finish(work, *(filled[name] for name in demo_teams.MEMBERS[work.pair]))
    release = releases.create_release(
        actor=admin, benchmark_slug=demo_teams.SLUG, kinds=["multiple_choice"], seed=1, client_key=uuid.uuid4()
    )
    releases.check_release(actor=admin, release_id=release.pk, client_key=uuid.uuid4())
    release = releases.freeze_release(actor=admin, release_id=release.pk, client_key=uuid.uuid4())
    assert jobs.run(release.job_id, releases.freeze) == "done"
    release.refresh_from_db()
    assert jobs.run(release.job_id, releases.write_files) == "done"
    download(admin, release, tmp_path / "release")

    rows = {row["Question"]: row for row in loaded(tmp_path)}
    questions = [question for work in TEAMS for question in (*work.accepted, work.to_check)]
    assert rows.keys() == {q.text.local for q in questions} | {corrected(work) for work in TEAMS}
    for question in questions:
        row = rows[question.text.local]
        right = question.options[0]
        assert (row["Options"][row["Label"]], row["Translated Options"][row["Label"]]) == (
            right.local,
            right.translated,
        )
    assert Counter(row["Subset"] for row in rows.values()) == {
        "('Chinese', 'China')": 4,
        "('Egyptian_Arabic', 'Egypt')": 4,
    }
    assert {row["Image Source"] for row in rows.values()} == {"Self-open", "Self-research_only"}


def corrected(work):
    """The question that was sent back, as its author submits it again."""
    return work.returned.text.local.replace("؟", " يا ترى؟").replace("？", "呢？")


def finish(work, visitor, colleague):
    """Do what waits in a team: star the colleague's item, correct the returned one and have it starred."""
    items = Item.objects.filter(team__pair=work.pair)
    made, returned = items.get(state="made"), items.get(state="returned")
    star(visitor, made)
    content = work.returned.as_json()
    content["question"]["local"] = corrected(work)
    writing.submit_item(
        actor=visitor,
        item_id=returned.pk,
        base_no=returned.revision_no,
        content=content,
        reasons={},
        track="peer",
        client_key=uuid.uuid4(),
    )
    returned.refresh_from_db()
    star(colleague, returned)


def star(person, item):
    peer.star_item(actor=person, item_id=item.pk, revision_no=item.revision_no, client_key=uuid.uuid4())


def download(person, release, folder):
    """Fetch every file of a release into a folder, as a browser does."""
    browser = signed_in(person)
    folder.mkdir()
    for file in browser.get(f"/api/v1/releases/{release.pk}").json()["files"]:
        answer = browser.get(file["url"])
        assert answer.status_code == 200
        (folder / file["name"]).write_bytes(b"".join(answer))


def loaded(folder):
    """The rows that ``datasets`` reads of a downloaded release, offline."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    command = [sys.executable, "-c", READ, str(folder / "release")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
