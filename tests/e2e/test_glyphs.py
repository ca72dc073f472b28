"""The check for characters without a glyph finds them: those that no font has, and a script whose fonts are hidden."""

import os
import sys
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import CHROMIUM_WORDS
from tests.e2e.glyphs import missing_glyphs
from tests.sentences import SCRIPT_QUESTIONS
from tools import browser as chromium

TAMIL = "தமிழ்"
# Fontconfig's file of a machine that has every font but those of Tamil.
WITHOUT_TAMIL = """<?xml version="1.0"?>
<fontconfig>
  <include>{usual}</include>
  <selectfont><rejectfont>
    <pattern><patelt name="lang"><string>ta</string></patelt></pattern>
  </rejectfont></selectfont>
</fontconfig>
"""


def test_a_character_that_no_font_has_is_found(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(f"<p>a\u0378 b\u200d</p><p>{TAMIL}</p><textarea>\u0379</textarea>")
    assert missing_glyphs(page) == ["\u0378", "\u0379"]
    page.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not use fontconfig")
def test_a_script_without_a_font_is_found(browser: Browser, tmp_path: Path) -> None:
    path = chromium.find()
    environment = {**os.environ, **chromium.environment(path)}
    usual = environment.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    (tmp_path / "fonts.conf").write_text(WITHOUT_TAMIL.format(usual=escape(usual)))
    bare = browser.browser_type.launch(
        executable_path=path,
        args=CHROMIUM_WORDS,
        env={**environment, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")},
    )
    page = bare.new_page()
    questions = {row["tag"]: row["question"]["local"] for row in SCRIPT_QUESTIONS}
    page.set_content("".join(f"<p lang={tag}>{text}</p>" for tag, text in questions.items()))
    assert set(missing_glyphs(page)) == set(questions["ta-IN"]) - set(" ?")
    bare.close()
