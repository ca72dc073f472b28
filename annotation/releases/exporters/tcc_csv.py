"""TCC-Bench's own format: ``VQA.csv`` with a row for each question in both languages, beside the folder of pictures.

The test split, which is all that TCC-Bench has, is ``VQA.csv``; other splits with items have files of their own.
``Image`` is the path in the folder ``images``, which the release's archive holds. The options are in the order
that the release's seed draws, and ``Answer`` is the letter of the right one. Where answers are withheld it is empty, as
the explanation is, and a key has the letters.

Beside it are the paper's Table 1 with the numbers of Figure 3 as a table, and Figure 3 as a drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.kinds.option_order import LETTERS
from annotation.releases.exporters.base import Content, DrawnOptions, Exporter, Facts, File, Out, Split
from annotation.releases.exporters.cells import line
from annotation.releases.exporters.tcc_tables import CATEGORIES, Statistic, Tables
from annotation.releases.rules import PICTURES, question_id, translated
from curation.charts.bars import bars
from curation.charts.drawing import svg
from curation.lib.spreadsheets import as_text

NAME: Final = "tcc-bench"
STATISTICS: Final = f"{NAME}-statistics.csv"
FIGURE: Final = f"{NAME}-categories.svg"


class TccCsv:
    """The exporter of TCC-Bench's format."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return a table for each split that has items, a key for each that is withheld, and the paper's tables."""
        if facts.kind != "multiple_choice" or not facts.rows:
            return []
        splits = [split for split in facts.splits if split.items]
        # Each record is read twice: for its texts and for its options.
        tables = [File(_table_of(split), split.rows, passes=2) for split in splits]
        keys = [File(f"{NAME}-{s.name}-key.csv", s.rows, passes=2, is_key=True) for s in splits if s.withheld]
        return [*tables, *keys, File(STATISTICS, facts.rows, passes=2), File(FIGURE, facts.rows, passes=2)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one of the files. All but the tables of questions restart, because they are small."""
        if file.is_key:
            _write_key(file, content, out)
        elif file.name == STATISTICS:
            out.file.write(line(Statistic._fields))
            out.file.writelines(line(statistic) for statistic in _tables_of(content).statistics())
        elif file.name == FIGURE:
            out.file.write(_figure_of(content))
        else:
            _write_table(file, content, out)


def _table_of(split: Split) -> str:
    return "VQA.csv" if split.name == "test" else f"{NAME}-{split.name}.csv"


def tables_of(content: Content) -> list[str]:
    """Return the names of a release's tables in this format that are written."""
    return [name for split in content.facts.splits if (name := _table_of(split)) in content.written()]


def _questions(content: Content, rows: range, *, key: bool = False) -> Iterator[tuple[dict[str, Any], DrawnOptions]]:
    return zip(content.records(rows), content.drawn_options(rows, key=key), strict=True)


def _write_table(file: File, content: Content, out: Out) -> None:
    before = out.done // file.passes
    for done, (record, drawn) in enumerate(_questions(content, file.rows[before:]), before + 1):
        row = _row(record, drawn)
        if done == 1:
            out.file.write(line(row))
        out.file.write(line(row.values()))
        out.mark(done * file.passes)


def _write_key(file: File, content: Content, out: Out) -> None:
    out.file.write(line(["id", "Answer"]))
    for record, drawn in _questions(content, file.rows, key=True):
        out.file.write(line([question_id(record), _letter(drawn)]))


def _row(record: Mapping[str, Any], drawn: DrawnOptions) -> dict[str, str]:
    """Return a row by the names of the columns, in their order."""
    letters = LETTERS[: len(drawn.options)]
    explanation = record.get("explanation") or {"local": ""}
    return {
        "id": question_id(record),
        "Image": record["image"].removeprefix(f"{PICTURES}/"),
        "Category": CATEGORIES.get(record["category"], record["category"]),
        "Question": record["question"]["local"],
        **{letter: option["local"] for letter, option in zip(letters, drawn.options, strict=True)},
        "Answer": _letter(drawn),
        "Explanation": explanation["local"],
        "Question_en": translated(record["question"]),
        **{f"{letter}_en": translated(option) for letter, option in zip(letters, drawn.options, strict=True)},
        "Explanation_en": translated(explanation),
    }


def _letter(drawn: DrawnOptions) -> str:
    return "" if drawn.right is None else LETTERS[drawn.right]


def with_apostrophes(record: Mapping[str, Any], drawn: DrawnOptions) -> list[str]:
    """Return the columns whose cells have an apostrophe, because spreadsheets would read their texts as formulas."""
    return [name for name, text in _row(record, drawn).items() if as_text(text) != text]


def _tables_of(content: Content) -> Tables:
    tables = Tables()
    for record, drawn in _questions(content, content.facts.rows):
        tables.add(record, drawn, content.facts.language)
    return tables


def _figure_of(content: Content) -> bytes:
    tables, facts = _tables_of(content), content.facts
    subtitle = f"{facts.slug}, {facts.label}: {tables.questions} questions on {tables.pictures} pictures"
    return svg(bars(tables.categories(), title="Questions by category", subtitle=subtitle, lang="en", theme="light"))


EXPORTER: Final[Exporter] = TccCsv()
