"""Captions: five sentences about one picture (CVLUE section 3.4 and appendix A.2.2; W-K2).

Automatic rules: at least 8 characters each; any two of the five share at most 30 % by the protocol's measure. The paper
names no measure: shared characters over the shorter text would refuse 28 of 30 pairs among its own published captions,
the Jaccard index of character bigrams one, which is why the preset takes that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, Literal

import regex
from pydantic import Field

from annotation.kinds.base import Finding, KindSettings, MalformedContent, Rules, Settings, Span
from curation.core import text
from curation.core.errors import TextRefused
from curation.core.registry import Registry

LONGEST: Final = 1_000  # code points of one caption; far above any real one, keeps comparisons cheap


class Overlap(Settings):
    """How alike two captions may be."""

    measure: Literal["bigram_jaccard", "shared_over_shorter", "shared_over_longer"]
    limit_percent: int = Field(ge=0, le=100)


class CaptionSettings(KindSettings):
    """The protocol's numbers for captions."""

    slots: int = Field(ge=1, le=10)
    minimum_characters: int = Field(ge=1, le=200)
    overlap: Overlap


class CaptionRules(Rules):
    """What the workspace shows of them."""

    kind: Literal["captions"] = "captions"
    minimum_characters: int
    overlap: Overlap


@dataclass(frozen=True, slots=True)
class _Units:
    """A caption cut into what a measure compares, each unit with its place in UTF-16 code units."""

    units: list[str]
    places: list[tuple[int, int]]


def _characters(caption: str) -> _Units:
    units, places, at = [], [], 0
    for grapheme in text.graphemes(caption):
        end = at + text.utf16_length(grapheme)
        if folded := text.folded(grapheme):
            units.append(folded[0])
            places.append((at, end))
        at = end
    return _Units(units, places)


def _bigrams(caption: str) -> _Units:
    one = _characters(caption)
    pairs = range(len(one.units) - 1)
    return _Units(
        [one.units[i] + one.units[i + 1] for i in pairs], [(one.places[i][0], one.places[i + 1][1]) for i in pairs]
    )


# Each measure: how to cut, and the denominator for two sets of units. Shares are compared as integers, never as floats.
_MEASURES: Final[Registry[tuple[Callable[[str], _Units], Callable[[set[str], set[str]], int]]]] = Registry(
    "overlap measure",
    {
        "bigram_jaccard": (_bigrams, lambda a, b: len(a | b)),
        "shared_over_shorter": (_characters, lambda a, b: min(len(a), len(b))),
        "shared_over_longer": (_characters, lambda a, b: max(len(a), len(b))),
    },
)


def overlap(one: str, other: str, measure: str) -> tuple[int, int]:
    """Return (shared, of) for two captions: they overlap by ``shared / of``; ``of`` is 0 where there is nothing."""
    cut, denominator = _MEASURES[measure]
    a, b = set(cut(one).units), set(cut(other).units)
    return len(a & b), denominator(a, b)


def _marks(caption: str, field: str, shared: set[str], measure: str) -> list[Span]:
    """The stretches of a caption that hold shared units, neighbours joined."""
    cut, _ = _MEASURES[measure]
    units = cut(caption)
    spans: list[Span] = []
    for unit, (start, end) in zip(units.units, units.places, strict=True):
        if unit not in shared:
            continue
        if spans and start <= spans[-1].end:
            spans[-1] = Span(field, spans[-1].start, max(end, spans[-1].end))
        else:
            spans.append(Span(field, start, end))
    return spans


# Likely names of people are flagged, never refused: a surname with a form of address, or what follows "is called".
_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴"
    "贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔"
    "張劉陳楊黃趙吳孫馬鄭許鄧馮蕭葉蘇呂盧鐘譚陸賈韋鄒閻龍賀顧龔萬錢嚴賴"
)
_ADDRESS: Final = (
    "老师|老師|先生|女士|小姐|医生|醫生|教授|同学|同學|师傅|師傅|阿姨|叔叔|奶奶|爷爷|爺爺|"
    "经理|經理|校长|校長|警官|主席|总统|總統"
)
_NAMES: Final = (
    regex.compile(rf"[{_SURNAMES}]\p{{Han}}{{0,2}}(?:{_ADDRESS})"),
    regex.compile(r"(?:名叫|名字叫|叫做|叫作|名为|名為)(\p{Han}{2,3})"),
)


def _likely_names(caption: str, field: str) -> list[Finding]:
    found = []
    for pattern in _NAMES:
        for match in pattern.finditer(caption):
            start = text.utf16_length(caption[: match.start()])
            end = start + text.utf16_length(match.group())
            found.append(
                Finding("caption_likely_name", field, "warn", {"text": match.group()}, (Span(field, start, end),))
            )
    return found


class Captions:
    """The kind."""

    name = "captions"
    prefix = "cap"
    content_schema = 1
    settings = CaptionSettings
    rules_shape = CaptionRules

    def shape(self, content: Mapping[str, Any], settings: CaptionSettings) -> dict[str, Any]:
        """See :class:`annotation.kinds.base.Kind`."""
        captions = content.get("captions")
        if set(content) != {"captions"} or not isinstance(captions, list) or len(captions) != settings.slots:
            raise MalformedContent(f'{{"captions": [{settings.slots} strings]}}')
        for caption in captions:
            if not isinstance(caption, str) or len(caption) > LONGEST:
                raise MalformedContent(f"each caption a string of at most {LONGEST} characters")
            if "\0" in caption or any("\ud800" <= c <= "\udfff" for c in caption):
                raise TextRefused(reason="control_character" if "\0" in caption else "lone_surrogate")
        return {"captions": captions}

    def clean(self, content: Mapping[str, Any], settings: CaptionSettings) -> dict[str, Any]:
        """See :class:`annotation.kinds.base.Kind`."""
        return {"captions": [text.clean(c) for c in self.shape(content, settings)["captions"]]}

    def check(self, content: Mapping[str, Any], settings: CaptionSettings, *, complete: bool) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        captions: list[str] = content["captions"]
        findings: list[Finding] = []
        for i, caption in enumerate(captions):
            field, count = f"captions.{i}", text.count_characters(caption)
            if not caption.strip():
                if complete:
                    findings.append(Finding("caption_empty", field, "error"))
                continue
            try:
                text.clean(caption)
            except TextRefused as error:
                findings.append(Finding("text_refused", field, "error", error.params))
            if count < settings.minimum_characters:
                params = {"count": count, "minimum": settings.minimum_characters}
                findings.append(Finding("caption_too_short", field, "error", params))
            findings += _likely_names(caption, field)
        findings += self._overlaps(captions, settings.overlap)
        return findings

    def _overlaps(self, captions: list[str], rule: Overlap) -> list[Finding]:
        cut, denominator = _MEASURES[rule.measure]
        characters = [_characters(c).units for c in captions]
        units = [set(cut(c).units) for c in captions]
        findings = []
        for i, j in combinations(range(len(captions)), 2):
            if not characters[i] or not characters[j]:
                continue
            if characters[i] == characters[j]:
                findings.append(Finding("caption_identical", f"captions.{j}", "error", {"other": i}))
                continue
            shared, of = units[i] & units[j], denominator(units[i], units[j])
            if len(shared) * 100 <= rule.limit_percent * of:
                continue
            params = {
                "other": i,
                "percent": len(shared) * 100 // of,
                "limit": rule.limit_percent,
                "measure": rule.measure,
            }
            spans = [
                *_marks(captions[j], f"captions.{j}", shared, rule.measure),
                *_marks(captions[i], f"captions.{i}", shared, rule.measure),
            ]
            findings.append(
                Finding("caption_overlap", f"captions.{j}", "error", params, tuple(spans), overridable=True)
            )
        return findings

    def rules(self, settings: CaptionSettings) -> CaptionRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return CaptionRules.of(settings)

    def texts(self, content: Mapping[str, Any]) -> list[str]:
        """See :class:`annotation.kinds.base.Kind`."""
        return list(content["captions"])


KIND: Final = Captions()
