"""The contributor's details of a picture: source, licence, allowed uses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from curation.benchmarks.rules import Images, Site


class InvalidDetail(Exception):
    """A detail is rejected; ``code`` and ``params`` are those of the error (``errors.DETAIL_ERRORS``)."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(code)


def check_details(
    details: Mapping[str, Any],
    limits: Images,
    *,
    categories: Collection[str],
    teams: Collection[int],
    axes: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> None:
    """Check the details so far against the protocol; missing ones are not a fault here.

    Args:
        details: The details so far.
        limits: The protocol's limits for pictures.
        categories: Slugs of categories that the benchmark has.
        teams: The contributor's teams.
        axes: The values of each further dimension.

    Raises:
        InvalidDetail: The first wrong detail.
    """
    source, licence = details.get("source"), details.get("licence")
    if source is not None and source not in limits.sources:
        raise InvalidDetail("source_not_allowed", source=source, allowed=list(limits.sources))
    allowed = [entry.code for entry in limits.licences]
    if licence and licence not in allowed:
        raise InvalidDetail("licence_not_allowed", licence=licence, allowed=allowed)
    category = details.get("category")
    if category and category not in categories:
        raise InvalidDetail("category_unknown", category=category)
    for axis, value in details.get("axes", {}).items():
        if value not in axes.get(axis, ()):
            raise InvalidDetail("axis_value_unknown", axis=axis, value=value)
    team = details.get("team")
    if team is not None and team not in teams:
        raise InvalidDetail("not_your_team", team=team)
    if source in (None, "external"):
        _check_site(details, limits, licence)


def _check_site(details: Mapping[str, Any], limits: Images, licence: str | None) -> None:
    code, url = details.get("site"), details.get("url")
    host = (urlsplit(url).hostname or "") if url else ""
    if url and limits.sites and not code and not any(_is_host_of(host, site) for site in limits.sites):
        raise InvalidDetail("site_not_allowed", host=host, sites=[site.code for site in limits.sites])
    if not code:
        return
    site = next((site for site in limits.sites if site.code == code), None)
    if site is None:
        raise InvalidDetail("site_unknown", site=code, sites=[site.code for site in limits.sites])
    if url and not _is_host_of(host, site):
        raise InvalidDetail("site_address_elsewhere", host=host, site=code, hosts=list(site.hosts))
    if licence and licence not in site.licences:
        raise InvalidDetail("site_licence_not_allowed", licence=licence, site=code, allowed=list(site.licences))


def _is_host_of(host: str, site: Site) -> bool:
    """Return whether a host belongs to a site: ``www.flickr.com`` belongs to ``flickr.com``."""
    return any(host == site_host or host.endswith(f".{site_host}") for site_host in site.hosts)


def merged_axes(before: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Values of dimensions after some were chosen; an empty one removes the dimension's value."""
    return {axis: value for axis, value in {**before, **chosen}.items() if value}


def team_of(details: Mapping[str, Any], teams: Collection[int]) -> int | None:
    """Return the team that a picture belongs to: the one that its details name, or the contributor's only one.

    None if the contributor is in no team, or if it is not known for which of their teams the picture is.
    """
    team_id = details.get("team")
    possible = [team for team in teams if team_id in (None, team)]
    return possible[0] if len(possible) == 1 else None


def missing(details: Mapping[str, Any], limits: Images, *, uses: str, teams: Collection[int]) -> list[str]:
    """List the details that are still required before the picture can be added.

    Args:
        details: The details so far.
        limits: The protocol's limits for pictures.
        uses: The declaration about single pictures (``consent.donors.uses``): ``ask``, ``waive`` or ``none``.
        teams: The contributor's teams; who is in several names one.
    """
    names = [name for name in ("source", "licence") if not details.get(name)]
    if limits.quota is not None and not details.get("category"):
        names.append("category")
    if teams and team_of(details, teams) is None:
        names.append("team")
    match details.get("source"):
        case "external":
            names += [name for name in ("url", "author") if not details.get(name)]
            if limits.sites and not details.get("site"):
                names.append("site")
        case "own" | "donated" as source:
            waived = details.get("waived") is True
            if uses == "ask" and not waived and details.get("uses") is None:
                names.append("uses")
            if uses == "waive" and not waived:
                names.append("waived")
            if source == "donated" and details.get("donor_consent") is not True:
                names.append("donor_consent")
    return names
