"""Files at public addresses are fetched with bounds; nothing else is connected to, however the address leads there."""

import gzip
import threading
import time

import httpcore2
import pytest

from curation.wire import public_web
from curation.wire.public_web import FetchFailed, check_url, fetch, is_public
from tests.web import PUBLIC, answer, redirect, serving

PHOTO = bytes(range(256)) * 300


@pytest.fixture
def web(monkeypatch):
    with serving(monkeypatch) as web:
        web.hosts["photos.example"] = [PUBLIC]
        web.pages["/a.jpg"] = PHOTO
        yield web


def fetched(url, largest=1_000_000, seconds=10.0, **options):
    return b"".join(fetch(url, largest=largest, seconds=seconds, user_agent="Lantern (ops@example.org)", **options))


def failure(url, **options):
    with pytest.raises(FetchFailed) as failed:
        fetched(url, **options)
    return failed.value.code, failed.value.params


# --- Addresses


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://photos.example/a.jpg", "https://photos.example/a.jpg"),
        ("HTTP://Photos.Example:80/a.jpg#top", "http://photos.example/a.jpg"),
        ("http://photos.example:443/", "http://photos.example:443/"),
        ("https://例子.测试/图片/照 片.jpg?名=一", None),
        ("https://photos.example/%E5%9B%BE.jpg", "https://photos.example/%E5%9B%BE.jpg"),
    ],
)
def test_web_addresses_are_sent_in_ascii(url, sent):
    if sent is None:
        url = "https://例子.测试/图片/照片.jpg?名=一"
        assert check_url(url).raw_host == b"xn--fsqu00a.xn--0zwm56d"
        assert check_url(url).raw_path == b"/%E5%9B%BE%E7%89%87/%E7%85%A7%E7%89%87.jpg?%E5%90%8D=%E4%B8%80"
    else:
        assert str(check_url(url)) == sent


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://photos.example/a.jpg", "url_not_web"),
        ("file:///etc/passwd", "url_not_web"),
        ("gopher://photos.example/", "url_not_web"),
        ("photos.example/a.jpg", "url_not_web"),
        ("//photos.example/a.jpg", "url_not_web"),
        ("http://me@photos.example/", "url_has_password"),
        ("https://me:secret@photos.example/", "url_has_password"),
        ("http://photos.example:8080/", "url_port_not_allowed"),
        ("http://photos.example:22/", "url_port_not_allowed"),
        ("http://photos.example\\@127.0.0.1/", "url_malformed"),
        ("http:///a.jpg", "url_malformed"),
        ("http://１２７.0.0.1/", "url_malformed"),
        ("http://photos.example/a b.jpg", "url_malformed"),
        ("http://photos.example/\r\nX: y", "url_malformed"),
        ("http://[fe80::1%25eth0]/", "url_malformed"),
        ("http://[::1", "url_malformed"),
        ("http://" + "a" * 254 + "/", "url_malformed"),
        ("http://photos.example/" + "a" * 2_000, "url_too_long"),
    ],
)
def test_other_addresses_are_refused_before_anything_is_resolved(web, url, code):
    assert failure(url)[0] == code
    assert (web.resolved, web.connected) == ([], [])


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.1", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.8.8.8", "169.254.169.254"),
        *("172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"),
        *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        "168.63.129.16",
        *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:93.184.215.14", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"),
        *("100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254"),
        *("fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
    ],
)
def test_special_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1"])
def test_other_addresses_are_public_unless_the_operator_blocks_their_network(address):
    network = public_web.ip_network(f"{address}/24" if "." in address else f"{address}/48", strict=False)
    assert is_public(address)
    assert not is_public(address, [network])


# --- Connections


def test_a_file_is_fetched_from_the_address_that_was_checked(web):
    assert fetched("http://photos.example/a.jpg") == PHOTO
    assert (web.resolved, web.connected) == (["photos.example"], [(PUBLIC, 80)])
    ((host, path, headers),) = web.requests
    assert (host, path, headers["User-Agent"]) == ("photos.example", "/a.jpg", "Lantern (ops@example.org)")
    assert headers["Accept-Encoding"] == "identity"
    assert not {"Cookie", "Authorization", "Referer"} & set(headers)


def test_international_hosts_and_paths_arrive_in_ascii(web):
    web.hosts["xn--fsqu00a.xn--0zwm56d"] = [PUBLIC]
    web.pages["/%E5%9B%BE%E7%89%87/%E7%85%A7%E7%89%87.jpg"] = PHOTO
    assert fetched("http://例子.测试/图片/照片.jpg") == PHOTO


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://inside.example/",
        "http://one-of-two.example/",
        "http://nowhere.example/",
        "http://" + "a" * 70 + ".example/",
    ],
)
def test_what_is_not_public_is_not_connected_to(web, url):
    web.hosts |= {"inside.example": ["10.0.0.7"], "one-of-two.example": [PUBLIC, "192.168.1.1"], "nowhere.example": []}
    assert failure(url)[0] == "url_not_public"
    assert web.connected == []


def test_networks_of_the_operator_are_not_connected_to(web):
    blocked = [public_web.ip_network("93.184.215.0/24")]
    assert failure("http://photos.example/a.jpg", blocked=blocked) == ("url_not_public", {"host": "photos.example"})
    assert web.connected == []


def test_a_name_that_changes_its_address_is_checked_again_and_connected_as_checked(web):
    """Each connection resolves once: what was checked is what is connected to."""
    web.hosts["rebinding.example"] = [[PUBLIC], ["127.0.0.1"]]
    assert fetched("http://rebinding.example/a.jpg") == PHOTO
    assert web.connected == [(PUBLIC, 80)]
    assert failure("http://rebinding.example/a.jpg")[0] == "url_not_public"
    assert web.connected == [(PUBLIC, 80)]


def test_the_next_address_of_a_host_is_tried(web, monkeypatch):
    web.hosts["photos.example"] = ["8.8.4.4", PUBLIC]
    local = public_web.connect

    def refusing(address, *rest):
        if address == "8.8.4.4":
            raise httpcore2.ConnectError("refused")
        return local(address, *rest)

    monkeypatch.setattr(public_web, "connect", refusing)
    assert fetched("http://photos.example/a.jpg") == PHOTO
    web.hosts["photos.example"] = ["8.8.4.4"]
    assert failure("http://photos.example/a.jpg") == ("url_not_connected", {"host": "photos.example"})


def test_a_server_without_a_valid_certificate_is_not_read(web):
    assert failure("https://photos.example/a.jpg") == ("url_not_connected", {"host": "photos.example"})
    assert (web.connected, web.requests) == ([(PUBLIC, 443)], [])


def test_proxies_of_the_environment_are_not_used(web, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert fetched("http://photos.example/a.jpg") == PHOTO


# --- Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_each_host_takes_a_turn(web, status):
    web.hosts["files.example"] = ["8.8.8.8"]
    web.pages |= {"/photo": redirect("//files.example/b", status), "/b": redirect("/a.jpg", status)}
    turns = []
    assert fetched("http://photos.example/photo", before_request=turns.append) == PHOTO
    assert turns == ["photos.example", "files.example", "files.example"]
    assert web.connected == [(PUBLIC, 80), ("8.8.8.8", 80), ("8.8.8.8", 80)]


@pytest.mark.parametrize(
    ("to", "code"),
    [
        ("http://127.0.0.1/", "url_not_public"),
        ("http://169.254.169.254/latest/meta-data/", "url_not_public"),
        ("http://[::ffff:169.254.169.254]/", "url_not_public"),
        ("http://inside.example/", "url_not_public"),
        ("http://photos.example:8080/", "url_redirect_refused"),
        ("http://me:secret@photos.example/a.jpg", "url_redirect_refused"),
        ("file:///etc/passwd", "url_redirect_refused"),
        ("gopher://photos.example/", "url_redirect_refused"),
        ("http://[::1", "url_redirect_refused"),
    ],
)
def test_redirects_inside_or_to_anything_else_are_refused(web, to, code):
    web.hosts["inside.example"] = ["10.0.0.7"]
    web.pages["/photo"] = redirect(to)
    assert failure("http://photos.example/photo")[0] == code
    assert web.connected == [(PUBLIC, 80)]


def test_redirects_are_followed_three_times(web):
    web.pages |= {f"/{n}": redirect(f"/{n + 1}") for n in range(4)} | {"/4": PHOTO}
    assert fetched("http://photos.example/1") == PHOTO
    assert failure("http://photos.example/0") == ("url_redirected_too_often", {"maximum": 3})
    assert len(web.requests) == 4 + 4


# --- Answers


def test_other_statuses_have_no_file(web):
    assert failure("http://photos.example/none") == ("url_status", {"status": 404})
    web.pages["/part"] = answer(PHOTO, 206)
    assert failure("http://photos.example/part") == ("url_status", {"status": 206})
    web.pages["/busy"] = answer(b"", 429, Retry_After="7", Content_Length="0")
    with pytest.raises(FetchFailed) as failed:
        fetched("http://photos.example/busy")
    assert failed.value.pause == 7.0
    web.pages["/busy"] = answer(b"", 503, Retry_After="86400", Content_Length="0")
    with pytest.raises(FetchFailed) as failed:
        fetched("http://photos.example/busy")
    assert failed.value.pause == 60.0


def test_a_file_may_have_just_the_limit_with_and_without_a_length(web):
    web.pages["/endless"] = answer(PHOTO)
    assert fetched("http://photos.example/a.jpg", largest=len(PHOTO)) == PHOTO
    assert fetched("http://photos.example/endless", largest=len(PHOTO)) == PHOTO
    too_large = ("url_file_too_large", {"maximum": len(PHOTO) - 1})
    assert failure("http://photos.example/a.jpg", largest=len(PHOTO) - 1) == too_large
    assert failure("http://photos.example/endless", largest=len(PHOTO) - 1) == too_large


def test_of_a_file_that_is_announced_too_large_nothing_is_read(web):
    web.pages["/huge"] = answer(b"", Content_Length="1000001")
    assert failure("http://photos.example/huge") == ("url_file_too_large", {"maximum": 1_000_000})


def test_an_endless_answer_is_left_at_the_limit(web):
    ended = threading.Event()

    def endless(handler):
        answer(b"")(handler)
        try:
            while True:
                handler.wfile.write(bytes(65_536))
        except OSError:
            ended.set()

    web.pages["/endless"] = endless
    assert failure("http://photos.example/endless", largest=500_000)[0] == "url_file_too_large"
    assert ended.wait(10)


def test_a_file_that_drips_is_left_when_its_time_is_over(web):
    stop = threading.Event()

    def drip(handler):
        answer(b"", Content_Length="1000")(handler)
        while not stop.wait(0.05):
            handler.wfile.write(b".")

    web.pages["/drip"] = drip
    assert failure("http://photos.example/drip", seconds=0.5) == ("url_too_slow", {"seconds": 0})
    stop.set()


def test_the_time_is_that_of_all_redirects_together(web):
    def slow(handler):
        time.sleep(0.4)
        redirect("/next")(handler)

    web.pages |= {"/slow": slow, "/next": slow}
    assert failure("http://photos.example/slow", seconds=0.6)[0] == "url_too_slow"


def test_a_compressed_answer_is_not_unpacked(web):
    bomb = gzip.compress(bytes(50_000_000))
    web.pages["/bomb"] = answer(bomb, Content_Encoding="gzip", Content_Length=str(len(bomb)))
    assert failure("http://photos.example/bomb") == ("url_answer_compressed", {})


def test_a_file_that_ends_early_is_not_kept(web):
    web.pages["/half"] = answer(PHOTO[:1000], Content_Length=str(len(PHOTO)))
    assert failure("http://photos.example/half") == ("url_answer_broken", {})
    web.pages["/noise"] = lambda handler: handler.wfile.write(b"not http at all\r\n\r\n")
    assert failure("http://photos.example/noise") == ("url_answer_broken", {})
