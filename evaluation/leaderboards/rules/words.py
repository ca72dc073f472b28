"""The words on charts and in tables in the interface languages; the server draws these files, not the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Words(NamedTuple):
    """The words of one language; ``lacking`` marks a system without all answers."""

    scopes: Mapping[str, str]
    system: str
    metric: str
    share: str
    group: Mapping[str, str]
    queries: str
    gap: str
    demo: str
    lacking: str
    interval: str


WORDS: Final[Mapping[str, Words]] = {
    "zh-Hans": Words(
        scopes={"t2i": "由句子找图片", "i2t": "由图片找句子"},
        system="系统",
        metric="指标",
        share="召回率（%），须线为 95% 区间",
        group={"category": "类别", "distance": "文化距离"},
        queries="查询",
        gap="差距",
        demo="演示",
        lacking="不全",
        interval="方括号内为 95% 区间",
    ),
    "zh-Hant": Words(
        scopes={"t2i": "由句子找圖片", "i2t": "由圖片找句子"},
        system="系統",
        metric="指標",
        share="召回率（%），鬚線為 95% 區間",
        group={"category": "類別", "distance": "文化距離"},
        queries="查詢",
        gap="差距",
        demo="示範",
        lacking="不全",
        interval="方括號內為 95% 區間",
    ),
    "en": Words(
        scopes={"t2i": "Text to picture", "i2t": "Picture to text"},
        system="System",
        metric="Metric",
        share="Recall (%), whiskers: 95% interval",
        group={"category": "Category", "distance": "Cultural distance"},
        queries="queries",
        gap="gap",
        demo="demo",
        lacking="incomplete",
        interval="95% intervals in brackets",
    ),
}
