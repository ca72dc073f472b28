"""What the contributor says about a picture: where it comes from, under which licence, for what it may be used."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from curation.benchmarks.rules import Images, Site


class Refused(Exception):
    """Something that was said and cannot be; ``code`` and ``params`` are those of the refusal (``errors.DETAILS``)."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(code)


def check_details(details: Mapping[str, Any], limits: Images, *, categories: Collection[str]) -> None:
    """Hold what was said so far against the protocol; what was not said is no fault here.

    Raises:
        Refused: The first thing that cannot be.
    """
    source, licence = details.get("source"), details.get("licence")
    if source is not None and source not in limits.sources:
        raise Refused("source_not_allowed", source=source, allowed=list(limits.sources))
    allowed = [entry.code for entry in limits.licences]
    if licence and licence not in allowed:
        raise Refused("licence_not_allowed", licence=licence, allowed=allowed)
    category = details.get("category")
    if category and category not in categories:
        raise Refused("category_unknown", category=category)
    if source in (None, "external"):
        _check_site(details, limits, licence)


def _check_site(details: Mapping[str, Any], limits: Images, licence: str | None) -> None:
    code, url = details.get("site"), details.get("url")
    host = (urlsplit(url).hostname or "") if url else ""
    if url and limits.sites and not code and not any(_lies_on(host, site) for site in limits.sites):
        raise Refused("site_not_allowed", host=host, sites=[site.code for site in limits.sites])
    if not code:
        return
    site = next((site for site in limits.sites if site.code == code), None)
    if site is None:
        raise Refused("site_unknown", site=code, sites=[site.code for site in limits.sites])
    if url and not _lies_on(host, site):
        raise Refused("site_address_elsewhere", host=host, site=code, hosts=list(site.hosts))
    if licence and licence not in site.licences:
        raise Refused("site_licence_not_allowed", licence=licence, site=code, allowed=list(site.licences))


def _lies_on(host: str, site: Site) -> bool:
    """Whether a host is one of a site's or below it, ``www.flickr.com`` below ``flickr.com``."""
    return any(host == known or host.endswith(f".{known}") for known in site.hosts)


def missing(details: Mapping[str, Any], limits: Images, *, uses: str) -> list[str]:
    """Names of what has to be said before the picture can be taken.

    Args:
        details: What was said.
        limits: What the protocol says about pictures.
        uses: What it asks about single pictures (``consent.donors.uses``): ``ask``, ``waive`` or ``none``.
    """
    found = [name for name in ("source", "licence") if not details.get(name)]
    if limits.quota is not None and not details.get("category"):
        found.append("category")
    match details.get("source"):
        case "external":
            found += [name for name in ("url", "author") if not details.get(name)]
            if limits.sites and not details.get("site"):
                found.append("site")
        case "own" | "donated" as source:
            waived = details.get("waived") is True
            if uses == "ask" and not waived and details.get("uses") is None:
                found.append("uses")
            if uses == "waive" and not waived:
                found.append("waived")
            if source == "donated" and details.get("donor_consent") is not True:
                found.append("donor_consent")
    return found
