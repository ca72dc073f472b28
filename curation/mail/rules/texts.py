"""What mails say, in the language of their reader."""

from __future__ import annotations

from typing import Final, NamedTuple


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


def verify_text(language: str, *, username: str, site: str, link: str, hours: int) -> Text:
    """The mail with the link that verifies an address."""
    text = _VERIFY[language]
    return text._replace(body=text.body.format(username=username, site=site, link=link, hours=hours))
