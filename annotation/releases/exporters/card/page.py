"""The data set's card: ``README.md`` with the front matter that Hugging Face's hub and ``datasets`` read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import yaml

from annotation.kinds.registry import KINDS
from annotation.releases.exporters import cvqa_hub, tcc_csv
from annotation.releases.exporters.base import Content, Facts, File, Out, Split, Whole, WholeContent, WholeExporter
from annotation.releases.exporters.card.candidates import candidates
from annotation.releases.exporters.card.letters import letters
from annotation.releases.exporters.card.markdown import cell, escaped_line
from annotation.releases.exporters.card.questions import files_of_questions, questions
from annotation.releases.exporters.card.statistics import statistics_of
from annotation.releases.exporters.card.trials import blind_trials
from annotation.releases.exporters.columns import columns_of
from annotation.releases.exporters.parquet import shards_of
from annotation.releases.rules import PER_PICTURE

NAME: Final = "README.md"


class Card:
    """The exporter of the card."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file, which reads the texts of all splits."""
        return [File(NAME, whole.rows)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write the card. An interrupted one restarts, because its counts are not saved."""
        front = yaml.safe_dump(_front(content), allow_unicode=True, sort_keys=True, width=1_000)
        body = _body_of_several(content) if content.whole.is_mixed else _body(content, content.kinds[0])
        out.file.write(f"---\n{front}---\n\n{chr(10).join(body)}\n".encode())


def _front(content: WholeContent) -> dict[str, Any]:
    whole, facts = content.whole, content.whole.about
    configs = [config for own in content.kinds for config in _configs(own, is_only=not whole.is_mixed)]
    if configs and whole.is_mixed:
        configs[0] = {**configs[0], "default": True}
    tags = list(whole.languages) or [facts.language]
    # The hub's ``language`` takes ISO 639 codes; the tags with script and country are beside it.
    codes = sorted({tag.split("-")[0] for tag in tags})
    front: dict[str, Any] = {
        "pretty_name": facts.title.get("en", facts.slug),
        "language": codes,
        "tags": ["lantern", *(own.kind for own in whole.kinds)],
        "size_categories": [_size(len(whole.rows))],
    }
    if tags != codes:
        front["language_bcp47"] = tags
    if facts.licence == PER_PICTURE:
        front |= {"license": "other", "license_name": PER_PICTURE}
    elif facts.licence:
        front["license"] = facts.licence.lower()
    if configs:
        front["configs"] = configs
    return front


def _configs(content: Content, *, is_only: bool) -> Iterator[dict[str, Any]]:
    """Yield what ``datasets`` loads of a kind, under the kind's name if there are several."""
    kind = content.facts.kind
    for name, prefix in (("default" if is_only else kind, kind), ("cvqa_hub", cvqa_hub.NAME)):
        # Each kind asks for the files of its own formats.
        if (prefix == kind or cvqa_hub.is_written(content)) and (files := _data_files(content, prefix)):
            yield {"config_name": name, "data_files": files}


def _data_files(content: Content, prefix: str) -> list[dict[str, str]]:
    """Return the Parquet files of the splits whose names begin with a prefix, as ``datasets`` reads them."""
    return [
        {"split": split.name, "path": f"{prefix}-{split.name}-*.parquet"}
        for split in content.facts.splits
        if split.items and shards_of(prefix, split)[0].name in content.written()
    ]


def _size(items: int) -> str:
    bounds = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for limit, name in bounds if items < limit), "1M<n<10M")


def _body(content: WholeContent, own: Content) -> Iterator[str]:
    """Yield the card of a release of one kind."""
    for section in (_about, _splits, _changes):
        yield from section(own.facts)
    yield from _licences(content.whole)
    yield from _consent(own.facts)
    yield from _data(content, own)
    yield from _protocol(content.whole)
    yield from _checking(content)


def _body_of_several(content: WholeContent) -> Iterator[str]:
    """Yield the card of a release of several kinds: first what they share, then each kind."""
    whole = content.whole
    yield from _about_several(whole)
    yield from _splits_of_several(whole)
    yield from _licences(whole)
    yield from _consent(whole.about)
    for own in content.kinds:
        yield from ("", f"## Kind `{own.facts.kind}`")
        sections = (_left_out(own.facts), _split_table(own.facts.splits), _changes(own.facts), _data(content, own))
        for section in sections:
            yield from (f"#{line}" if line.startswith("## ") else line for line in section)
    yield from _protocol(whole)
    yield from _checking(content)


def _data(content: WholeContent, own: Content) -> Iterator[str]:
    """Yield what a kind's records consist of."""
    statistics = statistics_of(own)
    yield from _fields(content, own.facts)
    yield from statistics.pictures()
    yield from statistics.items()
    yield from statistics.languages()
    yield from statistics.countries()
    tables = tcc_csv.tables_of(own)
    if statistics.tables is not None:
        yield from questions(statistics.tables)
        yield from files_of_questions(tables, statistics.with_apostrophes)
    if files := [*([f"{cvqa_hub.NAME}-*"] if cvqa_hub.is_written(own) else []), *tables]:
        yield from letters(own.facts, files, statistics.positions)
    yield from candidates(own.facts, statistics.candidates)
    yield from blind_trials(own.facts)


_LEFT_OUT: Final = {
    "item_todo": "items not started",
    "item_made": "items in work, not yet accepted",
    "item_skipped": "items skipped",
    "item_returned": "items returned",
    "item_excluded": "items excluded",
    "picture_without_item": "accepted pictures without an item",
}


def _title(facts: Facts) -> str:
    titles = " · ".join(dict.fromkeys(facts.title[tag] for tag in ("zh-Hans", "zh-Hant", "en") if tag in facts.title))
    return f"# {cell(titles)}: {facts.label}"


def _until(facts: Facts) -> str:
    return f"accepted up to event {facts.event_id} and was frozen at {facts.frozen_at:%Y-%m-%dT%H:%M:%SZ}."


def _not_included(facts: Facts) -> Iterator[str]:
    if facts.left_out:
        counts = ", ".join(f"{n} {_LEFT_OUT[code]}" for code, n in sorted(facts.left_out.items()))
        yield f"Not included: {counts}."


def _left_out(facts: Facts) -> Iterator[str]:
    yield from (line for text in _not_included(facts) for line in ("", text))


def _remarks(facts: Facts) -> Iterator[str]:
    if facts.canary:
        yield from ("", "Please keep the evaluation data out of training corpora. Canary:", f"`{facts.canary}`")
    if facts.notes:
        yield from ("", *(escaped_line(line) for line in facts.notes.splitlines()))


def _about(facts: Facts) -> Iterator[str]:
    yield from (_title(facts), "")
    yield f"A frozen release of the benchmark `{facts.slug}`, kind of annotation `{facts.kind}`. It holds what had been"
    yield _until(facts)
    yield from _not_included(facts)
    yield from _remarks(facts)


def _about_several(whole: Whole) -> Iterator[str]:
    facts = whole.about
    names = ", ".join(f"`{own.kind}`" for own in whole.kinds)
    yield from (_title(facts), "")
    yield f"A frozen release of the benchmark `{facts.slug}` with several kinds of annotation over the same splits:"
    yield f"{names}. It holds what had been"
    yield _until(facts)
    yield from _remarks(facts)
    yield from ("", "## Kinds", "", "| kind | pictures | items | compared with |", "| --- | ---: | ---: | --- |")
    for own in whole.kinds:
        images, items = sum(s.images for s in own.splits), sum(s.items for s in own.splits)
        yield f"| {own.kind} | {images} | {items} | {own.previous or 'none'} |"


def _split_table(splits: Sequence[Split]) -> Iterator[str]:
    yield from ("", "## Splits", "")
    yield from ("| split | share | pictures | items | answers |", "| --- | ---: | ---: | ---: | --- |")
    for split in splits:
        share = "" if split.percent is None else f"{split.percent}%"
        answers = "withheld" if split.withheld else "given"
        yield f"| {split.name} | {share} | {split.images} | {split.items} | {answers} |"
    yield f"| all | | {sum(s.images for s in splits)} | {sum(s.items for s in splits)} | |"


def _draw(facts: Facts) -> Iterator[str]:
    if facts.is_by_task:
        yield f"of `{facts.kind}` alone had put into a split stay there unless that was asked for otherwise; of the"
        yield "others, over all categories, those come first whose number, in decimal digits behind"
    else:
        stay = "had put into a split stay there unless that was asked for otherwise"
        yield f"{stay}; of the others, category by category,"
        yield "those come first whose number, in decimal digits behind"
    yield f'"{facts.seed}:", has the smallest sha256; the seed is {facts.seed}.'


def _splits(facts: Facts) -> Iterator[str]:
    yield from _split_table(facts.splits)
    yield from (
        "",
        "Every picture is in one split, and so is everything made about it. Pictures that an earlier release",
    )
    yield from _draw(facts)


def _splits_of_several(whole: Whole) -> Iterator[str]:
    yield from _split_table(whole.splits)
    yield from ("", "Every picture is in one split, the same for all kinds. Pictures that an earlier release")
    yield from _draw(whole.about)


def _changes(facts: Facts) -> Iterator[str]:
    yield from ("", "## Changes", "")
    if not facts.previous:
        yield "The first release of its kind. `changes.jsonl` is empty."
        return
    counts = ", ".join(f"{facts.changes.get(name, 0)} {name}" for name in ("added", "removed", "changed"))
    yield f"Against `{facts.previous}`: {counts}. `changes.jsonl` names each item."


def _licences(whole: Whole) -> Iterator[str]:
    facts = whole.about
    yield from ("", "## Licences", "")
    licence = "no licence of its own" if facts.licence == PER_PICTURE else cell(facts.licence)
    yield f"The collection is published under {licence or 'no licence of its own'}. Each picture has its"
    yield from ("own licence, listed in `licences.csv` with its source and author:", "")
    yield from ("| licence | pictures |", "| --- | ---: |")
    for licence, count in whole.licences.items():
        yield f"| {cell(licence)} | {count} |"


_DONORS: Final = {
    "ask": "For each picture of their own they said whether it may be used for research and commercially.",
    "waive": "For each picture of their own they waived their rights in it.",
}


def _consent(facts: Facts) -> Iterator[str]:
    consent = facts.consent
    yield from ("", "## Consent", "")
    if not consent:
        yield "The protocol asks contributors for no consent of their own."
        return
    yield f"Contributors agreed to version {consent['version']} of the benchmark's text, sha256 `{consent['sha256']}`,"
    yield "before they gave anything. What had been taken back when the release was frozen is not in it."
    if consent["donors"] in _DONORS:
        yield _DONORS[consent["donors"]]


def _fields(content: WholeContent, facts: Facts) -> Iterator[str]:
    yield from ("", "## Fields", "", "| field | meaning |", "| --- | --- |")
    for name, column in columns_of(facts).items():
        yield f"| {name} | {column.meaning} |"
    if any(name.endswith(".csv") for name in content.written()):
        yield ""
        yield "In `.csv` files, a cell that spreadsheets would take for a formula has an apostrophe before it."


def _protocol(whole: Whole) -> Iterator[str]:
    facts = whole.about
    yield from ("", "## Protocol and versions", "", "| of | version |", "| --- | --- |")
    yield f"| release | {facts.label} |"
    if not whole.is_mixed:  # otherwise the table of kinds says it
        yield f"| compared with | {facts.previous or 'none'} |"
    yield f"| protocol `{facts.protocol_name}` | {facts.protocol_version}, file's sha256 `{facts.protocol_sha256}` |"
    for own in whole.kinds:
        yield f"| shape of `{own.kind}` | {KINDS[own.kind].content_schema} |"


def _checking(content: WholeContent) -> Iterator[str]:
    whole = content.whole
    yield from ("", "## Checking", "")
    if not whole.public_digest:
        yield "`sha256sum --check checksums.txt` compares the files."
        return
    yield "`sha256sum --check checksums.txt` compares the files. The release's digest is the sha256 of all records,"
    order = "kind by kind and in the order of the splits" if whole.is_mixed else "in the order of the splits"
    yield f"answers included, {order}, each as JSON with sorted keys on a line of its own:"
    yield f"`{whole.public_digest}`."
    lines = [f"{own.kind}-{split}.jsonl" for own in whole.kinds for split in own.split_names]
    if content.written().keys() >= set(lines):
        yield from ("", f"`cat {' '.join(lines)} | sha256sum` gives it.")


EXPORTER: Final[WholeExporter] = Card()
