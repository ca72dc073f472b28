"""Downloads of a system's files from a model hub, one commit at a time.

A download has safetensors weights, configurations and tokenizer files; no pickles, and code only if the caller allows
it. The hub's client resolves the revision, but this module reads the bytes, because the client restarts an interrupted
file from the beginning and checks its length only. A file is complete when its hash matches the one that the hub
announced, and the folder gets its final name when all files are complete.

Only the code that downloads imports this module, because the client takes a quarter of a second to load.
"""

from __future__ import annotations

import fnmatch
import hashlib
import logging
import re
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

from curation.wire.errors import shorten
from evaluation.backends.errors import (
    HubFileAltered,
    HubGated,
    HubNotFound,
    HubNoWeights,
    HubUnreachable,
)

log = logging.getLogger(__name__)

#: Files to download, from a repository's top folder only. Other folders have the same weights for other programs.
WEIGHTS: Final = ("model.safetensors", "model-*-of-*.safetensors", "model.safetensors.index.json")
SETTINGS: Final = (
    *("config.json", "generation_config.json", "preprocessor_config.json", "processor_config.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.json", "vocab.txt", "merges.txt", "chat_template.json", "chat_template.jinja"),
    *("spiece.model", "tokenizer.model", "sentencepiece.bpe.model"),
)
CODE: Final = ("*.py",)
_PICKLE_PATTERNS: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")

_TIMEOUT_SECONDS: Final = 30  # without a received byte
_MAX_FAILED_TRIES: Final = 5  # in a row without a received byte; then the caller may try again
_SHA256, _SHA1 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")

Report = Callable[[int, int], None]
RequireSpace = Callable[[int], None]


class HubFile(NamedTuple):
    """A file of a revision as the hub announces it.

    Attributes:
        name: Name in the repository's top folder.
        bytes: Length; None if the hub does not announce it.
        hashes: Expected hashes of the content: SHA-256 as 64 digits, git's blob id as 40.
    """

    name: str
    bytes: int | None
    hashes: tuple[str, ...]


class Snapshot(NamedTuple):
    """A revision of a repository, resolved to a commit."""

    hub_id: str
    commit: str
    files: tuple[HubFile, ...]

    @property
    def bytes(self) -> int:
        """The sum of all lengths that the hub announced."""
        return sum(file.bytes or 0 for file in self.files)


class Hub:
    """A model hub, or a mirror with the same interface."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint.rstrip("/")

    def resolve(self, hub_id: str, revision: str, *, code: bool = False) -> Snapshot:
        """Resolve a revision to its commit and select the files to download.

        Args:
            hub_id: ``owner/name``.
            revision: A branch, a tag, a pull request's ref or a commit.
            code: Download Python modules too.

        Raises:
            HubUnreachable, HubNotFound, HubGated: The hub does not show the revision.
            HubNoWeights: The revision has no safetensors weights.
        """
        with self._translated_errors(hub_id, revision):
            info = HfApi(endpoint=self.endpoint).model_info(
                hub_id, revision=revision, files_metadata=True, timeout=_TIMEOUT_SECONDS
            )
            commit = info.sha or ""
            if not _SHA1.fullmatch(commit):
                raise HubUnreachable(hub=self._host, reason="it named no commit")
            names = sorted(sibling.rfilename for sibling in info.siblings or [])
            selected = select_files(names, code=code)
            if not any(name.endswith(".safetensors") for name in selected):
                pickles = [name for name in names if _matches(name, _PICKLE_PATTERNS)]
                raise HubNoWeights(hub_id=hub_id, revision=revision, pickles=", ".join(pickles[:5]) or "—")
            announced_files = {s.rfilename: s for s in info.siblings or []}
            files = []
            for name in selected:
                announced = announced_files[name]
                lfs = announced.lfs.sha256 if announced.lfs else None
                # Git's blob id of a large file is the hash of its LFS pointer, not of its content.
                hashes = [lfs] if lfs else [announced.blob_id] if announced.blob_id else []
                files.append(self._with_metadata(HubFile(name, announced.size, tuple(hashes)), hub_id, commit))
        return Snapshot(hub_id, commit, tuple(files))

    def fetch(self, snapshot: Snapshot, folder: Path, report: Report, require_space: RequireSpace) -> None:
        """Download a snapshot into a folder; this resumes an earlier, interrupted download.

        Args:
        snapshot: The snapshot.
        folder: The target. It gets this name only when complete; until then, and during a repair, the files are in a
            folder beside it whose name ends with ``.partial``.
        report: Called with bytes done and total bytes after each chunk; an exception from it ends the download.
        require_space: Called with the bytes that are missing, before each file; an exception from it ends the download.

        Raises:
        HubUnreachable, HubNotFound, HubGated: The hub does not serve the files.
        HubFileAltered: A file differs from the announced one; nothing of it is kept.
        OSError: The disk is full.
        """
        partial = folder.with_name(f"{folder.name}.partial")
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.is_dir() and not partial.exists():
            if all(_is_complete(folder / file.name, file) for file in snapshot.files):
                report(snapshot.bytes, snapshot.bytes)
                return
            folder.rename(partial)
        partial.mkdir(exist_ok=True)
        done = 0
        for file in snapshot.files:
            downloaded = sum(path.stat().st_size for path in partial.iterdir() if path.is_file())
            if downloaded < snapshot.bytes:
                require_space(snapshot.bytes - downloaded)  # at each file: other programs write too
            done = self._fetch_file(snapshot, file, partial, done, report)
        names = {file.name for file in snapshot.files}
        for stray in partial.iterdir():
            if stray.name not in names and stray.is_file():
                stray.unlink()
        partial.rename(folder)

    def _fetch_file(self, snapshot: Snapshot, file: HubFile, folder: Path, before: int, report: Report) -> int:
        """Download one file, resuming at the end of its part; return the bytes done so far."""
        whole, part = folder / file.name, folder / f"{file.name}.part"
        if not _is_complete(whole, file):
            whole.unlink(missing_ok=True)
            total = snapshot.bytes
            self._download_rest(snapshot, file, part, lambda here: report(before + here, max(total, before + here)))
            if not _is_complete(part, file):
                part.unlink(missing_ok=True)
                raise HubFileAltered(file=file.name, expected=", ".join(file.hashes) or f"{file.bytes} bytes")
            part.rename(whole)
        return before + whole.stat().st_size

    def _download_rest(self, snapshot: Snapshot, file: HubFile, part: Path, report: Callable[[int], None]) -> None:
        """Download the rest of a file; retry a broken connection while each try receives something."""
        url = hf_hub_url(snapshot.hub_id, file.name, revision=snapshot.commit, endpoint=self.endpoint)
        failed_tries = 0
        while file.bytes is None or _length(part) < file.bytes:
            previous = _length(part)
            try:
                with self._translated_errors(snapshot.hub_id, snapshot.commit):
                    self._download(url, part, report)
            except HubUnreachable as error:
                failed_tries = 0 if _length(part) > previous else failed_tries + 1
                if failed_tries >= _MAX_FAILED_TRIES:
                    raise
                log.warning("%s broke off at %s bytes, going on: %s", file.name, _length(part), error)
                if failed_tries:
                    time.sleep(2**failed_tries)
            else:
                return

    def _download(self, url: str, part: Path, report: Callable[[int], None]) -> None:
        """Append the rest of a file to its part."""
        offset = _length(part)
        headers = {**build_hf_headers(), "Accept-Encoding": "identity"}
        if offset:
            headers["Range"] = f"bytes={offset}-"
        with get_session().stream(
            "GET", url, headers=headers, timeout=_TIMEOUT_SECONDS, follow_redirects=True
        ) as answer:
            hf_raise_for_status(answer)
            resumes = answer.status_code == HTTPStatus.PARTIAL_CONTENT and answer.headers.get(
                "Content-Range", ""
            ).startswith(f"bytes {offset}-")
            with part.open("ab" if resumes else "wb") as stream:
                for chunk in answer.iter_bytes():
                    report(stream.tell())
                    stream.write(chunk)
                    stream.flush()
                report(stream.tell())

    def _with_metadata(self, file: HubFile, hub_id: str, commit: str) -> HubFile:
        """Complete a file's record from the metadata at its own address: commit, length and hash."""
        url = hf_hub_url(hub_id, file.name, revision=commit, endpoint=self.endpoint)
        metadata = get_hf_file_metadata(url, timeout=_TIMEOUT_SECONDS, endpoint=self.endpoint)
        if metadata.commit_hash != commit:
            raise HubUnreachable(
                hub=self._host, reason=f"it answered commit {metadata.commit_hash} when asked {commit}"
            )
        hashes = dict.fromkeys(file.hashes)
        if metadata.etag and (_SHA256.fullmatch(metadata.etag) or _SHA1.fullmatch(metadata.etag)):
            hashes[metadata.etag] = None
        return file._replace(bytes=metadata.size if file.bytes is None else file.bytes, hashes=tuple(hashes))

    @property
    def _host(self) -> str:
        return urlsplit(self.endpoint).netloc or self.endpoint

    @contextmanager
    def _translated_errors(self, hub_id: str, revision: str) -> Iterator[None]:
        """Translate the client's errors into our own."""
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
            raise HubUnreachable(hub=self._host, reason=shorten(f"{type(error).__name__}: {error}", 200)) from error
        except (KeyError, TypeError, ValueError) as error:
            reason = f"its answer has another form ({type(error).__name__}: {error})"
            raise HubUnreachable(hub=self._host, reason=shorten(reason, 200)) from error


def select_files(names: list[str], *, code: bool) -> list[str]:
    """Select a repository's files to download.

    Selects one weights file or its shards, never both, and nothing from folders.

    Args:
        names: All file names.
        code: Include Python modules.
    """
    patterns = [*WEIGHTS, *SETTINGS, *(CODE if code else ())]
    selected = [name for name in names if "/" not in name and _matches(name, patterns)]
    if "model.safetensors" in selected:
        return [name for name in selected if name == "model.safetensors" or not _matches(name, WEIGHTS)]
    return selected


def _matches(name: str, patterns: tuple[str, ...] | list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _is_complete(path: Path, file: HubFile) -> bool:
    """Return whether a file has the announced length and all announced hashes."""
    if not path.is_file():
        return False
    size = path.stat().st_size
    if file.bytes is not None and size != file.bytes:
        return False
    if not file.hashes:
        return file.bytes is not None
    sha256 = hashlib.sha256()
    # Git hashes the object type and the length before the content.
    blob = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            sha256.update(chunk)
            blob.update(chunk)
    return all(announced == (sha256 if len(announced) == 64 else blob).hexdigest() for announced in file.hashes)
