"""The one form of JSON: stored digests and files depend on its bytes."""

from curation.lib.canonical import canonical_json


def test_equal_values_have_equal_bytes():
    assert canonical_json({"b": [1, 2.5, None], "a": "灯 \n"}) == '{"a":"灯 \\n","b":[1,2.5,null]}'.encode()
    assert canonical_json({"b": {"d": 1, "c": 2}, "a": 3}) == canonical_json({"a": 3, "b": {"c": 2, "d": 1}})
