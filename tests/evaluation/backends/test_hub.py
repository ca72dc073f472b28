"""Fetching from a hub that speaks the public one's interface: what is fetched and refused, how it goes on."""

import errno
import hashlib

import pytest

from evaluation.backends import hub as hub_module
from evaluation.backends.errors import (
    HubFileAltered,
    HubGated,
    HubNotFound,
    HubNoWeights,
    HubUnreachable,
)
from evaluation.backends.hub import Hub, select_files
from tests.evaluation.hub_server import COMMIT, HubServer, Repository, git_name

WEIGHTS = bytes(range(256)) * 1200  # 300 KiB: several pieces
FILES = {
    "config.json": b'{"model_type": "clip"}',
    "model.safetensors": WEIGHTS,
    "vocab.txt": "灯\n笼\n".encode(),
    "pytorch_model.bin": b"a pickle",
    "own_clip.py": b"print('code')",
    "README.md": b"# It",
    "onnx/model.safetensors": b"for another program",
}
FETCHED = ["config.json", "model.safetensors", "vocab.txt"]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(hub_module.time, "sleep", lambda _: None)
    with HubServer({"org/it": Repository(dict(FILES), refs=("main", "v1", "refs/pr/3"))}) as running:
        yield running


@pytest.fixture
def hub(server):
    return Hub(server.address)


def fetch(hub, folder, report=lambda done, total: None):
    snapshot = hub.resolve("org/it", "main")
    hub.fetch(snapshot, folder, report, lambda needed: None)
    return snapshot


def contents(folder):
    return {f.name: f.read_bytes() for f in folder.iterdir()}


@pytest.mark.parametrize("revision", ["main", "v1", "refs/pr/3", COMMIT])
def test_a_revision_is_resolved_to_its_commit_and_what_is_fetched(hub, revision):
    snapshot = hub.resolve("org/it", revision)
    assert snapshot.commit == COMMIT
    assert [(f.name, f.bytes, f.hashes) for f in snapshot.files] == [
        ("config.json", 22, (git_name(FILES["config.json"]),)),
        ("model.safetensors", len(WEIGHTS), (hashlib.sha256(WEIGHTS).hexdigest(),)),
        ("vocab.txt", 8, (git_name(FILES["vocab.txt"]),)),
    ]
    assert [f.name for f in hub.resolve("org/it", COMMIT, code=True).files] == [
        "config.json",
        "model.safetensors",
        "own_clip.py",
        "vocab.txt",
    ]


def test_weights_and_settings_of_the_top_folder_and_nothing_else():
    shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json"]
    others = ["open_clip_model.safetensors", "model.fp16.safetensors", "training.json", "a/config.json", "flax.msgpack"]
    assert select_files([*shards, *others, "config.json"], code=False) == [*shards, "config.json"]
    assert select_files([*shards, "model.safetensors"], code=False) == ["model.safetensors"]
    assert select_files(["a.py", "b/c.py", "tokenizer.json"], code=False) == ["tokenizer.json"]
    assert select_files(["a.py", "b/c.py", "tokenizer.json"], code=True) == ["a.py", "tokenizer.json"]


def test_a_snapshot_lies_whole_in_its_folder_and_progress_counts_bytes(hub, tmp_path):
    told = []
    snapshot = fetch(hub, tmp_path / "it" / COMMIT, lambda *at: told.append(at))
    assert contents(tmp_path / "it" / COMMIT) == {name: FILES[name] for name in FETCHED}
    assert [f.name for f in (tmp_path / "it").iterdir()] == [COMMIT]
    assert told[-1] == (snapshot.bytes, snapshot.bytes)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_token_is_not_sent_to_where_large_files_are_kept(server, hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    fetch(hub, tmp_path / "it")
    assert server.tokens == {("hub", "Bearer hf_secret"), ("store", None)}


def test_what_is_here_is_not_fetched_again(server, hub, tmp_path):
    fetch(hub, tmp_path / "it")
    server.asked.clear()
    fetch(hub, tmp_path / "it")
    assert [server.fetched(name) for name in FETCHED] == [[], [], []]
    (tmp_path / "it" / "model.safetensors").write_bytes(b"spoilt")
    (tmp_path / "it" / "vocab.txt").unlink()
    fetch(hub, tmp_path / "it")
    assert [server.fetched(name) for name in FETCHED] == [[], ["-"], ["-"]]
    assert contents(tmp_path / "it") == {name: FILES[name] for name in FETCHED}


def test_a_line_that_breaks_is_asked_for_the_rest(server, hub, tmp_path):
    server.cut["model.safetensors"] = 100_000
    fetch(hub, tmp_path / "it")
    assert server.fetched("model.safetensors") == ["-", "bytes=100000-"]
    assert (tmp_path / "it" / "model.safetensors").read_bytes() == WEIGHTS


class Killed(Exception):
    pass


def test_a_killed_fetch_is_gone_on_with_by_the_next(server, hub, tmp_path):
    def stop(done, total):
        if done > 150_000:
            raise Killed

    with pytest.raises(Killed):
        fetch(hub, tmp_path / "it", stop)
    assert not (tmp_path / "it").exists()
    part = tmp_path / "it.partial" / "model.safetensors.part"
    had = part.stat().st_size
    assert had > 100_000
    assert part.read_bytes() == WEIGHTS[:had]
    server.asked.clear()
    fetch(hub, tmp_path / "it")
    assert [server.fetched(name) for name in FETCHED] == [[], [f"bytes={had}-"], ["-"]]
    assert contents(tmp_path / "it") == {name: FILES[name] for name in FETCHED}
    assert not part.parent.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("model.safetensors", WEIGHTS[:-1] + b"x"), ("config.json", b'{"model_type": "clop"}')],
    ids=["large", "small"],
)
def test_another_content_than_announced_is_thrown_away(server, hub, tmp_path, name, content):
    server.alter[name] = content
    with pytest.raises(HubFileAltered) as refused:
        fetch(hub, tmp_path / "it")
    assert refused.value.params["file"] == name
    assert not (tmp_path / "it").exists()
    assert not (tmp_path / "it.partial" / name).exists()
    assert not (tmp_path / "it.partial" / f"{name}.part").exists()
    server.alter.clear()
    fetch(hub, tmp_path / "it")
    assert (tmp_path / "it" / name).read_bytes() == FILES[name]


def test_pickles_alone_are_refused(server, hub):
    del server.repositories["org/it"].files["model.safetensors"]
    with pytest.raises(HubNoWeights) as refused:
        hub.resolve("org/it", "main")
    assert refused.value.params == {"hub_id": "org/it", "revision": "main", "pickles": "pytorch_model.bin"}


def test_what_the_hub_does_not_show(server, hub):
    with pytest.raises(HubNotFound):
        hub.resolve("org/nowhere", "main")
    with pytest.raises(HubNotFound) as refused:
        hub.resolve("org/it", "v9")
    assert refused.value.params == {"hub_id": "org/it", "revision": "v9"}
    server.repositories["org/it"].gated = True
    with pytest.raises(HubGated):
        hub.resolve("org/it", "main")


def test_nobody_there_and_no_hub(server):
    with HubServer() as gone:
        address = gone.address
    with pytest.raises(HubUnreachable):
        Hub(address).resolve("org/it", "main")
    server.repositories["org/it"].commit = "main"
    with pytest.raises(HubUnreachable) as refused:
        Hub(server.address).resolve("org/it", "main")
    assert refused.value.params == {"hub": server.address.removeprefix("http://"), "reason": "it named no commit"}


def test_space_is_required_for_what_is_missing_before_each_file(hub, tmp_path):
    needed = []

    def full(missing):
        needed.append(missing)
        if len(needed) == 3:
            raise OSError(errno.ENOSPC, "no room")

    snapshot = hub.resolve("org/it", "main")
    with pytest.raises(OSError, match="no room"):
        hub.fetch(snapshot, tmp_path / "it", lambda done, total: None, full)
    sizes = [len(FILES[name]) for name in FETCHED]
    assert needed == [sum(sizes), sum(sizes[1:]), sum(sizes[2:])]
    assert not (tmp_path / "it").exists()
    hub.fetch(snapshot, tmp_path / "it", lambda done, total: None, needed.append)
    assert sorted(contents(tmp_path / "it")) == FETCHED
    assert needed[3:] == [sizes[2]] * 3  # what an earlier try received is not needed again
