"""Fetching a system's files from a model hub, one commit at a time.

Only weights in safetensors, configurations and tokenizers' files are fetched: no pickles, and no code unless the caller
was allowed it. The hub's client finds out what a revision holds; the bytes are read here, because the client starts a
file anew after an interruption and looks at its length only. A file counts once its hash is the one that the hub
announced, and the folder has its final name once all files count.

Imported where a fetch is carried out, because the client takes a quarter of a second to load.
"""

from __future__ import annotations

import errno
import fnmatch
import hashlib
import logging
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpx2
from huggingface_hub import HfApi, get_hf_file_metadata, get_session, hf_hub_url
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.utils import build_hf_headers, hf_raise_for_status

from evaluation.backends.errors import (
    HubFileAltered,
    HubGated,
    HubNotFound,
    HubNoWeights,
    HubUnreachable,
    ModelStoreFull,
    clipped,
)

log = logging.getLogger(__name__)

#: What is fetched, of a repository's top folder only. Other folders hold the same weights for other programs.
WEIGHTS: Final = ("model.safetensors", "model-*-of-*.safetensors", "model.safetensors.index.json")
SETTINGS: Final = (
    *("config.json", "generation_config.json", "preprocessor_config.json", "processor_config.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.json", "vocab.txt", "merges.txt", "chat_template.json", "chat_template.jinja"),
    *("spiece.model", "tokenizer.model", "sentencepiece.bpe.model"),
)
CODE: Final = ("*.py",)
_PICKLED: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")

_SECONDS: Final = 30  # without a byte
_TRIES: Final = 5  # in a row without a byte, then whoever asked may ask again
_ROOM: Final = 64 * 2**20  # bytes that stay free on the disk
_SHA256, _SHA1 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")

Report = Callable[[int, int], None]


class HubFile(NamedTuple):
    """A file of a revision as the hub announced it.

    Attributes:
        name: In the repository's top folder.
        bytes: Its length, None where the hub does not say.
        hashes: What its content must have: SHA-256 as 64 digits, or what git calls it as 40.
    """

    name: str
    bytes: int | None
    hashes: tuple[str, ...]


class Snapshot(NamedTuple):
    """A revision of a repository, resolved to its commit."""

    hub_id: str
    commit: str
    files: tuple[HubFile, ...]

    @property
    def bytes(self) -> int:
        """Of all files, as far as the hub told."""
        return sum(file.bytes or 0 for file in self.files)


class Hub:
    """A model hub, or a mirror that speaks its interface."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint.rstrip("/")

    def resolve(self, hub_id: str, revision: str, *, code: bool = False) -> Snapshot:
        """Find the commit behind a revision, and which of its files are to be fetched.

        Args:
            hub_id: ``owner/name``.
            revision: A branch, a tag, a pull request's ref or a commit.
            code: Fetch Python modules too.

        Raises:
            HubUnreachable, HubNotFound, HubGated: The hub does not show it.
            HubNoWeights: There are no weights in safetensors.
        """
        with self._refusals(hub_id, revision):
            info = HfApi(endpoint=self.endpoint).model_info(
                hub_id, revision=revision, files_metadata=True, timeout=_SECONDS
            )
            commit = info.sha or ""
            if not _SHA1.fullmatch(commit):
                raise HubUnreachable(hub=self._host, reason="it named no commit")
            names = sorted(sibling.rfilename for sibling in info.siblings or [])
            wanted = chosen(names, code=code)
            if not any(name.endswith(".safetensors") for name in wanted):
                pickles = [name for name in names if _matches(name, _PICKLED)]
                raise HubNoWeights(hub_id=hub_id, revision=revision, pickles=", ".join(pickles[:5]) or "—")
            told = {s.rfilename: s for s in info.siblings or []}
            files = []
            for name in wanted:
                announced = told[name]
                lfs = announced.lfs.sha256 if announced.lfs else None
                # What git calls a large file is the name of its pointer, not of its content.
                said = [lfs] if lfs else [announced.blob_id] if announced.blob_id else []
                files.append(self._looked_up(HubFile(name, announced.size, tuple(said)), hub_id, commit))
        return Snapshot(hub_id, commit, tuple(files))

    def fetch(self, snapshot: Snapshot, folder: Path, report: Report) -> None:
        """Fetch a snapshot into a folder; what an earlier try left behind is gone on with.

        Args:
            snapshot: What to fetch.
            folder: Where it is to lie. It has this name only when complete: until then, and while something in it is
                mended, the files lie beside it in one that ends with ``.partial``.
            report: Told bytes done and bytes in all after each piece; whatever it raises ends the fetch.

        Raises:
            HubUnreachable, HubNotFound, HubGated: The hub does not hand it out.
            HubFileAltered: A file is not what was announced; nothing of it is kept.
            ModelStoreFull: No room.
        """
        partial = folder.with_name(f"{folder.name}.partial")
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            if folder.is_dir() and not partial.exists():
                if all(_is_whole(folder / file.name, file) for file in snapshot.files):
                    report(snapshot.bytes, snapshot.bytes)
                    return
                folder.rename(partial)
            partial.mkdir(exist_ok=True)
            self._check_room(snapshot, partial)
            done = 0
            for file in snapshot.files:
                done = self._fetch_file(snapshot, file, partial, done, report)
            wanted = {file.name for file in snapshot.files}
            for stray in partial.iterdir():
                if stray.name not in wanted and stray.is_file():
                    stray.unlink()
            partial.rename(folder)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise ModelStoreFull(free=shutil.disk_usage(partial).free, needed=snapshot.bytes) from error

    def _fetch_file(self, snapshot: Snapshot, file: HubFile, folder: Path, before: int, report: Report) -> int:
        """One file, gone on with where its part ends; returns the bytes done so far."""
        whole, part = folder / file.name, folder / f"{file.name}.part"
        if not _is_whole(whole, file):
            whole.unlink(missing_ok=True)
            total = snapshot.bytes
            self._read_on(snapshot, file, part, lambda here: report(before + here, max(total, before + here)))
            if not _is_whole(part, file):
                part.unlink(missing_ok=True)
                raise HubFileAltered(file=file.name, expected=", ".join(file.hashes) or f"{file.bytes} bytes")
            part.rename(whole)
        return before + whole.stat().st_size

    def _read_on(self, snapshot: Snapshot, file: HubFile, part: Path, report: Callable[[int], None]) -> None:
        """Read to the file's end; a line that breaks is asked again as long as each try brings something."""
        url = hf_hub_url(snapshot.hub_id, file.name, revision=snapshot.commit, endpoint=self.endpoint)
        in_vain = 0
        while file.bytes is None or _length(part) < file.bytes:
            had = _length(part)
            try:
                with self._refusals(snapshot.hub_id, snapshot.commit):
                    self._read(url, part, report)
            except HubUnreachable as error:
                in_vain = 0 if _length(part) > had else in_vain + 1
                if in_vain >= _TRIES:
                    raise
                log.warning("%s broke off at %s bytes, going on: %s", file.name, _length(part), error)
                if in_vain:
                    time.sleep(2**in_vain)
            else:
                return

    def _read(self, url: str, part: Path, report: Callable[[int], None]) -> None:
        """Add the rest of a file to its part."""
        had = _length(part)
        headers = {**build_hf_headers(), "Accept-Encoding": "identity"}
        if had:
            headers["Range"] = f"bytes={had}-"
        with get_session().stream("GET", url, headers=headers, timeout=_SECONDS, follow_redirects=True) as answer:
            hf_raise_for_status(answer)
            goes_on = answer.status_code == HTTPStatus.PARTIAL_CONTENT and answer.headers.get(
                "Content-Range", ""
            ).startswith(f"bytes {had}-")
            with part.open("ab" if goes_on else "wb") as stream:
                for piece in answer.iter_bytes():
                    report(stream.tell())
                    stream.write(piece)
                    stream.flush()
                report(stream.tell())

    def _looked_up(self, file: HubFile, hub_id: str, commit: str) -> HubFile:
        """The file with what its own address says of it: commit, length and the hash it goes by."""
        url = hf_hub_url(hub_id, file.name, revision=commit, endpoint=self.endpoint)
        told = get_hf_file_metadata(url, timeout=_SECONDS, endpoint=self.endpoint)
        if told.commit_hash != commit:
            raise HubUnreachable(hub=self._host, reason=f"it answered commit {told.commit_hash} when asked {commit}")
        hashes = dict.fromkeys(file.hashes)
        if told.etag and (_SHA256.fullmatch(told.etag) or _SHA1.fullmatch(told.etag)):
            hashes[told.etag] = None
        return file._replace(bytes=told.size if file.bytes is None else file.bytes, hashes=tuple(hashes))

    def _check_room(self, snapshot: Snapshot, partial: Path) -> None:
        here = sum(file.stat().st_size for file in partial.iterdir() if file.is_file())
        needed = max(snapshot.bytes - here, 0)
        free = shutil.disk_usage(partial).free
        if needed and free < needed + _ROOM:
            raise ModelStoreFull(free=free, needed=needed)

    @property
    def _host(self) -> str:
        return urlsplit(self.endpoint).netloc or self.endpoint

    @contextmanager
    def _refusals(self, hub_id: str, revision: str) -> Iterator[None]:
        """Say what went wrong in our own codes."""
        try:
            yield
        except GatedRepoError as error:
            raise HubGated(hub_id=hub_id) from error
        except (RepositoryNotFoundError, RevisionNotFoundError) as error:
            raise HubNotFound(hub_id=hub_id, revision=revision) from error
        except HfHubHTTPError as error:
            status = error.response.status_code
            if status == HTTPStatus.NOT_FOUND:
                raise HubNotFound(hub_id=hub_id, revision=revision) from error
            if status == HTTPStatus.FORBIDDEN:
                raise HubGated(hub_id=hub_id) from error
            raise HubUnreachable(hub=self._host, reason=f"it answered {status}") from error
        except (httpx2.HTTPError, ConnectionError) as error:
            raise HubUnreachable(hub=self._host, reason=clipped(f"{type(error).__name__}: {error}", 200)) from error
        except (KeyError, TypeError, ValueError) as error:
            reason = f"its answer has another form ({type(error).__name__}: {error})"
            raise HubUnreachable(hub=self._host, reason=clipped(reason, 200)) from error


def chosen(names: list[str], *, code: bool) -> list[str]:
    """Which of a repository's files are fetched.

    One file of weights or its shards, never both; nothing from folders.

    Args:
        names: All of them.
        code: Python modules too.
    """
    patterns = [*WEIGHTS, *SETTINGS, *(CODE if code else ())]
    found = [name for name in names if "/" not in name and _matches(name, patterns)]
    if "model.safetensors" in found:
        return [name for name in found if name == "model.safetensors" or not _matches(name, WEIGHTS)]
    return found


def _matches(name: str, patterns: tuple[str, ...] | list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _is_whole(path: Path, file: HubFile) -> bool:
    """Whether a file has the announced length and all announced hashes."""
    if not path.is_file():
        return False
    size = path.stat().st_size
    if file.bytes is not None and size != file.bytes:
        return False
    if not file.hashes:
        return file.bytes is not None
    sha256 = hashlib.sha256()
    # Git puts the kind and the length before the content.
    blob = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            sha256.update(piece)
            blob.update(piece)
    return all(said == (sha256 if len(said) == 64 else blob).hexdigest() for said in file.hashes)
