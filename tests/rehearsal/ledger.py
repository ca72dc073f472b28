"""What the script plans to go wrong, what the people were told was kept, and what the database holds in the end."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import psycopg

from curation.lib.sampling import sample_size

if TYPE_CHECKING:
    from tests.rehearsal.scripts import Script

PACKAGE = 10
PERCENT = 25


@dataclass(frozen=True)
class Size:
    """How large a rehearsal is, and which packages get which mistakes, by their numbers.

    Attributes:
        wrong: every text is wrong and the review overlooks it, so that the inspection must return it.
        sent_back: two texts are wrong and the review sends them back.
        corrected: one text is wrong and the review puts it right.
        copies: items that a second person does, too; a package with one of them has as many in its sample.
        worker_dies_checking: whether a worker dies while pictures are checked; its lease runs for a minute.
    """

    packages: int
    admins: int
    curators: int
    seniors: int
    annotators: int
    wrong: frozenset[int]
    sent_back: frozenset[int]
    corrected: frozenset[int]
    worker_dies_checking: bool = False
    copies: int = 0

    @property
    def pictures(self) -> int:
        """One item each."""
        return self.packages * PACKAGE


FULL = Size(
    24, 2, 4, 6, 30, frozenset({5, 12, 20}), frozenset({7, 18}), frozenset({3, 9, 15}), worker_dies_checking=True
)
SMALL = Size(4, 1, 2, 2, 3, frozenset({2}), frozenset({3}), frozenset({4}))
# Visual questions beside the captions, by the same people, on pictures of subset A.
FULL_QUESTIONS = replace(FULL, packages=6, wrong=frozenset({2}), sent_back=frozenset({4}), corrected=frozenset({5}))
SMALL_QUESTIONS = replace(SMALL, packages=2, wrong=frozenset({1}), sent_back=frozenset({2}), corrected=frozenset())
QUESTIONS = {FULL: FULL_QUESTIONS, SMALL: SMALL_QUESTIONS}
# Boxes on the same pictures; one item in twenty is boxed by two people.
_BOXES = {"wrong": frozenset[int](), "corrected": frozenset[int]()}
FULL_BOXES = replace(FULL, packages=6, sent_back=frozenset({3}), copies=3, **_BOXES)
SMALL_BOXES = replace(SMALL, packages=2, sent_back=frozenset({2}), copies=1, **_BOXES)
BOXES = {FULL: FULL_BOXES, SMALL: SMALL_BOXES}
SENT_BACK_EACH = 2


def expected(size: Size) -> dict[str, int]:
    """What has to stand in the database when everybody has done their part once."""
    returned, sent_back = len(size.wrong) * PACKAGE, len(size.sent_back) * SENT_BACK_EACH
    drawn = sample_size(PACKAGE, PERCENT)
    draws = size.packages + len(size.wrong)
    items = size.pictures + size.copies
    return {
        "pictures": size.pictures,
        "items made": items,
        "packages passed": size.packages,
        "packages returned by inspection": len(size.wrong),
        "items returned by inspection": len(size.wrong) * drawn,
        "items returned by review": sent_back,
        "items corrected by review": len(size.corrected),
        "items written again": returned + sent_back,
        "draws": draws,
        "draws with a seed of their own": draws,
        "items drawn at random": draws * drawn,
        "verdicts of review": items + returned + sent_back,
        "revisions": items + len(size.corrected) + returned + sent_back,
        "pictures done by two people": size.copies,
        "people who did both": 0,
        "items accepted with wrong texts": 0,
        "doubled": 0,
        "lost": 0,
    }


@dataclass
class Ledger:
    """What the server acknowledged, as each person's program noted it."""

    revisions: Counter[tuple[int, int]] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def revision(self, item: int, no: int) -> None:
        """A text was kept."""
        with self._lock:
            self.revisions[item, no] += 1

    def verdict(self, stage: str, item: int, no: int) -> None:
        """A judgement was kept."""
        with self._lock:
            self.verdicts[stage, item, no] += 1

    def progress(self) -> int:
        """Texts and judgements so far."""
        return sum(self.revisions.values()) + sum(self.verdicts.values())


def counted(database: str, slug: str, script: Script) -> dict[str, int]:
    """The same figures as :func:`expected`, read from the tables about one kind of a benchmark."""
    where = f"benchmark_id = (select id from curation_benchmark where slug = '{slug}')"
    here = f"{where} and kind = '{script.kind}'"
    of_items = f"item_id in (select id from annotation_item where {here})"
    judged = f"select count(*) from annotation_verdict where {of_items}"
    with psycopg.connect(database) as connection:

        def one(statement: str) -> int:
            row = connection.execute(statement).fetchone()
            return int(row[0]) if row else 0

        def pairs(statement: str) -> Counter[Any]:
            return Counter(tuple(row) for row in connection.execute(statement).fetchall())

        revisions = pairs(f"select item_id, no from annotation_itemrevision where {of_items}")
        verdicts = pairs(f"select stage, item_id, revision_no from annotation_verdict where {of_items}")
        texts = connection.execute(
            "select i.image_id, r.content from annotation_item i join annotation_itemrevision r"
            f" on r.item_id = i.id and r.no = i.accepted_no where i.state = 'accepted' and i.{here}"
        ).fetchall()
        return {
            "pictures": one(
                f"select count(distinct image_id) from annotation_item where state = 'accepted' and {here}"
            ),
            "items made": one(f"select count(*) from annotation_item where revision_no > 0 and {here}"),
            "packages passed": one(f"select count(*) from annotation_package where state = 'passed' and {here}"),
            "packages returned by inspection": one(
                "select count(*) from annotation_inspection where outcome = 'returned'"
                f" and package_id in (select id from annotation_package where {here})"
            ),
            "items returned by inspection": one(f"{judged} and stage = 'inspection' and outcome = 'wrong'"),
            "items returned by review": one(f"{judged} and stage = 'review' and outcome = 'return'"),
            "items corrected by review": one(f"{judged} and stage = 'review' and outcome = 'correct'"),
            "items written again": one(
                f"select count(*) from annotation_itemrevision where no > 1 and origin = 'annotator' and {of_items}"
            ),
            "draws": one(f"select count(*) from annotation_draw where {here}"),
            "draws with a seed of their own": one(f"select count(distinct seed) from annotation_draw where {here}"),
            "items drawn at random": one(
                f"select count(*) from annotation_drawn where stratum = 'random' and {of_items}"
            ),
            "verdicts of review": one(f"{judged} and stage = 'review'"),
            "revisions": sum(revisions.values()),
            "pictures done by two people": one(
                f"select count(distinct image_id) from annotation_item where copy_no = 1 and revision_no > 0 and {here}"
            ),
            "people who did both": one(
                "select count(*) from (select i.image_id, r.author_id from annotation_item i"
                f" join annotation_itemrevision r on r.item_id = i.id where i.{here}"
                " group by 1, 2 having count(distinct i.copy_no) > 1) as each"
            ),
            "items accepted with wrong texts": sum(script.is_false(image, content) for image, content in texts),
            "doubled": sum((revisions - script.ledger.revisions).values())
            + sum((verdicts - script.ledger.verdicts).values()),
            "lost": sum((script.ledger.revisions - revisions).values())
            + sum((script.ledger.verdicts - verdicts).values()),
        }
