"""The card of a release says how well a model answers without the pictures, as it was when the release was frozen."""

import uuid

import pytest

from annotation.items.models import Item, ItemRevision
from annotation.releases import services
from annotation.trials.models import BlindTrial
from curation.core import jobs
from curation.lib.intervals import wilson
from curation.prompts.models import Prompt
from tests.annotation.releases.content import frozen, picture, protocol, team

pytestmark = pytest.mark.django_db
KIND = "multiple_choice"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def here():
    content = protocol(gates=["nothing_accepted"], splits={"train": 0, "valid": 0, "test": 100}, exporters=["jsonl"])
    kinds = {KIND: {"per_picture": {"minimum": 1, "maximum": 3}, "options": 4, "review_reasons": []}}
    content |= {"kinds": kinds, "languages": {"content": "zh-Hans", "translation": "en"}}
    return team(slug="tcc", prefix="tcc-", content=content)


@pytest.fixture
def prompt():
    return Prompt.objects.create(
        name="choice-text-only", no=1, language="en", reading="ours", body={}, sha256="0" * 64, source="x"
    )


def question(here, image, number, slot=0):
    at = {"benchmark": here.benchmark, "kind": KIND, "image": image, "slot": slot}
    item = Item.objects.create(**at, number=number, state="accepted", revision_no=1, accepted_no=1)
    options = [{"local": f"甲{n}", "translated": f"a{n}"} for n in range(4)]
    return ItemRevision.objects.create(
        item=item,
        no=1,
        author=here.annotator,
        origin="annotator",
        content={"category": "", "question": {"local": f"问{number}", "translated": f"q{number}"}, "options": options},
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )


def tried(revision, prompt, language, hits, *, unread=0, model="m"):
    letters = [*"ABCD"[:hits], *[None] * unread, *["Z"] * 4][:4]
    answers = [
        {"right": r, "letter": letter, "reply": "x", "call": 1} for r, letter in zip("ABCD", letters, strict=True)
    ]
    facts = {"model": model, "prompt": prompt, "tries": 4, "flagged_from": 4}
    return BlindTrial.objects.create(revision=revision, language=language, hits=hits, answers=answers, **facts)


def card_of(release):
    assert jobs.run(release.job_id, services.write_files) == "done"
    return (services.folder_of(release.pk) / "README.md").read_text(encoding="utf-8")


def test_the_card_states_accuracy_without_pictures_with_its_interval(here, prompt):
    one, two = picture(here, 1), picture(here, 2)
    revisions = [question(here, one, 1), question(here, one, 2, 1), question(here, two, 3), question(here, two, 4, 1)]
    for revision, chinese, english in zip(revisions, (4, 1, 0), (4, 4, 2), strict=False):
        tried(revision, prompt, "zh-Hans", chinese, unread=1 if chinese == 0 else 0)
        tried(revision, prompt, "en", english)
    release = frozen(here, KIND)
    assert release.kinds.get().blind_trials == {
        "questions": 3,
        "flagged": 2,
        "languages": [
            {"language": language, "model": "m", "prompt": "choice-text-only 1", "questions": 3, "pictures": 2}
            | {"squares": 5, "tries": 12, "hits": hits, "unread": unread, "flagged": flagged}
            for language, hits, unread, flagged in (("en", 10, 0, 2), ("zh-Hans", 5, 1, 1))
        ],
    }
    card = card_of(release)
    section = card.split("## Answers without the picture\n")[1].split("\n## ")[0]
    assert "2 of 3 questions are. None was excluded for that." in section
    assert "Questions without such trials: 1." in section
    # 5 of 12; two questions on one picture and one on another count as 9/5 independent trials.
    low, high = wilson(5 / 12, 9 / 5)[1:]
    assert (
        f"| zh-Hans | m | choice-text-only 1 | 3 | 5 | 12 | 1 | 41.7% | {100 * low:.1f}–{100 * high:.1f}% | 1 |"
        in section
    )
    assert "| en | m | choice-text-only 1 | 3 | 10 | 12 | 0 | 83.3% |" in section


def test_trials_of_other_revisions_and_later_ones_change_nothing(here, prompt):
    revision = question(here, picture(here, 1), 1)
    tried(revision, prompt, "zh-Hans", 1)
    facts = {"author": here.annotator, "origin": "annotator", "protocol": revision.protocol}
    later = ItemRevision.objects.create(
        item=revision.item, no=2, content=revision.content, client_key=uuid.uuid4(), **facts
    )
    tried(later, prompt, "en", 4)
    release = frozen(here, KIND)
    before = release.kinds.get().blind_trials
    assert [(row["language"], row["hits"]) for row in before["languages"]] == [("zh-Hans", 1)]
    tried(revision, prompt, "en", 4)
    card = card_of(release)
    assert "| zh-Hans | m |" in card
    assert "| en | m |" not in card


def test_without_trials_the_card_has_no_such_section(here):
    question(here, picture(here, 1), 1)
    release = frozen(here, KIND)
    assert release.kinds.get().blind_trials is None
    assert "Answers without the picture" not in card_of(release)


def test_wilsons_interval_of_a_share_of_trials_that_are_no_whole_number():
    assert wilson(0.5, 10)[1:] == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0, 1.8)[1] == 0.0
    assert wilson(1, 1.8)[2] == 1.0
    narrow, wide = wilson(0.25, 100), wilson(0.25, 99.5)
    assert wide.low < narrow.low < 0.25 < narrow.high < wide.high
    for share, n in ((0.5, 0), (1.1, 4), (-0.1, 4)):
        with pytest.raises(ValueError, match="of"):
            wilson(share, n)
