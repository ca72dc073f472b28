"""The words of public pages in the interface languages; the server writes these pages, not the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Code → simplified Chinese, traditional Chinese, English.
_TEXTS: Final[Mapping[str, tuple[str, str, str]]] = {
    # The frame
    "skip": ("跳到正文", "跳到正文", "Skip to content"),
    "languages": ("语言", "語言", "Language"),
    "sections": ("此发布", "此發布", "This release"),
    "overview": ("概览", "概覽", "Overview"),
    "release": ("发布", "發布", "Release"),
    "board": ("排行榜", "排行榜", "Leaderboard"),
    "files": ("文件", "檔案", "Files"),
    "samples": ("样例", "樣例", "Samples"),
    "changes": ("变化", "變動", "Changes"),
    "feed": ("订阅更新（Atom）", "訂閱更新（Atom）", "Subscribe (Atom)"),
    "made_with": ("由 Lantern 发布", "由 Lantern 發布", "Published with Lantern"),
    "preview": (
        "预览：尚未公开的页面，仅管理人员可见",
        "預覽：尚未公開的頁面，僅管理人員可見",
        "Preview: only heads of the benchmark see this page",
    ),
    # Overview
    "newest": ("最新发布", "最新發布", "Newest release"),
    "other_releases": ("其他发布", "其他發布", "Other releases"),
    "former_releases": ("已撤回或关闭的发布", "已撤回或關閉的發布", "Withdrawn and closed releases"),
    "no_releases": ("尚未公开任何发布。", "尚未公開任何發布。", "No release is public yet."),
    "submit": ("如何提交预测结果", "如何提交預測結果", "How to submit predictions"),
    "submit_text": (
        (
            "从文件页下载评测所需的文件，让模型作答，再登录 Lantern，按那里的模板上传预测文件。"
            "评分后，提交者可自行决定是否列入排行榜。"
        ),
        (
            "從檔案頁下載評測所需的檔案，讓模型作答，再登入 Lantern，依那裡的範本上傳預測檔案。"
            "評分後，提交者可自行決定是否列入排行榜。"
        ),
        (
            "Download the files of the evaluated split, let your model answer, then sign in to Lantern and upload its "
            "predictions in the form of the template there. Once they are scored, you decide whether the leaderboard "
            "lists them."
        ),
    ),
    "submit_off": (
        "目前仅团队成员可以提交。",
        "目前僅團隊成員可以提交。",
        "For now only members of the team can submit.",
    ),
    "submit_invited": (
        "账号由管理员邀请开通。",
        "帳號由管理員邀請開通。",
        "Accounts are by invitation.",
    ),
    "submit_open": (
        "任何人都可以自行注册账号。",
        "任何人都可以自行註冊帳號。",
        "Anyone can create an account.",
    ),
    "submit_here": (
        "用这些文件得到的预测结果可以提交评分。",
        "用這些檔案得到的預測結果可以提交評分。",
        "Predictions made with these files can be submitted for scoring.",
    ),
    "submit_go": ("提交预测结果", "提交預測結果", "Submit predictions"),
    "read_more": ("查看此发布", "檢視此發布", "Open this release"),
    # Facts of a release
    "images": ("图片", "圖片", "Pictures"),
    "items": ("条目", "條目", "Items"),
    "kind": ("种类", "種類", "Kind of annotation"),
    "kinds": ("各种类", "各種類", "Kinds of annotation"),
    "language": ("语言", "語言", "Language"),
    "mul": ("各小组使用各自的语言", "各小組使用各自的語言", "Each team's own language"),
    "published": ("公开日期", "公開日期", "Published"),
    "frozen": ("冻结时间", "凍結時間", "Frozen"),
    "protocol": ("规程", "規程", "Protocol"),
    "version_of": ("第 {version} 版", "第 {version} 版", "version {version}"),
    "previous": ("上一次发布", "上一次發布", "Previous release"),
    "splits": ("划分", "劃分", "Splits"),
    "split": ("部分", "部分", "Split"),
    "share": ("占比", "占比", "Share"),
    "answers": ("答案", "答案", "Answers"),
    "given": ("公开", "公開", "public"),
    "withheld": ("不公开", "不公開", "withheld"),
    "all": ("合计", "合計", "Total"),
    "train": ("训练", "訓練", "Training"),
    "valid": ("验证", "驗證", "Validation"),
    "test": ("测试", "測試", "Test"),
    "categories": ("类别", "類別", "Categories"),
    "category": ("类别", "類別", "Category"),
    "no_category": ("未分类", "未分類", "No category"),
    "notes": ("说明", "說明", "Notes"),
    "card": ("数据集卡片", "資料集卡片", "Dataset card"),
    "card_text": (
        "README.md 含字段说明、统计和校验方法。",
        "README.md 含欄位說明、統計和校驗方法。",
        "README.md has the meaning of every field, statistics, and how to verify the files.",
    ),
    "licences": ("许可", "授權", "Licences"),
    "licence": ("许可", "授權", "Licence"),
    "licence_of_set": (
        "数据集按 {licence} 发布。",
        "資料集以 {licence} 釋出。",
        "The collection is published under {licence}.",
    ),
    "licence_per_picture": (
        "数据集没有统一的许可，每张图片各有许可。",
        "資料集沒有統一的授權，每張圖片各有授權。",
        "The collection has no licence of its own; each picture has one.",
    ),
    "licences_of_images": (
        "每张图片的许可、来源和作者见 licences.csv。",
        "每張圖片的授權、來源和作者見 licences.csv。",
        "licences.csv lists each picture's licence, source and author.",
    ),
    "terms": ("使用条款", "使用條款", "Terms of use"),
    "terms_account": (
        "登录并接受使用条款后才能下载文件。",
        "登入並接受使用條款後才能下載檔案。",
        "Files are for people who signed in and accepted the terms of use.",
    ),
    "terms_go": ("登录并接受条款", "登入並接受條款", "Sign in and accept the terms"),
    "no_terms": ("除许可外没有其他条款。", "除授權外沒有其他條款。", "No terms besides the licences."),
    "citation": ("引用", "引用", "Citation"),
    "cite_text": ("使用此数据集时请引用：", "使用此資料集時請引用：", "If you use this data set, please cite:"),
    # Kinds and fields
    "boxes": ("物体框", "物體框", "Boxes"),
    "captions": ("图片描述", "圖片描述", "Captions"),
    "vqa": ("看图问答", "看圖問答", "Visual questions"),
    "grounding": ("视觉定位", "視覺定位", "Grounding"),
    "dialogue": ("视觉对话", "視覺對話", "Visual dialogue"),
    "multiple_choice": ("选择题", "選擇題", "Multiple choice"),
    "part_caption": ("描述", "描述", "Caption"),
    "part_text": ("描述", "描述", "Expression"),
    "part_captions": ("句子", "句子", "Caption"),
    "part_question": ("问题", "問題", "Question"),
    "part_answer": ("答案", "答案", "Answer"),
    "part_options": ("选项", "選項", "Option"),
    "part_explanation": ("解释", "解釋", "Explanation"),
    "part_category": ("类别", "類別", "Category"),
    # Files
    "name": ("名称", "名稱", "Name"),
    "size": ("大小", "大小", "Size"),
    "sha256": ("SHA-256", "SHA-256", "SHA-256"),
    "file_closed": (
        "含已撤回的图片，不再提供",
        "含已撤回的圖片，不再提供",
        "contains a withdrawn picture; no longer available",
    ),
    "file_covered": (
        "含图片，已销毁",
        "含圖片，已銷毀",
        "contains pictures; destroyed",
    ),
    "archive": (
        "全部文件和图片，一个 ZIP 文件（{files} 个文件，{size}）",
        "全部檔案和圖片，一個 ZIP 檔（{files} 個檔案，{size}）",
        "All files and pictures in one ZIP file ({files} files, {size})",
    ),
    "verify": (
        "下载后可用 checksums.txt 校验：",
        "下載後可用 checksums.txt 校驗：",
        "Verify downloads with checksums.txt:",
    ),
    "canary": (
        "请勿将评测数据收入训练语料。识别码：",
        "請勿將評測資料收入訓練語料。識別碼：",
        "Please keep the evaluation data out of training corpora. Canary:",
    ),
    # Board
    "no_board": ("此发布尚无评测结果。", "此發布尚無評測結果。", "No results on this release yet."),
    "systems": ("在此运行的系统", "在此執行的系統", "Systems evaluated here"),
    "submissions": ("运行与提交的预测", "執行與提交的預測", "Runs and submitted predictions"),
    "system": ("系统", "系統", "System"),
    "crew": ("队伍", "隊伍", "Team"),
    "date": ("日期", "日期", "Date"),
    "scored_of": ("已评分", "已評分", "Scored"),
    "missing": ("缺答", "缺答", "Missing"),
    "t2i": ("由句子找图片", "由句子找圖片", "Text to picture"),
    "i2t": ("由图片找句子", "由圖片找句子", "Picture to text"),
    "demo": ("演示", "示範", "demo"),
    "intervals": (
        "数值为百分比，方括号内为 95% 区间。",
        "數值為百分比，方括號內為 95% 區間。",
        "Figures are percentages, with 95% intervals in brackets.",
    ),
    "least_group": (
        "答案不公开：少于 {least} 个查询的分组不列出。",
        "答案不公開：少於 {least} 個查詢的分組不列出。",
        "Answers are withheld: groups of fewer than {least} queries are left out.",
    ),
    "by_category": ("按类别", "按類別", "By category"),
    "by_distance": ("按文化距离", "按文化距離", "By cultural distance"),
    "by": ("按{tag}", "按{tag}", "By {tag}"),
    "all_questions": ("全部", "全部", "All"),
    "questions": ("题", "題", "questions"),
    "guessing": ("随机作答", "隨機作答", "Guessing"),
    "text_only": ("无图 {value}", "無圖 {value}", "no picture {value}"),
    "not_scored": ("未读出、拒答、失败", "未讀出、拒答、失敗", "Unparsed, declined, failed"),
    "queries": ("查询", "查詢", "queries"),
    "downloads": ("下载", "下載", "Downloads"),
    "profile": ("评分方式：{profile}", "評分方式：{profile}", "Scoring profile: {profile}"),
    # Scoring profiles and metrics; the front end has the same names in its locales
    "cvlue-itr/paper": ("CVLUE 图文检索（论文）", "CVLUE 圖文檢索（論文）", "CVLUE retrieval, as in the paper"),
    "cvlue-itr/official": (
        "CVLUE 图文检索（公布的评分程序）",
        "CVLUE 圖文檢索（公布的評分程式）",
        "CVLUE retrieval, published scorer",
    ),
    "cvlue-vg/paper": ("CVLUE 视觉定位（论文）", "CVLUE 視覺定位（論文）", "CVLUE grounding, as in the paper"),
    "cvlue-vg/official": (
        "CVLUE 视觉定位（公布的评分程序）",
        "CVLUE 視覺定位（公布的評分程式）",
        "CVLUE grounding, published scorer",
    ),
    "cvlue-vd/full": (
        "CVLUE 视觉对话（含平均名次与 MRR）",
        "CVLUE 視覺對話（含平均名次與 MRR）",
        "CVLUE dialogue, with mean rank and MRR",
    ),
    "cvlue-vd/official": (
        "CVLUE 视觉对话（公布的评分程序）",
        "CVLUE 視覺對話（公布的評分程式）",
        "CVLUE dialogue, published scorer",
    ),
    "cvlue-vqa/official": (
        "CVLUE 看图问答（公布的评分程序）",
        "CVLUE 看圖問答（公布的評分程式）",
        "CVLUE visual questions, published scorer",
    ),
    "cvlue-vqa/official-strict": (
        "CVLUE 看图问答（公布的评分程序，严格）",
        "CVLUE 看圖問答（公布的評分程式，嚴格）",
        "CVLUE visual questions, published scorer, strict",
    ),
    "cvlue-vqa/exact": (
        "CVLUE 看图问答（完全一致）",
        "CVLUE 看圖問答（完全一致）",
        "CVLUE visual questions, exact match",
    ),
    "cvqa-mcq/generated": ("CVQA（从回复中读字母）", "CVQA（從回覆中讀字母）", "CVQA, letters read from replies"),
    "cvqa-mcq/paper": (
        "CVQA（论文，概率最高的选项）",
        "CVQA（論文，機率最高的選項）",
        "CVQA, most probable option, as in the paper",
    ),
    "tcc-mcq/paper": ("TCC-Bench（论文）", "TCC-Bench（論文）", "TCC-Bench, as in the paper"),
    "tcc-mcq/official": ("TCC-Bench（公布的评分程序）", "TCC-Bench（公布的評分程式）", "TCC-Bench, published scorer"),
    "tcc-mcq/robust": ("TCC-Bench（仔细读取）", "TCC-Bench（仔細讀取）", "TCC-Bench, careful reading"),
    "vistai-mcq/robust": ("VisTai（仔细读取）", "VisTai（仔細讀取）", "VisTai, careful reading"),
    "vistai-mcq/official": ("VisTai（公布的规则）", "VisTai（公布的規則）", "VisTai, published rules"),
    "vistai-mcq/paper": ("VisTai（论文）", "VisTai（論文）", "VisTai, as in the paper"),
    "accuracy": ("正确率", "正確率", "Accuracy"),
    # Samples
    "samples_text": (
        "固定抽取的样例。图片为缩小版，原图见文件。",
        "固定抽取的樣例。圖片為縮小版，原圖見檔案。",
        "A fixed selection. Pictures are reduced; full size is in the files.",
    ),
    "no_samples": ("此发布没有公开样例。", "此發布沒有公開樣例。", "This release has no public samples."),
    "show_all": ("全部", "全部", "All"),
    "answers_hidden": ("此部分的答案不公开。", "此部分的答案不公開。", "The answers of this split are withheld."),
    "answer_hidden": ("（答案不公开）", "（答案不公開）", "(answer withheld)"),
    "before": ("上一个", "上一個", "Previous"),
    "after": ("下一个", "下一個", "Next"),
    "page_before": ("上一页", "上一頁", "Previous page"),
    "page_after": ("下一页", "下一頁", "Next page"),
    "picture": ("图片 {label}", "圖片 {label}", "Picture {label}"),
    "source": ("来源", "來源", "Source"),
    "author": ("作者", "作者", "Author"),
    "page": ("第 {page} 页，共 {pages} 页", "第 {page} 頁，共 {pages} 頁", "Page {page} of {pages}"),
    # Changes
    "first_release": ("此种类的第一次发布。", "此種類的第一次發布。", "The first release of its kind."),
    "since": ("与 {previous} 相比", "與 {previous} 相比", "Since {previous}"),
    "added": ("新增", "新增", "Added"),
    "removed": ("移除", "移除", "Removed"),
    "changed": ("修改", "修改", "Changed"),
    "item": ("条目", "條目", "Item"),
    "fields": ("修改的字段", "修改的欄位", "Changed fields"),
    "more_changes": (
        "这里只列出前 {count} 项，完整列表见 changes.jsonl。",
        "這裡只列出前 {count} 項，完整列表見 changes.jsonl。",
        "The first {count} are listed; changes.jsonl has all of them.",
    ),
    "gone": ("已撤回的图片", "已撤回的圖片", "Withdrawn pictures"),
    "gone_text": (
        "发布后撤回。如有下载的副本，请删除这些图片：",
        "發布後撤回。如有下載的副本，請刪除這些圖片：",
        "Withdrawn after publication. Please delete these pictures from your copies:",
    ),
    # Errata
    "errata": ("勘误", "勘誤", "Errata"),
    "erratum_no": ("勘误", "勘誤", "Erratum"),
    "no_errata": ("此发布没有已确认的错误。", "此發布沒有已確認的錯誤。", "No mistakes of this release are confirmed."),
    "errata_text": (
        "发布后确认的错误。文件和排行榜的数值保持不变，下一次发布会写明改正了哪些。",
        "發布後確認的錯誤。檔案和排行榜的數值保持不變，下一次發布會寫明改正了哪些。",
        (
            "Mistakes that were confirmed after publication. Files and figures stay as they are; the next release "
            "says which of them it corrects."
        ),
    ),
    "whole_release": ("整个发布", "整個發布", "The release as a whole"),
    "report_erratum": ("报告错误", "回報錯誤", "Report a mistake"),
    "report_text": (
        "发现了错误？登录后即可报告。",
        "發現了錯誤？登入後即可回報。",
        "Found a mistake? Sign in to report it.",
    ),
    "erratum_withdrawn": ("勘误已于 {date} 撤回", "勘誤已於 {date} 撤回", "Withdrawn on {date}"),
    "corrected_errata": ("改正的勘误", "改正的勘誤", "Corrected errata"),
    "items_with_errata": ("有勘误的条目：{count}", "有勘誤的條目：{count}", "Items with errata: {count}"),
    "event_erratum": ("{label} 的勘误 {no}：{item}", "{label} 的勘誤 {no}：{item}", "Erratum {no} of {label}: {item}"),
    "event_erratum_withdrawn": (
        "{label} 的勘误 {no} 已撤回：{item}",
        "{label} 的勘誤 {no} 已撤回：{item}",
        "Erratum {no} of {label} was withdrawn: {item}",
    ),
    # Notices
    "withdrawn_title": ("{label} 已撤回", "{label} 已撤回", "{label} was withdrawn"),
    "withdrawn_text": (
        "此发布已被撤回，文件不再提供，请勿继续使用。",
        "此發布已被撤回，檔案不再提供，請勿繼續使用。",
        "This release was withdrawn. Its files are no longer available; please stop using copies.",
    ),
    "closed_title": ("{label} 已不再公开", "{label} 已不再公開", "{label} is no longer public"),
    "closed_text": (
        "此发布曾经公开，现已关闭。",
        "此發布曾經公開，現已關閉。",
        "This release was public and has been closed.",
    ),
    "reason": ("原因", "原因", "Reason"),
    "on_date": ("日期", "日期", "Date"),
    "gone_title": ("内容已撤回", "內容已撤回", "No longer public"),
    "gone_picture": (
        "此内容含已撤回的图片，不再公开。",
        "此內容含已撤回的圖片，不再公開。",
        "This was withdrawn and is no longer public.",
    ),
    "covered_title": ("文件已销毁", "檔案已銷毀", "Files no longer exist"),
    "covered_text": (
        "此发布冻结之后，其中有图片被遮盖，因此含图片的文件和 ZIP 文件已销毁。其他文件仍可下载。",
        "此發布凍結之後，其中有圖片被遮蓋，因此含圖片的檔案和 ZIP 檔已銷毀。其他檔案仍可下載。",
        (
            "Something in a picture was covered after this release was frozen, so its files with pictures and the ZIP "
            "file no longer exist. The other files can still be downloaded."
        ),
    ),
    "withdrawn": ("已撤回", "已撤回", "withdrawn"),
    "closed": ("已关闭", "已關閉", "closed"),
    "event_published": ("{label} 已发布", "{label} 已發布", "{label} published"),
    "event_gone": ("{label} 有图片被撤回", "{label} 有圖片被撤回", "Pictures of {label} were withdrawn"),
}
_PLACES: Final = {"zh-Hans": 0, "zh-Hant": 1, "en": 2}
WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    language: {code: texts[place] for code, texts in _TEXTS.items()} for language, place in _PLACES.items()
}
