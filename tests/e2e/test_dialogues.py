"""Two people talk about a picture that one of them does not see, each in a browser of their own."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.pair_benchmark import set_up
from tests.e2e.test_desk import log_in

SLUG = "dialogues"
# One accepted picture in subset B, with five accepted captions by the senior.
SET_UP = set_up(
    SLUG,
    "talk",
    annotators=("asker", "answerer"),
    english=("answerer",),
    subset="B",
    pictures=1,
    then="""
from tests.annotation.talks import accepted_captions
for n, image in enumerate(pictures, 1):
    accepted_captions(here, image, n)
""",
)
ROUNDS = 10
FRAGMENT, REASON = 3, 4  # rounds with an answer and a question that get a hint
WIDE: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
TELEPHONE = {"width": 390, "height": 844}
TRANSCRIPT = f"""
import json
from annotation.items.models import Item
item = Item.objects.get(benchmark__slug="{SLUG}", kind="dialogue")
revision = item.revisions.select_related("author", "partner").get()
people = [revision.author.username, revision.partner.username]
print("RESULT " + json.dumps([item.state, people, revision.content["rounds"]]))
"""


@pytest.fixture(scope="module")
def benchmark(site: Site) -> str:
    site.manage("shell", stdin=SET_UP)
    return SLUG


def question(n: int) -> str:
    return "为什么它在笑？" if n == REASON else f"第{n}个问题：左边有什么？"


def answer(n: int) -> str:
    return "两只。" if n == FRAGMENT else f"左边有{n}只熊猫。"


def say(page: Page, text: str) -> None:
    expect(page.get_by_test_id("whose-turn")).to_have_attribute("data-mine", "true")
    page.get_by_test_id("composer").fill(text)
    page.get_by_test_id("composer").press("Enter")
    expect(page.get_by_test_id("composer")).to_have_value("")


def join(context: BrowserContext, part: str) -> Page:
    page = context.new_page()
    page.goto(f"/b/{SLUG}")
    page.get_by_test_id("nav-dialogues").click()
    page.get_by_test_id(f"part-{part}").click()
    return page


def reopen(context: BrowserContext, page: Page, unsent: str) -> Page:
    """Close the tab while a text is being typed, and come back to it from the lobby."""
    page.get_by_test_id("composer").fill(unsent)
    page.wait_for_timeout(200)  # the browser writes it down
    page.close()
    page = context.new_page()
    page.goto(f"/b/{SLUG}/write/dialogue")
    page.get_by_test_id("unfinished").get_by_role("link").click()
    expect(page.get_by_test_id("composer")).to_have_value(unsent)
    return page


def test_ten_rounds_by_two_people_of_whom_one_sees_the_picture(
    site: Site, benchmark: str, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    asking = context_in("zh-Hans", base_url=site.url, **WIDE)
    answering = context_in("en", base_url=site.url, **WIDE)
    log_in(asking, "talk-asker")
    log_in(answering, "talk-answerer")
    fetched: list[str] = []
    asking.on("request", lambda request: fetched.append(request.url))

    answerer = answering.new_page()
    with answerer.expect_response(lambda response: response.url.endswith("/events/")):
        answerer.goto(f"/b/{SLUG}")
    expect(answerer.get_by_test_id("todo-dialogue")).to_be_visible()
    asker = join(asking, "question")
    shot(asker, "dialogue-lobby")
    asker.get_by_test_id("wait").click()
    expect(asker.get_by_test_id("waiting")).to_contain_text("现在没有其他人")
    shot(asker, "dialogue-waiting")
    # Who has another page open learns it there.
    answerer.locator(".toast", has_text="Someone is waiting for a partner").get_by_role("button").click()
    answerer.get_by_test_id("part-answer").click()
    expect(answerer.get_by_test_id("others")).to_contain_text("1 other person is waiting")
    answerer.get_by_test_id("wait").click()
    for page, part in ((asker, "question"), (answerer, "answer")):
        expect(page.get_by_test_id("talk")).to_have_attribute("data-part", part)
    expect(answerer.get_by_test_id("picture").locator("image")).to_be_visible()
    dialogue = int(asker.url.rsplit("/", 1)[1])
    picture = answering.request.get(f"/api/v1/dialogues/{dialogue}").json()["image"]["view_url"]
    elsewhere = asking.new_page()
    reply = elsewhere.goto(picture)
    assert reply is not None
    assert reply.status == 404
    elsewhere.close()
    fetched.clear()

    for n in range(1, ROUNDS + 1):
        if n == 2:  # typing shows, and nothing of the text
            asker.get_by_test_id("composer").press_sequentially("左边", delay=20)
            expect(answerer.get_by_test_id("typing")).to_have_text("Your partner is typing…")
            expect(answerer.get_by_test_id("transcript")).not_to_contain_text("左边有什么？左边")
        if n == 3:  # a text of several lines, in which only Enter alone sends
            asker.get_by_test_id("composer").press("Shift+Enter")
            expect(asker.get_by_test_id("composer")).to_have_value("\n")
        if n in (4, 7):
            asker = reopen(asking, asker, f"还没有发送的文字{n}")
        say(asker, question(n))
        expect(answerer.get_by_test_id(f"turn-{2 * n - 1}")).to_contain_text(question(n))
        if n == 5:
            pause_and_return(asker, answerer)
        if n == 6:
            answer_offline(answering, answerer, asker, n)
            continue
        say(answerer, answer(n))
        expect(asker.get_by_test_id(f"turn-{2 * n}")).to_contain_text(answer(n))
        if n == FRAGMENT:
            expect(answerer.get_by_test_id("hint-answer_fragment")).to_contain_text("full sentence")
        if n == REASON:
            expect(asker.get_by_test_id("hint-question_reason")).to_be_visible()
            shot(asker, "dialogue-chat-question")
            shot(answerer, "dialogue-chat-answer")
            answerer.set_viewport_size(TELEPHONE)
            assert_fits(answerer)
            shot(answerer, "dialogue-chat-telephone")
            answerer.set_viewport_size(WIDE["viewport"])
    for page in (asker, answerer):
        expect(page.get_by_test_id("dialogue-done")).to_be_visible()
    shot(answerer, "dialogue-done")
    assert not [url for url in fetched if "/media/" in url]
    assert asker.locator("img:not([src='/lantern.svg']), image").count() == 0
    answerer.get_by_test_id("to-item").click()
    expect(answerer.get_by_text(question(1))).to_be_visible()

    [line] = [row for row in site.manage("shell", stdin=TRANSCRIPT).splitlines() if row.startswith("RESULT ")]
    state, people, rounds = json.loads(line.removeprefix("RESULT "))
    assert (state, people) == ("made", ["talk-answerer", "talk-asker"])
    assert rounds == [{"question": question(n), "answer": answer(n)} for n in range(1, ROUNDS + 1)]


def pause_and_return(asker: Page, answerer: Page) -> None:
    """One pauses; it goes on only when both are back."""
    answerer.get_by_test_id("composer").fill("还没说完")
    asker.get_by_test_id("pause").click()
    for page in (asker, answerer):
        expect(page.get_by_test_id("paused")).to_be_visible()
    expect(answerer.get_by_test_id("unsent")).to_contain_text("还没说完")
    answerer.get_by_test_id("resume").click()
    expect(answerer.get_by_test_id("paused")).to_contain_text("as soon as your partner is back")
    expect(asker.get_by_test_id("paused")).to_contain_text("你的搭档已回来")
    asker.keyboard.press("Alt+r")
    expect(answerer.get_by_test_id("composer")).to_have_value("还没说完")


def answer_offline(answering: BrowserContext, answerer: Page, asker: Page, n: int) -> None:
    """What is sent without a connection waits, and arrives once when there is one again."""
    answering.set_offline(True)
    answerer.get_by_test_id("composer").fill(answer(n))
    answerer.get_by_test_id("composer").press("Enter")
    expect(answerer.get_by_test_id("sent-turn")).to_contain_text("Not sent yet")
    answering.set_offline(False)
    expect(asker.get_by_test_id(f"turn-{2 * n}")).to_contain_text(answer(n))
    expect(answerer.get_by_test_id("sent-turn")).to_have_count(0)


def assert_fits(page: Page) -> None:
    """Nothing is wider than the window, and the field is in it, with buttons that a finger hits."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    field, send = (page.get_by_test_id(name).bounding_box() for name in ("composer", "send"))
    assert field is not None
    assert send is not None
    assert field["y"] + field["height"] <= TELEPHONE["height"]
    assert min(field["height"], send["height"]) >= 44
