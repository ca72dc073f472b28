"""The job that reads a set's files: questions, then pictures, then all entries at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction

from curation.benchmarks.rules import Between
from curation.core import jobs
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.core.text import replace_unshowable
from curation.images.rules import Archive, InvalidFile, clean_file, open_archive
from curation.images.rules import Entry as ArchiveEntry
from curation.images.services.checking import CLEANING_LIMITS
from curation.lib import files
from curation.lib.child_process import ChildFailed, run_in_child
from evaluation.answering.rules.pictures import Finder
from evaluation.answering.rules.reading import read_questions
from evaluation.profiles.gold_files import embedded_pictures, embeds_pictures
from evaluation.profiles.rows import WrongInput
from evaluation.sets import rules
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.rules import Question, SetRefused
from evaluation.sets.services.items import read_release
from evaluation.suites.rules import SUITES, Context, Dialogues, Suite, read_dialogues

#: What is expected of files with which every worker failed: it was killed, or found what no check here knows.
READABLE: Final = "files that a worker can read within its limits"
#: Parts of a set's files that nothing needs once its entries are made.
READ_ONCE: Final = frozenset({"pictures", "dialogues"})
_EVERY: Final = 500  # entries written by one statement
_NAME_BYTES: Final = 200
_END: Final = rules.LONGEST + len("/.jpeg")  # characters of a picture's name with folder and suffix


def read_set(lease: jobs.Lease) -> None:
    """Make the entries of a set; a job's handler. A repeat continues with the pictures that are not stored yet.

    Raises:
        LeaseLost: Another worker has the job.
        StorageFull, StorageUnavailable: The job is tried again.
    """
    row = ItemSet.objects.get(pk=lease.args["set_id"])
    if row.state == ItemSet.State.WAITING:
        _read(row, lease)
    for part in READ_ONCE & row.files.keys():  # also where an earlier run of this job ended before it removed them
        store().remove(row.files[part]["key"])


def _read(row: ItemSet, lease: jobs.Lease) -> None:
    try:
        if row.origin == ItemSet.Origin.RELEASE:
            read_release(row, lease)
            return
        with ExitStack() as stack:
            gold = stack.enter_context(gold_file(row))
            dialogues = None
            if "dialogues" in row.files:
                dialogues = read_dialogues(stack.enter_context(_file_of(row, "dialogues")))
            questions = _questions(SUITES[row.suite], gold, dialogues)
            names = list(dict.fromkeys(question.picture for question in questions if question.picture))
            with disk_full_as_error():
                _store_pictures(row, stack, gold, names, lease)
        _store_entries(row, questions, lease)
    except WrongInput as wrong:
        code = "wrong_row" if wrong.line else "wrong_file"
        if wrong.field == "answer_options" and "dialogues" not in row.files:
            code = "dialogues_needed"
        _refuse(row, SetRefused(code, file=wrong.file, line=wrong.line, field=wrong.field, expected=wrong.expected))
    except SetRefused as refused:
        _refuse(row, refused)


def give_up(job_id: int) -> None:
    """Refuse the set of a job that failed for good, so that its name is free again and its ZIP is not kept.

    The set of a release waits for another job.
    """
    row = ItemSet.objects.get(job_id=job_id)
    if row.origin == ItemSet.Origin.RELEASE:
        return
    _refuse(row, SetRefused("wrong_file", file=row.files["gold"]["name"], expected=READABLE))


def gold_file(row: ItemSet) -> AbstractContextManager[Path]:
    """Return the path of a set's gold file while the context lasts; it ends with the file's own name."""
    return _file_of(row, "gold")


@contextmanager
def _file_of(row: ItemSet, part: str) -> Iterator[Path]:
    """Yield a path to a stored file that ends with its own name, which errors say and scoring reports."""
    facts = row.files[part]
    # What a file system takes as a name; a suffix stays.
    name = facts["name"].encode()[-_NAME_BYTES:].decode(errors="ignore").strip(".") or "file"
    with store().local_path(facts["key"]) as path, tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / name
        place.symlink_to(path.resolve())
        yield place


# --- Questions --------------------------------------------------------------------------------------------------------


def _questions(suite: Suite, gold: Path, dialogues: Dialogues | None) -> list[Question]:
    """Read the questions in every language that all of them have, in the order in which they are asked.

    Raises:
        WrongInput: A row is not of the profile's form, or withholds its right answer.
        SetRefused: There are too many.
    """
    first, *others = suite.sides
    questions = list(_of_side(suite, gold, Context(first, dialogues)))
    if not questions:
        raise WrongInput(gold.name, 0, "", "at least one question")
    for side in others:
        try:
            translated = {question.key: question.texts[side] for question in _of_side(suite, gold, Context(side))}
        except WrongInput:
            continue  # not all are translated: they are asked in their own language alone
        questions = [
            question._replace(texts={**question.texts, side: translated[question.key]}) for question in questions
        ]
    longest: dict[str, int] = {}
    for question in questions:
        longest[question.picture] = max(longest.get(question.picture, 0), question.length)
    # Batches then hold texts of like length, and one that does not fit into memory fails at the start.
    return sorted(questions, key=lambda question: (-longest[question.picture], question.picture))


def _of_side(suite: Suite, gold: Path, context: Context) -> Iterator[Question]:
    number = 0
    for row in read_questions(suite, gold, context):
        for entry, answer in zip(row.entries, row.gold, strict=True):
            number += 1
            if number > rules.MOST_ENTRIES:
                raise SetRefused("too_many_entries", file=gold.name, expected=str(rules.MOST_ENTRIES))
            if answer.gold is None:
                raise WrongInput(gold.name, entry.line, "answer", "the right answer")
            for field, text in (("id", entry.key), ("image", entry.picture), ("image", answer.cluster)):
                if len(text) > rules.LONGEST:
                    raise WrongInput(gold.name, entry.line, field, f"at most {rules.LONGEST} characters")
            texts = rules.stored(entry, row.explanation)
            yield Question(entry.key, entry.line, answer.cluster, dict(answer.tags), answer.gold, {context.side: texts})


# --- Pictures ---------------------------------------------------------------------------------------------------------


def _store_pictures(row: ItemSet, stack: ExitStack, gold: Path, names: Sequence[str], lease: jobs.Lease) -> None:
    """Encode and store the pictures of all questions that are not stored yet.

    Raises:
        SetRefused: One is missing, or no picture.
    """
    if len(names) > rules.MOST_PICTURES:
        raise SetRefused("too_many_entries", file=gold.name, field="image", expected=str(rules.MOST_PICTURES))
    stored = set(SetPicture.objects.filter(set=row).values_list("name", flat=True))
    limits = rules.PictureLimits(Between(minimum=1, maximum=int(settings.UPLOAD_LIMIT_BYTES)))
    if "pictures" in row.files:
        contents = _zipped(row, stack, names, stored)
    elif names and not embeds_pictures(gold):
        raise SetRefused("pictures_needed", file=gold.name, field="image", expected=names[0])
    else:
        contents = ((name, content) for name, content in _inside(gold, names) if name not in stored)
    for done, (name, blocks) in enumerate(contents, len(stored) + 1):
        _store_picture(row, name, blocks, limits)
        stored.add(name)
        lease.progress(done, len(names) + 1)
    if missing := [name for name in names if name not in stored]:
        raise _missing(gold.name, missing)


def _missing(file: str, names: Sequence[str]) -> SetRefused:
    """Say which picture is not there, and how many more."""
    return SetRefused("picture_missing", file=file, field="image", expected=names[0], params={"more": len(names) - 1})


def _zipped(
    row: ItemSet, stack: ExitStack, names: Sequence[str], stored: Iterable[str]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the pictures that questions name from the ZIP."""
    archive_name = row.files["pictures"]["name"]
    file = stack.enter_context(stack.enter_context(_file_of(row, "pictures")).open("rb"))
    try:
        archive: Archive = stack.enter_context(
            open_archive(file, largest=int(settings.UPLOAD_LIMIT_BYTES), most_entries=rules.MOST_PICTURES)
        )
    except InvalidFile as invalid:
        raise SetRefused(
            "archive_refused", file=archive_name, expected=invalid.code, params=invalid.params
        ) from invalid
    # Each is looked for before the first is encoded, which takes a while.
    places = _places(archive, names)
    if missing := [name for name in names if name not in places]:
        raise _missing(archive_name, missing)
    known = set(stored)
    chosen = {name: entry for name, entry in places.items() if name not in known}
    for name, entry in chosen.items():
        if entry is None:
            raise SetRefused("picture_unclear", file=archive_name, field="image", expected=name)
        if entry.refused is not None:
            refused = entry.refused
            raise SetRefused(
                "picture_refused", file=archive_name, field=name, expected=refused.code, params=refused.params
            )
    for name, entry in chosen.items():
        if entry is not None:
            yield name, archive.blocks(entry)


def _places(archive: Archive, names: Sequence[str]) -> dict[str, ArchiveEntry | None]:
    """Return the file of each picture that the archive has, None where several have its name."""
    exact = _by_path(archive.entries)
    folded = _folded(exact)
    finder, without_case = Finder(exact.__contains__), Finder(folded.__contains__)
    places: dict[str, ArchiveEntry | None] = {}
    for name in names:
        if (path := finder.find(name)) is not None:
            places[name] = exact[path]
        elif (path := without_case.find(name.casefold())) is not None:
            places[name] = folded[path]
    return places


def _by_path(entries: Iterable[ArchiveEntry]) -> dict[str, ArchiveEntry | None]:
    """Return the files of an archive by path and by the last parts of it; None where several files fit."""
    by_path: dict[str, ArchiveEntry | None] = {}
    by_end: dict[str, ArchiveEntry | None] = {}
    for entry in entries:
        by_path[entry.path] = None if entry.path in by_path else entry
        # Only what a gold file can name: all ends of a path of thousands of folders take the square of its length.
        tail = entry.path[-_END:]
        at = tail.find("/")
        while at != -1:
            end = tail[at + 1 :]
            by_end[end] = None if end in by_end else entry
            at = tail.find("/", at + 1)
    return by_end | by_path


def _folded(entries: Mapping[str, ArchiveEntry | None]) -> dict[str, ArchiveEntry | None]:
    """Return the same by names without regard to letter case: cameras write ``.JPG`` where lists have ``.jpg``."""
    folded: dict[str, ArchiveEntry | None] = {}
    for path, entry in entries.items():
        name = path.casefold()
        folded[name] = None if folded.get(name, entry) is not entry else entry
    return folded


def _inside(gold: Path, names: Sequence[str]) -> Iterator[tuple[str, Iterable[bytes]]]:
    missing = set(names)
    try:
        for name, content in embedded_pictures(gold):
            if name in missing:
                missing.remove(name)
                yield name, [content]
    except WrongInput:
        return  # no Parquet: the pictures are missing, which the caller says


def _store_picture(row: ItemSet, name: str, blocks: Iterable[bytes], limits: rules.PictureLimits) -> None:
    """Encode one picture from its pixels and store it.

    Raises:
        SetRefused: It is no picture, or costs too much.
    """
    root = Path(settings.MEDIA_ROOT)
    try:
        staged, _, _ = files.stage_blocks(root, blocks, lambda _: require_space())
    except InvalidFile as invalid:
        raise SetRefused("picture_refused", field=name, expected=invalid.code, params=invalid.params) from invalid
    try:
        result = run_in_child(clean_file, CLEANING_LIMITS, staged, limits)
    except ChildFailed as failure:
        raise SetRefused("picture_refused", field=name, expected="image_too_costly") from failure
    finally:
        staged.unlink(missing_ok=True)
    if result.cleaned is None:
        reason = result.invalid or InvalidFile("image_undecodable")
        raise SetRefused("picture_refused", field=name, expected=reason.code, params=reason.params)
    clean = next(one for one in result.cleaned.renditions if one.role == "clean")
    key = f"{row.files['gold']['key'].rpartition('/')[0]}/{clean.sha256}.{clean.extension}"
    encoded = files.stage(root, clean.data)
    try:
        store().put(key, encoded, clean.sha256)
    finally:
        encoded.unlink(missing_ok=True)
    SetPicture.objects.get_or_create(
        set=row,
        name=name,
        defaults={
            "sha256": clean.sha256,
            "bytes": len(clean.data),
            "key": key,
            "width": clean.width,
            "height": clean.height,
        },
    )


# --- Entries ----------------------------------------------------------------------------------------------------------


def _store_entries(row: ItemSet, questions: Sequence[Question], lease: jobs.Lease) -> None:
    pictures = {
        name: (pk, sha256)
        for pk, name, sha256 in SetPicture.objects.filter(set=row).values_list("pk", "name", "sha256")
    }
    nothing: tuple[int | None, str] = (None, "")
    digest = rules.digest_of(
        row.files["gold"]["sha256"],
        ((one.key, one.texts, pictures.get(one.picture, nothing)[1]) for one in questions),
    )
    sides = list(questions[0].texts)
    with transaction.atomic():
        Entry.objects.bulk_create(
            [
                Entry(
                    set=row,
                    no=no,
                    key=one.key,
                    line=one.line,
                    picture_id=pictures.get(one.picture, nothing)[0],
                    cluster=one.cluster,
                    texts=one.texts,
                    gold=one.gold,
                    tags=dict(one.tags),
                )
                for no, one in enumerate(questions, 1)
            ],
            batch_size=_EVERY,
        )
        ItemSet.objects.filter(pk=row.pk, state=ItemSet.State.WAITING).update(
            state=ItemSet.State.READY, sides=sides, size=len(questions), digest=digest
        )
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(1, 1)


def _refuse(row: ItemSet, refused: SetRefused) -> None:
    fault = {
        name: replace_unshowable(value) if isinstance(value, str) else value for name, value in refused.fault.items()
    }
    waiting = ItemSet.objects.filter(pk=row.pk, state=ItemSet.State.WAITING)
    if not waiting.update(state=ItemSet.State.REFUSED, fault=fault):
        return  # it was read, and its job failed afterwards
    # Nothing of a refused set is kept; what is left after a kill, the sweep removes.
    keys = [facts["key"] for facts in row.files.values()]
    store().discard([*keys, *SetPicture.objects.filter(set=row).values_list("key", flat=True)])
