"""The words on charts and in tables in the interface languages; the server draws these files, not the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Words(NamedTuple):
    """The words of one language; ``lacking`` marks a system without all answers, ``blind`` one without pictures.

    ``share`` is what retrieval's metrics are shares of; ``metrics`` has the names of others, which are else themselves.
    """

    scopes: Mapping[str, str]
    system: str
    metric: str
    share: str
    intervals: str
    guessing: str
    guess: str
    group: Mapping[str, str]
    gap: str
    demo: str
    blind: str
    metrics: Mapping[str, str]
    lacking: str
    interval: str


WORDS: Final[Mapping[str, Words]] = {
    "zh-Hans": Words(
        scopes={"": "", "t2i": "由句子找图片", "i2t": "由图片找句子"},
        system="系统",
        metric="指标",
        share="召回率",
        intervals="%，须线为 95% 区间",
        guessing="虚线为随机作答",
        guess="随机作答",
        group={
            "category": "类别",
            "group": "组",
            "domain": "领域",
            "subject": "学科",
            "grade": "学段",
            "type": "题型",
            "difficulty": "难度",
            "pair": "国家与语言",
            "country": "国家",
            "language": "语言",
            "continent": "大洲",
            "script": "文字",
            "split": "划分",
            "source": "来源",
            "distance": "文化距离",
        },
        gap="差距",
        demo="演示",
        blind="无图",
        metrics={"accuracy": "正确率"},
        lacking="不全",
        interval="方括号内为 95% 区间",
    ),
    "zh-Hant": Words(
        scopes={"": "", "t2i": "由句子找圖片", "i2t": "由圖片找句子"},
        system="系統",
        metric="指標",
        share="召回率",
        intervals="%，鬚線為 95% 區間",
        guessing="虛線為隨機作答",
        guess="隨機作答",
        group={
            "category": "類別",
            "group": "組",
            "domain": "領域",
            "subject": "學科",
            "grade": "學段",
            "type": "題型",
            "difficulty": "難度",
            "pair": "國家與語言",
            "country": "國家",
            "language": "語言",
            "continent": "大洲",
            "script": "文字",
            "split": "劃分",
            "source": "來源",
            "distance": "文化距離",
        },
        gap="差距",
        demo="示範",
        blind="無圖",
        metrics={"accuracy": "正確率"},
        lacking="不全",
        interval="方括號內為 95% 區間",
    ),
    "en": Words(
        scopes={"": "", "t2i": "Text to picture", "i2t": "Picture to text"},
        system="System",
        metric="Metric",
        share="Recall",
        intervals="%, whiskers: 95% interval",
        guessing="dashed line: guessing",
        guess="Guessing",
        group={
            "category": "Category",
            "group": "Group",
            "domain": "Domain",
            "subject": "Subject",
            "grade": "Grade",
            "type": "Type of question",
            "difficulty": "Difficulty",
            "pair": "Country and language",
            "country": "Country",
            "language": "Language",
            "continent": "Continent",
            "script": "Script",
            "split": "Split",
            "source": "Source",
            "distance": "Cultural distance",
        },
        gap="gap",
        demo="demo",
        blind="no picture",
        metrics={"accuracy": "Accuracy"},
        lacking="incomplete",
        interval="95% intervals in brackets",
    ),
}
