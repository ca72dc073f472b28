"""Model servers are read from the environment; what is malformed or would show a key stops the start."""

import pytest

from config.model_servers import read
from curation.wire.errors import shorten
from curation.wire.servers import is_public


def test_servers_are_read_from_the_environment():
    found = read(["qwen-vl=http://10.0.0.5:8000/v1/", "s=https://h/proxy"], {"MODEL_SERVER_KEY_QWEN_VL": "sesame"})
    assert [(s.name, s.url, s.key) for s in found.values()] == [
        ("qwen-vl", "http://10.0.0.5:8000", "sesame"),
        ("s", "https://h/proxy", ""),
    ]
    assert "sesame" not in repr(found)
    assert "10.0.0.5" not in repr(found)


@pytest.mark.parametrize(
    "entry",
    [
        *("http://10.0.0.5:8000", "a=", "a=ftp://h", "a=http://", "a=http://me:pw@h", "a=http://h?x=1", "a=http://h#x"),
        *("A=http://h", "a b=http://h", "a=http://h:0", "a=http://h:99999", "a=http://h /x", "-a=http://h"),
    ],
)
def test_malformed_servers_stop_the_start(entry):
    with pytest.raises(Exception, match="MODEL_SERVER") as refusal:
        read([entry], {})
    assert "pw" not in str(refusal.value)


def test_doubled_servers_and_stray_keys_stop_the_start():
    with pytest.raises(Exception, match="twice"):
        read(["a=http://h", "a=http://i"], {})
    with pytest.raises(Exception, match="MODEL_SERVER") as refusal:
        read(["a=http://h"], {"MODEL_SERVER_KEY_B": "sesame"}, ["c=https://api.example.com/v1"])
    assert str(refusal.value) == (
        "MODEL_SERVER_KEY_B: no such server; MODEL_SERVERS and HOSTED_MODEL_SERVERS list a, c."
    )
    with pytest.raises(Exception, match="HOSTED_MODEL_SERVERS list none"):
        read([], {"MODEL_SERVER_KEY_B": "sesame"})


def test_what_chat_requests_differ_in_is_read_by_server():
    said = {"MODEL_SERVER_LIMIT_NAME_GPT_5": "max_completion_tokens", "MODEL_SERVER_TEMPERATURE_GPT_5": "none"}
    found = read([], said, ["gpt-5=https://api.example.com/v1", "gpt=https://api.example.com/v1"])
    assert [(s.name, s.limit_name, s.sends_temperature) for s in found.values()] == [
        ("gpt-5", "max_completion_tokens", False),
        ("gpt", "max_tokens", True),
    ]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MODEL_SERVER_LIMIT_NAME_A", "tokens"),
        ("MODEL_SERVER_TEMPERATURE_A", "0.5"),
        ("MODEL_SERVER_LIMIT_NAME_B", "max_tokens"),
        ("MODEL_SERVER_TEMPERATURE_B", "none"),
    ],
)
def test_other_differences_and_those_of_no_server_stop_the_start(variable, value):
    with pytest.raises(Exception, match=variable):
        read(["a=http://h"], {variable: value})


def test_hosted_servers_keep_the_address_of_their_provider():
    found = read(["own=http://10.0.0.5:8000"], {"MODEL_SERVER_KEY_GPT": "sesame"}, ["gpt=https://api.example.com/v1/"])
    assert [(s.name, s.base_url, s.hosted) for s in found.values()] == [
        ("own", "http://10.0.0.5:8000/v1", False),
        ("gpt", "https://api.example.com/v1", True),
    ]
    with pytest.raises(Exception, match="HOSTED_MODEL_SERVERS names a twice"):
        read(["a=http://10.0.0.5"], {}, ["a=https://api.example.com"])


@pytest.mark.parametrize("host", ["api.example.com", "93.184.216.34", "[2606:2800:220:1::1]"])
def test_a_key_over_http_to_a_public_host_stops_the_start(host):
    with pytest.raises(Exception, match="use https") as refusal:
        read([f"a=http://{host}"], {"MODEL_SERVER_KEY_A": "sesame"})
    assert "sesame" not in str(refusal.value)
    assert host not in str(refusal.value)
    with pytest.raises(Exception, match="use https"):
        read([], {}, [f"a=http://{host}/v1"])
    assert read([f"a=https://{host}"], {"MODEL_SERVER_KEY_A": "sesame"})["a"].key == "sesame"
    assert read([f"a=http://{host}"], {})["a"].key == ""  # an own server without a key shows none


@pytest.mark.parametrize(
    "host",
    ["10.0.0.5", "127.0.0.1", "192.168.1.2", "100.64.0.9", "::1", "fd00::1", "gpu1", "gpu1.lab.internal", "a.local."],
)
def test_private_hosts_may_get_a_key_over_http(host):
    assert not is_public(host)


def test_words_are_cut_between_words():
    assert shorten("one  two\nthree", 20) == "one two three"
    assert shorten("reached nobody at all today", 20) == "reached nobody at…"
    assert shorten("灯" * 30, 20) == "灯" * 19 + "…"
