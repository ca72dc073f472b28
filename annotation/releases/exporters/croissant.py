"""Croissant 1.0: a machine-readable description (JSON-LD) of the files and their records.

It describes the JSON lines and the Parquet shards, if the protocol has them: one record set for each kind and split
that is not empty. It does not name files with withheld answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.kinds.published import Column, Shape
from annotation.releases.exporters.base import Facts, File, Out, Split, Whole, WholeContent, WholeExporter
from annotation.releases.exporters.columns import columns_of
from annotation.releases.exporters.parquet import shards_of
from annotation.releases.rules import PER_PICTURE

NAME: Final = "croissant.json"

_OURS: Final = [
    "citeAs",
    "column",
    "examples",
    "extract",
    "field",
    "fileProperty",
    "fileObject",
    "fileSet",
    "format",
    "includes",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
    "data",
    "dataType",
    "equivalentProperty",
]
# Prefixes and the meaning of each key, as in the standard's own examples.
_CONTEXT: Final[Mapping[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _OURS},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}
# Braces and backslashes end a field of BibTeX or begin a command.
_BIBTEX: Final = str.maketrans("{}\\", "()/")
_TYPES: Final = {"string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
# The only list inside a list: x, y, width and height of a box. mlcroissant reads boxes of JSON, not those of Parquet.
_BOX: Final = "cr:BoundingBox"


class Croissant:
    """The exporter of the description."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file, which reads no records."""
        return [File(NAME)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write the description of the files written before."""
        # Pages put the description into a script element as it is, which a tag in a title would end.
        text = json.dumps(described(content), ensure_ascii=False, indent=1).replace("<", "\\u003c")
        out.file.write(f"{text}\n".encode())


def described(content: WholeContent) -> dict[str, Any]:
    """Build the JSON-LD document."""
    whole, facts = content.whole, content.whole.about
    title = facts.title.get("en") or facts.slug
    plain_title = title.translate(_BIBTEX)
    number = facts.label.rpartition("-v")[2]
    note = f", note={{sha256 {whole.public_digest}}}" if whole.public_digest else ""
    about: dict[str, Any] = {
        "@context": dict(_CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{facts.slug}-{facts.label}",
        "description": f"{title}, release {facts.label}: annotations of {_kinds(whole)} with their pictures.",
        "version": f"{number}.0.0",
        "datePublished": f"{facts.frozen_at:%Y-%m-%d}",
        "inLanguage": list(whole.languages) or facts.language,
        "identifier": whole.public_digest or f"{facts.slug}-{facts.label}",
        "citeAs": f"@misc{{{facts.slug}-{facts.label}, title={{{{{plain_title}, release {facts.label}}}}}, "
        f"year={{{facts.frozen_at:%Y}}}{note}}}",
    }
    if facts.licence:
        spdx = facts.licence != PER_PICTURE
        about["license"] = f"https://spdx.org/licenses/{facts.licence}.html" if spdx else facts.licence
    files = {name: w for name, w in content.written().items() if not w.is_key}
    about["distribution"] = [
        *_objects(files),
        *(file_set for own in whole.kinds for file_set in _sets(own, files)),
    ]
    about["recordSet"] = [
        record_set
        for own in whole.kinds
        for split in own.splits
        if split.items
        for record_set in _of(own, split, files, f"{own.kind}-{split.name}" if whole.is_mixed else split.name)
    ]
    return about


def _kinds(whole: Whole) -> str:
    names = [own.kind for own in whole.kinds]
    return f"kinds {', '.join(names)}" if whole.is_mixed else f"kind {names[0]}"


def _objects(files: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    formats = {"jsonl": "application/jsonlines", "parquet": "application/x-parquet"}
    for name, written in files.items():
        if (ending := name.rpartition(".")[2]) in formats:
            yield {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": f"{written.bytes} B",
                "encodingFormat": formats[ending],
                "sha256": written.sha256,
            }


def _shard_set(facts: Facts, split: Split) -> str:
    return f"{facts.kind}-{split.name}-shards"


def _sets(facts: Facts, files: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for split in facts.splits:
        if shards_of(facts.kind, split)[0].name in files:
            yield {
                "@type": "cr:FileSet",
                "@id": _shard_set(facts, split),
                "name": _shard_set(facts, split),
                "encodingFormat": "application/x-parquet",
                "includes": f"{facts.kind}-{split.name}-*.parquet",
            }


def _of(facts: Facts, split: Split, files: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Build the record set of a kind's split, from the lines and the shards."""
    lines = f"{facts.kind}-{split.name}.jsonl"
    if lines in files:
        yield _record_set(facts, name, "records as JSON lines", {"fileObject": {"@id": lines}}, pictures=False)
    if shards_of(facts.kind, split)[0].name in files:
        source = {"fileSet": {"@id": _shard_set(facts, split)}}
        yield _record_set(facts, f"{name}-pictures", "records with their pictures", source, pictures=True)


def _record_set(facts: Facts, name: str, what: str, source: Mapping[str, Any], *, pictures: bool) -> dict[str, Any]:
    fields = [field for column in columns_of(facts).items() for field in _fields(name, *column, source)]
    if pictures:
        picture = {
            "@type": "cr:Field",
            "@id": f"{name}/picture",
            "name": "picture",
            "description": "the picture",
            "dataType": "sc:ImageObject",
            "source": {**source, "extract": {"column": "image"}, "transform": {"jsonPath": "bytes"}},
        }
        others = (field for field in fields if field["name"] != "image" and field["dataType"] != _BOX)
        fields = [picture, *others]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "description": f"{name}: {what}", "field": fields}


def _fields(record_set: str, name: str, column: Column, source: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Build a field for a simple column or a list of simple values; for named parts one field each."""
    shape: Shape = column.shape
    entry = shape[0] if isinstance(shape, list) else shape
    within = "[*]." if isinstance(shape, list) else ""
    for part in entry if isinstance(entry, dict) else [""]:
        of = entry[part] if isinstance(entry, dict) else entry
        full = f"{name}_{part}" if part else name
        read: dict[str, Any] = {**source, "extract": {"column": name}}
        if part:
            read["transform"] = {"jsonPath": f"{within}{part}"}
        field = {
            "@type": "cr:Field",
            "@id": f"{record_set}/{full}",
            "name": full,
            "description": f"{column.meaning}: {part}" if part else column.meaning,
            "dataType": _BOX if isinstance(of, list) else _TYPES[str(of)],
            "source": read,
        }
        yield field | ({"repeated": True} if isinstance(shape, list) else {})


EXPORTER: Final[WholeExporter] = Croissant()
