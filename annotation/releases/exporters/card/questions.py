"""The card's sections on questions as TCC-Bench publishes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotation.releases.exporters.card.markdown import cell
from annotation.releases.exporters.tcc_csv import FIGURE
from annotation.releases.exporters.tcc_tables import PARTS, Tables, unit_of
from annotation.releases.rules import PICTURES


def questions(tables: Tables) -> Iterator[str]:
    """Yield the numbers of the paper's Table 1 and Figure 3."""
    per_picture = f"{tables.questions / tables.pictures:.2f}"
    totals = [str(tables.pictures), str(tables.questions), per_picture, str(tables.options)]
    yield from ("", "## Questions", "")
    yield from _table(("pictures", "questions", "questions per picture", "options"), [totals], texts=0)
    yield ""
    yield "Mean lengths in words, or in characters where a script has no blanks between words. Punctuation is not"
    yield from ("counted, nor what is withheld.", "")
    yield from _table(("language", "unit", *PARTS), (_means(tables, tag) for tag in tables.lengths), texts=2)
    yield from ("", f"![Questions by category]({FIGURE})", "")
    counts = tables.categories().items()
    shares = ((cell(name), str(count), f"{100 * count / tables.questions:.1f}%") for name, count in counts)
    yield from _table(("category", "questions", "share"), shares, texts=1)


def _means(tables: Tables, tag: str) -> list[str]:
    lengths = tables.lengths[tag]
    return [cell(tag), unit_of(tag), *(f"{lengths[part].mean:.1f}" if part in lengths else "" for part in PARTS)]


def files_of_questions(files: Sequence[str], with_apostrophes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield how the files in TCC-Bench's format are read.

    Args:
        files: Their names.
        with_apostrophes: Question → the columns of its cells that have an apostrophe before the text.
    """
    names = ", ".join(f"`{name}`" for name in files)
    yield from ("", "## TCC-Bench's columns", "")
    yield f"{names}: the columns of TCC-Bench's own file. `Image` is a picture's path in the folder `{PICTURES}`."
    if with_apostrophes:
        yield "Each text that spreadsheets would take for a formula has an apostrophe before it that is not part of it:"
        yield ""
        yield from _table(("id", "columns"), ((name, ", ".join(of)) for name, of in with_apostrophes.items()), texts=2)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int) -> Iterator[str]:
    """Yield a table in Markdown, of whose columns the first ``texts`` are no numbers."""
    for row in (head, ["---"] * texts + ["---:"] * (len(head) - texts), *rows):
        yield f"| {' | '.join(row)} |"
