"""The journal of an answering: whole lines only, so that a run killed at any moment goes on where it was.

The first line says what is answered and how. Each further one holds all answers of one chunk. A line that a kill cut
off is removed when the run goes on; nothing else that cannot be read is, because each line may have been paid for.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from evaluation.answering.rules.refusal import AnswerRefused

_VERSION: Final = 1
_BEGIN: Final = b'{"journal":'  # of a header, as it is written
# What a loaded part says of itself that moves its figures by more than rounding.
_NUMERIC: Final = ("dtype", "route")
# What a server reports of itself: its version, the model and its limits.
_REPORTED: Final = ".reported."


class Journal:
    """An open journal; only one process has it.

    Attributes:
        done: How many chunks it holds.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        """Open a journal, or begin one.

        Raises:
            AnswerRefused: Another process has it, it belongs to another setting, is no journal or damaged, or cannot be
                written.
        """
        self.path = path
        self._header = {"journal": _VERSION, **header}
        try:
            # Without a buffer, which would keep what a full disk refused and write it later.
            self._file: IO[bytes] = path.open("ab", buffering=0)
        except OSError as error:
            raise _not_writable(path, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise AnswerRefused("already_running", f"another process is writing {path}") from error
        try:
            self.done = self._repair()
        except AnswerRefused:
            self._file.close()
            raise
        except OSError as error:
            self._file.close()
            raise _not_writable(path, error) from error

    def _repair(self) -> int:
        """Remove a line that was cut off, compare the header, and return how many chunks are there.

        A journal without any chunk begins again: its process was refused by a server, say, and the record corrected.
        """
        chunks, end = -1, 0
        begun: dict[str, Any] = {}
        with self.path.open("rb") as file:
            head = file.read(len(_BEGIN))
            if not _BEGIN.startswith(head):
                raise AnswerRefused("out_exists", f"{self.path} is there and is no journal; name another --out")
            file.seek(0)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                content = _object(line)
                if content is None or (chunks >= 0 and content.get("chunk") != chunks):
                    raise self._damaged(chunks + 2)
                begun = begun or content
                chunks, end = chunks + 1, end + len(line)
        if chunks <= 0:
            self._file.truncate(0)
            self._write(self._header)
            return 0
        self._compare(begun)
        self._file.truncate(end)
        return chunks

    def _compare(self, header: Mapping[str, Any]) -> None:
        here = json.loads(json.dumps(self._header))
        if header != here:
            raise self._differs(_flat(header), _flat(here))

    def compare_system(self, system: Mapping[str, Any]) -> None:
        """Compare what decides on figures with the process that began.

        These are number types, routes, versions of packages, and what a server reports about itself.

        Args:
            system: What the loaded system says of itself, as :meth:`append` gets it with a process' first chunk and
                when it changes.

        Raises:
            AnswerRefused: One of them differs.
        """
        begun = next((chunk["system"] for chunk in self.chunks() if "system" in chunk), None)
        if begun is None:
            return
        before, now = (_numeric(_flat(content)) for content in (begun, json.loads(json.dumps(system))))
        if before != now:
            raise self._differs(before, now)

    def check_keys(self, chunks: Sequence[tuple[str | None, Sequence[str]]]) -> None:
        """Compare what was answered with the questions, in case a line was edited.

        Args:
            chunks: Of each chunk what :meth:`append` notes as ``of``, None without, and the keys of its questions.

        Raises:
            AnswerRefused: A line has other answers than its chunk has questions, or there are too many lines.
        """
        for line, chunk in enumerate(self.chunks(), 2):
            of, keys = chunks[line - 2] if line - 2 < len(chunks) else (None, ())
            records = chunk.get("answers")
            are_records = isinstance(records, list) and all(isinstance(record, dict) for record in records)
            if not are_records or chunk.get("of") != of or not keys:
                raise self._damaged(line)
            if sorted(str(record.get("key")) for record in chunk["answers"]) != sorted(keys):
                raise self._damaged(line)

    def _damaged(self, line: int) -> AnswerRefused:
        reason = f"{self.path}, line {line}, is not what was written; name another --out"
        return AnswerRefused("journal_damaged", reason)

    def _differs(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> AnswerRefused:
        differing = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
        names = sorted(differing - {"digest"} or differing)  # the digest is of all the others
        changes = "; ".join(f"{name} was {before.get(name)}, is {now.get(name)}" for name in names[:5])
        return AnswerRefused(
            "setting_differs", f"{self.path} was begun in another setting ({changes}). Name another --out"
        )

    def append(self, answers: list[dict[str, Any]], **facts: Any) -> None:
        """Write the answers of the next chunk, and wait until they are on the disk.

        Raises:
            AnswerRefused: It cannot be written; what was written before stays.
        """
        self._write({"chunk": self.done, "answers": answers, **facts})
        self.done += 1

    def _write(self, content: Mapping[str, Any]) -> None:
        line = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        left = memoryview(line.encode() + b"\n")
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _not_writable(self.path, error) from error

    def chunks(self) -> Iterator[dict[str, Any]]:
        """Yield every chunk."""
        with self.path.open("rb") as file:
            next(file)
            for line in file:
                yield json.loads(line)

    def close(self) -> None:
        """Let another process have it."""
        self._file.close()


def _not_writable(path: Path, error: OSError) -> AnswerRefused:
    reason = f"{path} cannot be written ({error.strerror}); the same command goes on once it can"
    return AnswerRefused("out_not_writable", reason)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _numeric(system: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts on which figures depend; a device's name and a halved batch are not among them."""
    return {
        name: value
        for name, value in system.items()
        if name.startswith("packages.") or name.rpartition(".")[2] in _NUMERIC or _REPORTED in name
    }


def _flat(content: Any, before: str = "") -> dict[str, Any]:
    if not isinstance(content, dict):
        return {before: content}
    return {
        name: value
        for key, part in content.items()
        for name, value in _flat(part, f"{before}.{key}" if before else str(key)).items()
    }


def write_whole(path: Path, lines: Iterator[str]) -> None:
    """Write a file that appears as a whole or not at all.

    Raises:
        AnswerRefused: It cannot be written.
    """
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise _not_writable(path, error) from error
