"""What has to be said about a picture, and what cannot be."""

import pytest

from curation.benchmarks import rules as protocol
from curation.benchmarks.queries import preset
from curation.images import errors
from curation.images.rules import InvalidDetail, check_details, missing, team_of

SITE = {
    "code": "flickr",
    "name": {"zh-Hans": "F", "zh-Hant": "F", "en": "F"},
    "hosts": ["flickr.com"],
    "licences": ["CC-BY-4.0"],
}


def limits(**changes):
    given = preset("cvlue").content["images"] | {"sites": [SITE], "quota": None} | changes
    return protocol.Images.model_validate(given)


EXTERNAL = {"source": "external", "url": "https://www.flickr.com/a", "site": "flickr", "licence": "CC-BY-4.0"}


@pytest.mark.parametrize(
    "said",
    [{}, EXTERNAL, {"source": "own", "licence": "own-work"}, {"site": "flickr"}, {"url": "https://live.flickr.com/x"}],
)
def test_what_fits_the_protocol(said):
    check_details(said, limits(), categories=[], teams=[])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"source": "found"}, "source_not_allowed"),
        ({"licence": "all-rights"}, "licence_not_allowed"),
        ({"category": "panda"}, "category_unknown"),
        ({"team": 5}, "not_your_team"),
        ({"site": "elsewhere"}, "site_unknown"),
        ({"site": "", "url": "https://example.org/a"}, "site_not_allowed"),
        ({"url": "https://notflickr.com/a"}, "site_address_elsewhere"),
        ({"url": "https://flickr.com.example.org/a"}, "site_address_elsewhere"),
        ({"licence": "CC0-1.0"}, "site_licence_not_allowed"),
    ],
)
def test_what_does_not_fit_has_its_code(change, code):
    with pytest.raises(InvalidDetail) as refused:
        check_details(EXTERNAL | change, limits(), categories=["lantern"], teams=[4, 7])
    assert refused.value.code == code
    str(errors.DETAIL_ERRORS[code](**refused.value.params))


@pytest.mark.parametrize(
    ("said", "uses", "lacking"),
    [
        ({}, "none", ["source", "licence"]),
        (EXTERNAL, "none", ["author"]),
        ({"source": "external", "licence": "x"}, "ask", ["url", "author", "site"]),
        ({"source": "own", "licence": "x"}, "none", []),
        ({"source": "own", "licence": "x"}, "ask", ["uses"]),
        ({"source": "own", "licence": "x", "uses": {"research": True, "commercial": False}}, "ask", []),
        ({"source": "own", "licence": "x", "waived": True}, "ask", []),
        ({"source": "own", "licence": "x", "uses": {}}, "waive", ["waived"]),
        ({"source": "donated", "licence": "x"}, "none", ["donor_consent"]),
        ({"source": "donated", "licence": "x", "donor_consent": False}, "none", ["donor_consent"]),
        ({"source": "donated", "licence": "x", "donor_consent": True}, "none", []),
    ],
)
def test_what_is_missing(said, uses, lacking):
    assert missing(said, limits(), uses=uses, teams=[]) == lacking


def test_a_category_is_asked_for_where_categories_have_a_quota():
    wanted = limits(quota={"per_category_minimum": 1, "per_category_target": 2})
    assert missing({"source": "own", "licence": "x"}, wanted, uses="none", teams=[]) == ["category"]


@pytest.mark.parametrize(
    ("named", "teams", "team", "lacking"),
    [
        (None, [], None, []),
        (4, [], None, []),
        (None, [4], 4, []),
        (4, [4], 4, []),
        (5, [4], None, ["team"]),
        (None, [4, 7], None, ["team"]),
        (7, [4, 7], 7, []),
        (5, [4, 7], None, ["team"]),
    ],
)
def test_a_picture_is_for_the_team_that_is_named_or_the_only_one(named, teams, team, lacking):
    said = {"source": "own", "licence": "own-work", "team": named}
    assert team_of(said, teams) == team
    assert missing(said, limits(), uses="none", teams=teams) == lacking
