"""A stranger who opens the site sees the way in, in the language of their browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import Site


@pytest.mark.parametrize(("language", "tag"), [("en", "en"), ("zh-Hans", "zh-Hans"), ("zh-Hant", "zh-Hant")])
def test_the_first_page_is_the_sign_in_page_in_the_readers_language(
    site: Site, context_in: Callable[..., BrowserContext], language: str, tag: str
) -> None:
    page = context_in(language, base_url=site.url).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/")
    expect(page.locator("input[type=password]")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == tag
    assert faults == []
