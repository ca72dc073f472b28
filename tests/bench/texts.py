"""``python -m tests.bench.texts``: processor time of what reads people's texts, with 10,000 code points of each kind.

An item's fields take 1,000 each, so its ten captions or ten pairs are measured in one call, as a draft is checked.
"""

import time
from collections.abc import Callable
from typing import Any

from annotation.kinds.captions import CaptionSettings
from annotation.kinds.context import Context
from annotation.kinds.overlap import Overlap
from annotation.kinds.registry import KINDS
from annotation.kinds.vqa import VqaSettings
from curation.core import text
from evaluation.profiles import blanks, dialogues, letters
from evaluation.profiles.boxes import predicted_box
from evaluation.profiles.rows import Row

SIZE = 10_000
PARTS = {
    "one letter": "a",
    "rare character": "𠮷",
    "marks on one letter": "\u0301",
    "marks in the wrong order": "\u0301\u0316",
    "jamo": "\u1112\u1161\u11ab",
    "U+FDFA": "\ufdfa",
    "Thai": "ก็ำ",
    "Devanagari": "क्ष्मि",
    "joined emoji": "👩‍👩‍👧‍👦",
    "flags": "🇨🇳",
    "full width": "Ａ１",
    "both directions": "אab1 ",
    "variation selectors": "葛\U000e0100",
    "blanks": " ",
    "pronouns": "他",
    "likely names": "名叫王小",
    "full stops": "。",
    "question particle and blanks": "吗" + " " * 950,
}
REASONS: Any = [{"code": "x", "name": {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}}]
OVERLAP = Overlap(measure="bigram_jaccard", limit_percent=30)
CAPTIONS = CaptionSettings(slots=10, minimum_characters=8, overlap=OVERLAP, review_reasons=REASONS)
PAIRS = VqaSettings(
    slots=10,
    question_minimum_characters=4,
    answer_maximum_characters=20,
    overlap=OVERLAP,
    flags=["pronoun", "low_level", "yes_no", "answer_in_question"],
    review_reasons=REASONS,
)
RESPONSES: dict[str, tuple[Callable[[str], Any], str]] = {
    "letter, announced 3,333 times": (letters.robust, "选A " * (SIZE // 3)),
    "letter, denied 1,666 times": (letters.robust, "not B " * (SIZE // 6)),
    "score, then blanks": (dialogues.vote, "score" + " *" * (SIZE // 2)),
    "box of blanks": (lambda response: predicted_box(Row("", 1, {"response": response})), " " * SIZE),
    "box of one number": (lambda response: predicted_box(Row("", 1, {"response": response})), "1" * SIZE),
    "blank, a number and blanks": (lambda reply: blanks.matches_by_rules("1", reply), "1" + " " * SIZE + "1"),
}


def milliseconds(call: Callable[[], object]) -> float:
    """The least processor time of three calls."""
    took = []
    for _ in range(3):
        started = time.process_time()
        call()
        took.append(time.process_time() - started)
    return min(took) * 1_000


def main() -> None:
    """Print a row for each kind of text, and one for each kind of response."""
    print("| 10,000 code points of | stored | counted | ten captions | ten pairs |\n| --- | --- | --- | --- | --- |")
    for name, part in PARTS.items():
        value = f"a{part * SIZE}"[:SIZE]
        fields = [f"{n}{value[:997]}x" for n in range(10)]
        captions = {"captions": fields}
        pairs = {"pairs": [{"question": field, "answer": field} for field in fields]}
        calls: list[Callable[[], object]] = [
            lambda value=value: text.clean(value),
            lambda value=value: text.count_characters(value),
            lambda captions=captions: KINDS["captions"].check(captions, CAPTIONS, Context(), complete=True),
            lambda pairs=pairs: KINDS["vqa"].check(pairs, PAIRS, Context(), complete=True),
        ]
        print(f"| {name} | {' | '.join(f'{milliseconds(call):.1f}' for call in calls)} |", flush=True)
    for name, (read, response) in RESPONSES.items():
        print(f"| {name} | {milliseconds(lambda read=read, response=response: read(response)):.1f} |", flush=True)


if __name__ == "__main__":
    main()
