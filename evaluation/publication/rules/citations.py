"""How to cite a release: as a sentence, as BibTeX and as a file in the Citation File Format."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final, NamedTuple

import yaml

from curation.charts.latex import escaped

# The Citation File Format takes only names of the SPDX list; a protocol may have licences of its own.
_SPDX: Final = re.compile(r"(CC-BY(-NC)?(-SA|-ND)?-[1-4]\.[05]|CC0-1\.0|Apache-2\.0|MIT|ODbL-1\.0|BSD-[23]-Clause)")


class Citation(NamedTuple):
    """What is cited.

    Attributes:
        authors: People as ``Family, Given``, or names of groups.
        title: The title of the paper or data set.
        year: The year of publication.
        url: Where it can be found: the paper's address if one was typed, otherwise the page's.
        label: The release.
        key: The key of the BibTeX entry.
        licence: The data set's licence.
        published: When the release was published.
    """

    authors: tuple[str, ...]
    title: str
    year: int
    url: str
    label: str
    key: str
    licence: str
    published: date

    def sentence(self) -> str:
        """Return the citation as one line of plain text."""
        names = "; ".join(self.authors)
        return f"{names + '. ' if names else ''}{self.title} ({self.label}). {self.year}. {self.url}"

    def bibtex(self) -> str:
        """Return a BibTeX entry."""
        # Names of groups are in braces, so that BibTeX does not split them at a blank.
        authors = [escaped(name) if "," in name else f"{{{escaped(name)}}}" for name in self.authors]
        fields = {
            "title": f"{{{escaped(self.title)}}}",
            "author": " and ".join(authors),
            "year": str(self.year),
            "version": escaped(self.label),
            "url": re.sub(r"[{}\\\s]", "", self.url),
        }
        lines = [f"  {name:<8}= {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@misc{{{self.key},", *lines, "}"]) + "\n"

    def cff(self) -> str:
        """Return a file in the Citation File Format 1.2.0, which requires an author."""
        content: dict[str, Any] = {
            "cff-version": "1.2.0",
            "message": "If you use this data set, please cite it as below.",
            "type": "dataset",
            "title": self.title,
            "authors": [_author(name) for name in self.authors] or [{"name": self.title}],
            "version": self.label,
            "date-released": self.published,
            "url": self.url,
        }
        if _SPDX.fullmatch(self.licence):
            content["license"] = self.licence
        return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1_000)


def _author(name: str) -> dict[str, str]:
    family, comma, first = name.partition(",")
    return {"family-names": family.strip(), "given-names": first.strip()} if comma else {"name": name}
