"""The English sentences of errors."""

from curation.people.errors import TokenOperationsRefused


def test_lists_are_written_as_words():
    refused = TokenOperationsRefused(operations=["role_grant", "link_create"])
    assert str(refused) == "Your token cannot allow role_grant, link_create."


def test_a_missing_value_hides_none_of_the_others():
    assert str(TokenOperationsRefused(token=7)) == "Your token cannot allow {operations}. {'token': 7}"
