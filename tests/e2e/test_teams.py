"""Two members of a team of CVQA, from an upload to accepted questions, by keys: written right to left, validated with a
star, edited by a colleague and starred by the author. A curator draws a spot check, and what is wrong comes back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import LOCALES, Site
from tests.e2e.test_desk import log_in
from tests.e2e.test_screens import AXE, LISTEN, SCREENS, choose_language, look
from tests.pictures import jpeg

SLUG = "egypt"
# A benchmark of CVQA with a team of two, and a curator who accepts pictures.
SET_UP = f"""
import uuid
from curation.people import services as people
from curation.people.models import RoleGrant
from curation.taxonomy.services import create_benchmark
from tests.people import person
owner = person("teams-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{SLUG}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "CVQA"), preset="cvqa",
    client_key=uuid.uuid4(),
)
admin = person("teams-admin", benchmark, "admin")
person("teams-curator", benchmark, "curator")
team = people.create_team(
    actor=admin, benchmark_slug="{SLUG}", name="Egypt", pair="egypt_egyptian_arabic", client_key=uuid.uuid4(),
)
for name in ("mona", "sami"):
    member = person(f"teams-{{name}}", benchmark, "annotator")
    RoleGrant.objects.filter(person=member).update(team=team)
"""
ACCEPT = f"""
import uuid
from curation.images import services as images
from curation.images.models import Image
from curation.people.models import Person
curator = Person.objects.get(username="teams-curator")
waiting = list(Image.objects.filter(benchmark__slug="{SLUG}").values_list("pk", flat=True))
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in waiting]
for done in (
    *images.judge_images(actor=curator, benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=curator, benchmark_slug="{SLUG}", marks=[(i, uuid.uuid4()) for i in waiting]),
):
    if done.error is not None:
        raise done.error
"""
STATE = f"""
import json
from annotation.items.models import Item
from annotation.judging.models import Verdict
verdicts = Verdict.objects.filter(item__benchmark__slug="{SLUG}").order_by("item__number")
print(json.dumps({{
    "items": list(Item.objects.filter(benchmark__slug="{SLUG}").order_by("number").values_list("state", "revision_no")),
    "verdicts": list(verdicts.values_list("item__number", "judge__username", "outcome", "revision_no")),
}}))
"""
# Question, right answer and three distractors; Arabic beside English.
QUESTIONS = [
    [
        ("ما اسم هذا القارب؟", "What is this boat called?"),
        ("فلوكة", "Felucca"),
        ("جندول", "Gondola"),
        ("كاياك", "Kayak"),
        ("زورق بخاري", "Steamboat"),
    ],
    [
        ("ما الذي يحرك هذا القارب؟", "What moves this boat?"),
        ("الريح", "Wind"),
        ("محرك", "An engine"),
        ("مجاديف", "Oars"),
        ("حصان", "A horse"),
    ],
]


@pytest.fixture
def member(site: Site, context_in: Callable[..., BrowserContext]) -> Callable[..., Page]:
    def sit_down(name: str, screen: str) -> Page:
        context = context_in(base_url=site.url, **(SCREENS[screen] | {"language": "en"}))
        context.add_init_script(path=AXE)
        context.add_init_script(LISTEN)
        log_in(context, f"teams-{name}")
        page = context.new_page()
        page.goto(f"/b/{SLUG}")
        return page

    return sit_down


def upload(page: Page) -> None:
    """From the empty board to a picture that waits for the curator."""
    page.get_by_test_id("nav-team").click()
    page.get_by_test_id("upload-first").click()
    page.get_by_test_id("files").set_input_files([{"name": "boat.jpg", "mimeType": "image/jpeg", "buffer": jpeg(77)}])
    expect(page.locator("[data-testid=upload][data-state=ready]")).to_have_count(1, timeout=30_000)
    page.get_by_test_id("source").select_option("own")
    page.get_by_test_id("author").fill("Mona")
    page.get_by_test_id("licence").select_option("own-open")
    page.get_by_test_id("category").get_by_role("combobox").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_test_id("uses").select_option("both")
    page.get_by_test_id("apply-details").click()
    page.get_by_test_id("add-ready").click()
    expect(page.locator("[data-testid=upload][data-state=taken]")).to_have_count(1, timeout=30_000)


def write(page: Page, question: list[tuple[str, str]]) -> None:
    """Fill in every field of the open item and submit by key."""
    page.get_by_test_id("question-category").select_option(index=1)
    fields = page.get_by_test_id("task").locator("textarea:visible")
    texts = [text for row in question for text in row]
    expect(fields).to_have_count(len(texts))
    for field, text in zip(fields.all(), texts, strict=True):
        field.fill(text)
    expect(fields.first).to_have_attribute("dir", "rtl")
    expect(fields.nth(1)).to_have_attribute("dir", "ltr")
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("team-done")).to_be_visible()
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")


def state(site: Site) -> dict:
    return json.loads(site.manage("shell", stdin=STATE).splitlines()[-1])


def test_two_members_from_an_upload_to_accepted_questions(
    site: Site, member: Callable[..., Page], shot: Callable[..., None]
) -> None:
    site.manage("shell", stdin=SET_UP)
    problems: list[str] = []
    mona = member("mona", "laptop")
    upload(mona)
    site.manage("shell", stdin=ACCEPT)

    mona.goto(f"/b/{SLUG}/team")
    expect(mona.get_by_test_id("of-maximum")).to_contain_text("0/3")
    mona.locator("[data-testid^=create-]").click()
    expect(mona.get_by_test_id("task")).to_be_visible()
    look(mona, "the desk", problems)
    write(mona, QUESTIONS[0])
    mona.keyboard.press("Alt+n")
    mona.wait_for_url(re.compile(r"/team/items/\d+$"))
    expect(mona.get_by_test_id("task")).to_have_attribute("data-item", re.compile(r"0002$"))
    write(mona, QUESTIONS[1])

    sami = member("sami", "telephone")
    expect(sami.get_by_test_id("todo-team_check")).to_contain_text("2")
    sami.get_by_test_id("todo-team_check").get_by_role("link").click()
    sami.get_by_test_id("start").click()
    check = sami.get_by_test_id("check")
    expect(check).to_have_attribute("data-revealed", "false")
    expect(sami.get_by_test_id("right-option")).to_have_count(0)
    look(sami, "validating", problems)
    sami.keyboard.press("Space")
    expect(sami.get_by_test_id("right-option")).to_contain_text("Felucca")
    sami.keyboard.press("s")
    expect(sami.get_by_test_id("validate")).to_have_attribute("data-item", re.compile(r"0002$"))
    sami.keyboard.press("e")
    sami.get_by_test_id("correct-form").locator("textarea").nth(1).fill("What drives this boat?")
    sami.keyboard.press("Control+Enter")
    expect(sami.get_by_test_id("empty")).to_be_visible()
    sami.get_by_test_id("to-board").click()
    expect(sami.get_by_test_id("pictures")).to_be_visible()
    look(sami, "the board on a telephone", problems)
    assert state(site)["items"] == [["accepted", 1], ["made", 2]]

    mona.goto(f"/b/{SLUG}/team")
    expect(mona.get_by_test_id("progress")).to_contain_text(re.compile(r"^1 .*200"))
    look(mona, "the board", problems)
    if os.environ.get("SCREENSHOTS"):
        take_pictures(mona, shot)
    mona.keyboard.press("v")
    mona.get_by_test_id("start").click()
    expect(mona.get_by_test_id("validate")).to_be_visible()
    look(mona, "validating on a laptop", problems)
    mona.keyboard.press("Space")
    mona.keyboard.press("s")
    expect(mona.get_by_test_id("empty")).to_be_visible()
    assert state(site) == {
        "items": [["accepted", 1], ["accepted", 2]],
        "verdicts": [[1, "teams-sami", "star", 1], [2, "teams-mona", "star", 2]],
    }

    spot_check(member("curator", "laptop"), shot, problems)
    [wrong] = [no for no, (item, _) in enumerate(state(site)["items"], 1) if item == "returned"]
    choose_language(mona, "en")
    mona.goto(f"/b/{SLUG}/team")
    expect(mona.get_by_test_id("board-spot-check")).to_contain_text("0 right, 1 wrong")
    mona.get_by_test_id("filter-returned").click()
    mona.get_by_test_id(re.compile(rf"^item-.*000{wrong}$")).get_by_role("link").click()
    expect(mona.get_by_test_id("returned")).to_contain_text("The boat has oars.")
    credit(mona, shot, problems)
    look_at_results(sami, shot, problems)
    assert problems == []


def spot_check(curator: Page, shot: Callable[..., None], problems: list[str]) -> None:
    """From the curator's home to a draw, its only item judged wrong by keys, and the results."""
    choose_language(curator, "en")
    curator.get_by_test_id("todo-spot_draw").get_by_role("link").click()
    expect(curator.get_by_test_id("preview")).to_contain_text("Egypt")
    look(curator, "the next spot check", problems)
    shot(curator, "spot-checks-en", full_page=True)
    curator.keyboard.press("d")
    expect(curator.get_by_test_id("to-judge")).to_contain_text("1 drawn item")
    curator.keyboard.press("Enter")
    expect(curator.get_by_test_id("sheet").get_by_role("listitem").first).to_be_visible()
    look(curator, "judging a spot check", problems)
    shot(curator, "spot-check-judge-en", full_page=True)
    curator.keyboard.press("r")
    curator.get_by_test_id("reason-comment").fill("The boat has oars.")
    curator.keyboard.press("Control+Enter")
    expect(curator.get_by_test_id("judged")).to_contain_text("1 of 1")
    curator.keyboard.press("Control+Enter")
    expect(curator.get_by_test_id("result-Egypt")).to_contain_text("0%")
    look(curator, "results of spot checks", problems)
    picture_results(curator, shot)
    curator.goto(f"/b/{SLUG}/team")
    expect(curator.get_by_test_id("progress")).to_be_visible()  # of the only team there is


def picture_results(page: Page, shot: Callable[..., None]) -> None:
    """The results in every language; ends in English."""
    for language in (*(one for one in LOCALES if one != "en"), "en"):
        choose_language(page, language)
        expect(page.get_by_test_id("result-Egypt")).to_be_visible()
        shot(page, f"spot-check-results-{language}")


def credit(member: Page, shot: Callable[..., None], problems: list[str]) -> None:
    """Credit as a table and as a file."""
    member.goto(f"/b/{SLUG}/team")
    member.get_by_test_id("tab-credit").click()
    expect(member.get_by_test_id("credit")).to_contain_text("1 / 100")
    look(member, "credit", problems)
    shot(member, "credit-en", full_page=True)
    with member.expect_download() as download:
        member.get_by_test_id("credit-csv").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("person_id,person,team_id,team,validated_in_team")
    assert [line.split(",")[1:5:2] for line in lines[1:]] == [["teams-mona 名", "Egypt"]]


def look_at_results(member: Page, shot: Callable[..., None], problems: list[str]) -> None:
    """What the team reads of spot checks on a telephone, and who has credit."""
    choose_language(member, "en")
    member.goto(f"/b/{SLUG}/team/spot-checks")
    expect(member.get_by_test_id("result-Egypt")).to_be_visible()
    look(member, "results on a telephone", problems)
    shot(member, "spot-checks-telephone", full_page=True)
    member.goto(f"/b/{SLUG}/team/credit")
    expect(member.get_by_test_id("credit")).to_be_visible()
    look(member, "credit on a telephone", problems)
    shot(member, "credit-telephone", full_page=True)


def take_pictures(page: Page, shot: Callable[..., None]) -> None:
    """The board and an item to validate, in every language; ends at the board, in English."""
    for language in (*(one for one in LOCALES if one != "en"), "en"):
        page.goto(f"/b/{SLUG}/team")
        choose_language(page, language)
        expect(page.get_by_test_id("pictures")).to_be_visible()
        shot(page, f"team-board-{language}")
        page.keyboard.press("v")
        page.get_by_test_id("start").click()
        expect(page.get_by_test_id("validate")).to_be_visible()
        shot(page, f"team-validate-{language}")
    page.goto(f"/b/{SLUG}/team")
    expect(page.get_by_test_id("pictures")).to_be_visible()
