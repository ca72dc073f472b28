"""Titles of notification types in mails, which give numbers; the sentences are in the front end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _title(en: str, hans: str, hant: str) -> Mapping[str, str]:
    return {"en": en, "zh-Hans": hans, "zh-Hant": hant}


OTHER: Final = _title("Other notifications", "其他通知", "其他通知")
# By code; a type that is not here counts among the others.
TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "mentioned": _title("Mentions", "提到你的留言", "提到你的留言"),
    "commented": _title("Comments on your items", "对你的条目的留言", "對你的項目的留言"),
    "item_panel_returned": _title("Items returned by a panel", "独立评审退回的条目", "獨立評審退回的項目"),
    "item_panel_excluded": _title("Items that failed a panel", "独立评审未通过的条目", "獨立評審未通過的項目"),
    "item_click_failed": _title("Items returned after clicks", "点选未找到的条目", "點選未找到的項目"),
    "item_decided": _title("Decisions about your items", "对你的条目的判定", "對你的項目的判定"),
    "item_base_changed": _title(
        "Items whose accepted work was changed", "依据的标注有改动的条目", "依據的標註有修改的項目"
    ),
    "item_reopened": _title("Accepted items returned to you", "退回给你的已接受条目", "退回給你的已接受項目"),
    "item_sent_back": _title("Items returned to you", "退回给你的条目", "退回給你的項目"),
    "item_edited": _title("Your texts that were edited", "被修改的你的文本", "被修改的你的文字"),
    "item_excluded": _title("Items excluded", "被排除的条目", "被排除的項目"),
    "items_excluded": _title("Items excluded", "被排除的条目", "被排除的項目"),
    "item_spot_wrong": _title("Items that failed a spot check", "抽检未通过的条目", "抽檢未通過的項目"),
    "skip_insisted": _title("Skipped items to write", "需要补写的跳过条目", "需要補寫的略過項目"),
    "package_assigned": _title("Packages assigned to you", "分配给你的任务包", "指派給你的任務包"),
    "packages_assigned": _title("Packages assigned to you", "分配给你的任务包", "指派給你的任務包"),
    "package_taken_back": _title("Assignments revoked", "收回的任务包", "收回的任務包"),
    "packages_taken_back": _title("Assignments revoked", "收回的任务包", "收回的任務包"),
    "package_returned": _title("Packages returned to you", "退回给你的任务包", "退回給你的任務包"),
    "package_passed": _title("Packages that passed inspection", "通过质检的任务包", "通過質檢的任務包"),
    "guideline_new": _title("New versions of guidelines", "新版本的规范", "新版本的規範"),
    "erratum_confirmed": _title(
        "Decisions about mistakes you reported", "你报告的错误的处理结果", "你回報的錯誤的處理結果"
    ),
    "erratum_rejected": _title(
        "Decisions about mistakes you reported", "你报告的错误的处理结果", "你回報的錯誤的處理結果"
    ),
    "erratum_withdrawn": _title(
        "Decisions about mistakes you reported", "你报告的错误的处理结果", "你回報的錯誤的處理結果"
    ),
    "submission_hidden": _title("Submissions taken off the leaderboard", "被移出排行榜的提交", "被移出排行榜的提交"),
    "board_frozen": _title("Lists of categories frozen", "已冻结的类别表", "已凍結的類別表"),
    "roles_changed": _title("Changes of what roles may do", "角色权限的变更", "角色權限的變更"),
    "protocol_proposed": _title("Protocol versions proposed", "提议的协议版本", "提議的協議版本"),
    "proposal_rejected": _title("Your proposals that were rejected", "被拒绝的你的提议", "被拒絕的你的提議"),
}
