"""Captions: five sentences about one picture (CVLUE section 3.4 and appendix A.2.2).

Automatic rules: at least 8 characters each; any two of the five share at most 30% by the protocol's measure. The paper
names no measure. Shared characters over the shorter text would reject 28 of 30 pairs of its own published captions, the
Jaccard index of character bigrams only one, so the preset uses that.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final, Literal

import regex
from pydantic import Field

from annotation.kinds.base import Finding, KindSettings, Rules
from annotation.kinds.context import Context
from annotation.kinds.fields import MOST_WARNINGS, other_script, refusals, span_of
from annotation.kinds.overlap import Overlap, pairwise
from annotation.kinds.tree import ListNode, RecordNode, TextNode, resolve
from curation.core import text


class CaptionSettings(KindSettings):
    """The protocol's settings of captions.

    Attributes:
        other_script_percent: The most letters of another script than the language's, in percent of a caption's letters;
            more get a warning. None: not checked.
    """

    slots: int = Field(ge=1, le=10)
    minimum_characters: int = Field(ge=1, le=200)
    overlap: Overlap
    other_script_percent: int | None = Field(default=None, ge=0, le=100)


class CaptionRules(Rules):
    """The rules of captions that the workspace shows."""

    kind: Literal["captions"] = "captions"
    slots: int
    minimum_characters: int
    overlap: Overlap
    other_script_percent: int | None = None


# Likely names of people get a warning, never an error: a surname with a form of address, or a word after "is called".
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
    matches = islice((match for pattern in _NAMES for match in pattern.finditer(caption)), MOST_WARNINGS)
    return [
        Finding("caption_likely_name", field, "warn", {"text": match.group()}, (span_of(match, caption, field),))
        for match in matches
    ]


class Captions:
    """The captions kind."""

    name = "captions"
    prefix = "cap"
    content_schema = 1
    settings = CaptionSettings
    rules_shape = CaptionRules
    needs = ()
    base = None

    def tree(self, settings: CaptionSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`: the picture is public, its captions are the answer."""
        meaning = "the captions, in the order they were written"
        captions = ListNode(count=settings.slots, of=TextNode(), answer=True, meaning=meaning)
        return RecordNode(fields={"captions": captions})

    def check(
        self, content: Mapping[str, Any], settings: CaptionSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        captions: list[str] = content["captions"]
        findings: list[Finding] = []
        for i, caption in enumerate(captions):
            field, count = f"captions.{i}", text.count_characters(caption)
            if text.shows_nothing(caption):
                if complete:
                    findings.append(Finding("caption_empty", field, "error"))
                continue
            findings += refusals(caption, field)
            if count < settings.minimum_characters:
                params = {"count": count, "minimum": settings.minimum_characters}
                findings.append(Finding("caption_too_short", field, "error", params))
            findings += _likely_names(caption, field)
            findings += other_script(caption, field, context.language.tag, settings.other_script_percent)
        fields = [f"captions.{i}" for i in range(len(captions))]
        return findings + pairwise(captions, fields, settings.overlap, code="caption")

    def rules(self, settings: CaptionSettings, context: Context) -> CaptionRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return CaptionRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final = Captions()
