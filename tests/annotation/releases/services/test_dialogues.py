"""Released dialogues: which round is scored, with which candidates, and what later releases keep of it."""

import json
import uuid
from collections import Counter

import pytest

from annotation.bases.models import ItemBase
from annotation.releases import queries, services
from annotation.releases.models import ReleaseEntry, ReleaseKind
from annotation.releases.rules import draw_splits, scored_round
from curation.core import jobs
from tests.annotation.releases.content import (
    accept,
    accept_dialogue,
    captions,
    frozen,
    picture,
    protocol,
    rounds,
    team,
)
from tests.kinds import numbers_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def here():
    return world()


def world(count=20, **release):
    base = protocol(withheld=["test"], exporters=["jsonl", "cvlue_published"], **release)
    kinds = {"dialogue": {"track": "pair"} | numbers_of("dialogue")}
    made = team(content=base | {"kinds": base["kinds"] | kinds})
    for number in range(1, count + 1):
        accept_dialogue(made, picture(made, number), number)
    return made


def records(release, **filters):
    return list(ReleaseEntry.objects.filter(release=release, kind="dialogue", **filters).order_by("ordinal"))


def test_each_dialogue_of_the_test_has_a_scored_round_and_a_hundred_candidates(here):
    release = frozen(here, "dialogue", seed=7)
    assert ReleaseKind.objects.get(release=release).option_seed == 7
    answers = {one["answer"] for n in range(1, 21) for one in rounds(n)["rounds"]}
    tests, others = records(release, split="test"), records(release, split__in=["train", "valid"])
    assert (len(tests), len(others)) == (6, 14)
    for entry in tests:
        record = entry.record
        number = scored_round(7, entry.item.number, 10)
        assert record["scored_round"] == number
        assert record["caption"] == captions(entry.item.number)["captions"][2]
        assert len(set(record["candidates"])) == len(record["candidates"]) == 100
        assert record["rounds"][number - 1]["answer"] in record["candidates"]
        assert set(record["candidates"]) <= answers
    assert {(e.record["scored_round"], len(e.record["candidates"])) for e in others} == {(0, 0)}
    assert all(e.record["caption"] == captions(e.item.number)["captions"][2] for e in others)


def test_a_small_benchmark_is_released_with_the_candidates_that_there_are():
    release = frozen(world(3, splits={"train": 0, "valid": 0, "test": 100}), "dialogue")
    answers = {one["answer"] for n in range(1, 4) for one in rounds(n)["rounds"]}
    assert [set(entry.record["candidates"]) for entry in records(release)] == [answers] * 3
    assert jobs.run(release.job_id, services.write_files) == "done"
    card = (services.folder_of(release.pk) / "README.md").read_text("utf-8")
    assert "Scored questions: 3. Candidates of each: 30." in card


def test_a_draft_warns_of_too_few_answers_and_can_be_frozen():
    here = world(3)

    def warnings_of(label):
        draft = services.create_release(
            actor=here.admin, benchmark_slug="cvlue", kinds=["dialogue"], seed=7, client_key=uuid.uuid4()
        )
        assert draft.label == label
        return queries.release_detail(here.admin, draft.pk)["warnings"]

    assert warnings_of("dialogue-v1") == [
        {
            "code": "few_candidates",
            "params": {"answers": 30, "total": 1},
            "label": "dialogue",
            "link": "/b/cvlue/write?kind=dialogue",
        }
    ]
    for number in range(4, 11):
        accept_dialogue(here, picture(here, number), number)
    assert warnings_of("dialogue-v2") == []


def test_a_later_release_asks_the_same_round_and_counts_nothing_as_changed(here):
    first = frozen(here, "dialogue", seed=7)
    before = {entry.item_id: entry.record for entry in records(first)}
    accept_dialogue(here, picture(here, 21), 21)
    second = frozen(here, "dialogue", seed=8)
    now = {entry.item_id: entry.record for entry in records(second)}
    assert {pk: now[pk]["scored_round"] for pk in before} == {pk: one["scored_round"] for pk, one in before.items()}
    assert any(now[pk]["candidates"] != one["candidates"] for pk, one in before.items())
    assert second.changes == {"added": 1, "removed": 0, "changed": 0}


def test_the_candidates_depend_on_answers_and_seed_alone(here):
    first = frozen(here, "dialogue", seed=7)
    second = frozen(here, "dialogue", seed=7, splits_from="anew")
    assert {e.item_id: e.record for e in records(second)} == {e.item_id: e.record for e in records(first)}


def test_public_files_hold_no_withheld_answer_and_the_key_holds_them_all(here):
    release = frozen(here, "dialogue", seed=7)
    assert jobs.run(release.job_id, services.write_files) == "done"
    folder = services.folder_of(release.pk)
    keys = {"dialogue-test-key.jsonl", "cvlue-vd-test-gold.json"}
    assert set(release.files.filter(is_key=True).values_list("name", flat=True)) == keys
    tests = records(release, split="test")
    lines = [json.loads(line) for line in (folder / "dialogue-test-key.jsonl").read_text("utf-8").splitlines()]
    assert [line["answers"] for line in lines] == [
        [one["answer"] for one in rounds(entry.item.number)["rounds"]] for entry in tests
    ]
    public = [json.loads(line) for line in (folder / "dialogue-test.jsonl").read_text("utf-8").splitlines()]
    for entry, record in zip(tests, public, strict=True):
        number = entry.record["scored_round"]
        assert [one["answer"] for one in record["rounds"]] == [
            *(one["answer"] for one in rounds(entry.item.number)["rounds"][: number - 1]),
            "",
        ]
    gold = json.loads((folder / "cvlue-vd-test-gold.json").read_text("utf-8"))["data"]
    assert [(row["image_id"], row["dialog_id"]) for row in gold] == [
        (entry.record["id"], entry.record["scored_round"]) for entry in tests
    ]


def test_the_caption_is_that_of_the_revision_on_which_the_dialogue_rests(here):
    accept(here, picture(here, 22), 22)
    item = accept_dialogue(here, picture(here, 23), 23)
    assert ItemBase.objects.get(item=item).path == "captions.2"
    release = frozen(here, "captions", "dialogue")
    [entry] = records(release, item=item)
    assert entry.record["caption"] == "第23张图片的第3句描述"


# --- splits of a task by itself


def test_a_task_divides_all_its_pictures_by_itself_and_others_keep_theirs():
    """CVLUE divides the pictures of VG and VD 60 : 10 : 30 over all categories, others category by category."""
    here = world(25, per_task=["dialogue"], gates=["nothing_accepted"])
    of_captions = frozen(here, "captions", seed=1)
    own = frozen(here, "dialogue", seed=1)
    mixed = frozen(here, "captions", "dialogue", seed=2)
    again = frozen(here, "dialogue", seed=3)

    def splits(release):
        return dict(release.images.values_list("image_id", "split"))

    sizes = [Counter(splits(release).values()) for release in (of_captions, own)]
    assert sizes[1] == {"train": 15, "valid": 3, "test": 7}  # of 2.5 and 7.5 the earlier is rounded up
    assert splits(own) != splits(of_captions) == splits(mixed)
    assert splits(again) == splits(own)
    # By number alone: whoever has the seed can repeat the draw.
    numbers = dict(own.images.values_list("image_id", "image__number"))
    drawn = draw_splits(dict.fromkeys(numbers.values(), ""), {"train": 60, "valid": 10, "test": 30}, 1)
    assert splits(own) == {pk: drawn[n] for pk, n in numbers.items()}
    cards = []
    for release in (own, mixed):
        assert jobs.run(release.job_id, services.write_files) == "done"
        cards.append((services.folder_of(release.pk) / "README.md").read_text("utf-8"))
    assert ["over all categories" in card for card in cards] == [True, False]
    assert ["category by category" in card for card in cards] == [False, True]
