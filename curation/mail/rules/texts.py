"""What mails say, in the language of their reader."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from curation.mail.rules.titles import OTHER, TITLES


class Text(NamedTuple):
    """Subject and body of a mail."""

    subject: str
    body: str


_VERIFY: Final = {
    "en": Text(
        "Lantern: confirm your address",
        "The account {username} on {site} names this address for its mail.\n\n"
        "To confirm it, open this link within {hours} hours:\n{link}\n\n"
        "If this account is not yours, ignore this mail; nothing more will be sent.\n",
    ),
    "zh-Hans": Text(
        "Lantern：确认邮箱地址",
        "{site} 上的账号 {username} 填写了此邮箱地址。\n\n"
        "请在 {hours} 小时内打开以下链接确认：\n{link}\n\n"
        "如果这不是你的账号，请忽略本邮件，不会再收到其他邮件。\n",
    ),
    "zh-Hant": Text(
        "Lantern：確認電子郵件地址",
        "{site} 上的帳號 {username} 填寫了此電子郵件地址。\n\n"
        "請在 {hours} 小時內開啟以下連結確認：\n{link}\n\n"
        "如果這不是你的帳號，請忽略本郵件，不會再收到其他郵件。\n",
    ),
}


_SUBJECT: Final = {
    "en": ("Lantern: one new notification", "Lantern: {count} new notifications"),
    "zh-Hans": ("Lantern：{count} 条新通知",) * 2,
    "zh-Hant": ("Lantern：{count} 則新通知",) * 2,
}
_LINE: Final = {"en": "- {title}: {count}", "zh-Hans": "- {title}：{count}", "zh-Hant": "- {title}：{count}"}
_SITE: Final = {"en": "Account", "zh-Hans": "账号", "zh-Hant": "帳號"}
_FOOT: Final = {
    "en": "Read them: {notices}\n\nChoose when you get this mail: {account}\nStop it: {stop}\n",
    "zh-Hans": "查看通知：{notices}\n\n选择何时接收邮件：{account}\n停止接收：{stop}\n",
    "zh-Hant": "檢視通知：{notices}\n\n選擇何時接收郵件：{account}\n停止接收：{stop}\n",
}


class Count(NamedTuple):
    """How many unread notifications of one type a benchmark has for the reader.

    Attributes:
        page: The address of the benchmark's page for the reader, below the site's; empty for the site.
    """

    page: str
    code: str
    number: int


def digest_text(language: str, counts: Sequence[Count], *, site: str, stop: str) -> Text:
    """The mail about notifications: how many of which type in which benchmark, and links. No texts and no names.

    Args:
        language: The reader's.
        counts: In the order of benchmarks.
        site: The site's address.
        stop: The link that ends these mails.
    """
    total = sum(each.number for each in counts)
    lines: list[str] = []
    for page, group in groupby(counts, key=lambda each: each.page):
        lines.append(f"{site}{page}" if page else _SITE[language])
        by_title: dict[str, int] = {}
        for each in group:
            title = TITLES.get(each.code, OTHER)[language]
            by_title[title] = by_title.get(title, 0) + each.number
        lines += [_LINE[language].format(title=title, count=number) for title, number in by_title.items()]
        lines.append("")
    foot = _FOOT[language].format(notices=f"{site}/notices", account=f"{site}/account", stop=stop)
    return Text(_SUBJECT[language][total != 1].format(count=total), "\n".join([*lines, foot]))


def verify_text(language: str, *, username: str, site: str, link: str, hours: int) -> Text:
    """The mail with the link that verifies an address."""
    text = _VERIFY[language]
    return text._replace(body=text.body.format(username=username, site=site, link=link, hours=hours))
