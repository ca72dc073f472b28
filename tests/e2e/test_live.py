"""A browser gets events from the live channel's own port: the page's policy, the cookie and the other origin agree."""

import os
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import Site

OPEN = """
({url}) => {
  window.events = [];
  const source = new EventSource(url, { withCredentials: true });
  for (const name of ["hello", "look", "error"])
    source.addEventListener(name, ({ data }) => window.events.push([name, data ?? null]));
}
"""
TELL = """
from django.db import transaction
from curation.core.live import tell
from curation.people.models import Person
with transaction.atomic():
    tell([Person.objects.get(username="listener").pk], "lobby", 7, 2)
"""
LOOK = ["look", '{"topic":"lobby","id":7,"n":2}']


def test_an_event_reaches_a_signed_in_page_and_no_strangers(
    site: Site, context_in: Callable[..., BrowserContext]
) -> None:
    os.environ["OWNER_PASSWORD"] = "a-long-password-of-the-owner"
    try:
        site.manage("create_owner", "listener", "--name", "Listener")
    finally:
        password = os.environ.pop("OWNER_PASSWORD")
    page, stranger = (context_in("en", base_url=site.url).new_page() for _ in range(2))
    for each in (page, stranger):
        each.goto("/")
        expect(each.locator("input[type=password]")).to_be_visible()
    page.locator("input[name=username]").fill("listener")
    page.locator("input[type=password]").fill(password)
    page.keyboard.press("Enter")
    expect(page.locator("input[type=password]")).to_be_hidden()
    url = page.evaluate("() => fetch('/api/v1/session').then((answer) => answer.json()).then(({ live }) => live)")
    assert url.startswith("http://localhost:")
    assert not url.startswith(f"{site.url}/")
    for each in (page, stranger):
        each.evaluate(OPEN, {"url": url})
    page.wait_for_function("() => window.events.length === 1")
    assert page.evaluate("window.events") == [["hello", "{}"]]
    site.manage("shell", "--no-imports", "-c", TELL)
    page.wait_for_function("() => window.events.length === 2")
    assert page.evaluate("window.events") == [["hello", "{}"], LOOK]
    assert stranger.evaluate("window.events") == [["error", None]]
