"""A backup and its restore, tried out: equal in every table and every file, and refused when it is not whole."""

import io
import json
import os
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connection

from config.backup import copies, making, restoring
from config.backup.errors import BackupError
from curation.core.models import AuditEvent
from curation.core.stores import store as chosen
from curation.core.stores.bucket import Bucket
from curation.images.models import Rendition
from curation.people.access import load_session, load_token, open_invitation
from curation.people.errors import InvitationRevoked
from curation.people.models import ApiToken, Invitation, PersonSession
from tests import buckets
from tests.annotation import track
from tests.flows.stage import Stage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]


@pytest.fixture
def media(settings, tmp_path):
    """Files as a site has them: pictures, an upload that waits, a release's file, one that is half-written."""
    settings.MEDIA_ROOT = root = tmp_path / "media"
    root.mkdir()
    for place, content in {
        "releases/1/captions-train.jsonl": b'{"caption": "lantern"}\n' * 1000,
        "releases/1/captions-train.jsonl.zst": b"",
        "incoming/0b5f8e8e-0000-4000-8000-000000000001/data": os.urandom(3_000_000),
        "renditions/1/花灯 view.webp": b"\x00\xff" * 10,
        "releases/2/half.jsonl.part": b"half",
    }.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_bytes(content)
    return root


@pytest.fixture
def elsewhere(other_database, media, settings, tmp_path):
    """Moves this process to an empty database and an empty folder."""

    def go():
        other_database(True)
        settings.MEDIA_ROOT = tmp_path / "restored"

    return go


def contents():
    """Rows of every table as text in one order, values of every sequence, names of all that keeps promises.

    The text of a condition is left out: PostgreSQL writes it a little differently once it has read its own.
    """
    with connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public' order by 1")
        tables = [name for (name,) in cursor.fetchall()]
        told = {}
        for table in tables:
            cursor.execute(
                f"select coalesce(md5(string_agg(t::text, chr(10) order by t::text)), ''), count(*) from \"{table}\" t"
            )
            told[table] = cursor.fetchone()
        cursor.execute("select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1")
        told["sequences"] = cursor.fetchall()
        cursor.execute(
            "select conrelid::regclass::text, conname, contype from pg_constraint "
            "where connamespace = 'public'::regnamespace and conrelid <> 0 order by 1, 2"
        )
        told["constraints"] = cursor.fetchall()
        cursor.execute("select tgrelid::regclass::text, tgname from pg_trigger where not tgisinternal order by 1, 2")
        told["triggers"] = cursor.fetchall()
        cursor.execute("select indexname from pg_indexes where schemaname = 'public' order by 1")
        told["indexes"] = cursor.fetchall()
    return told


def files(root: Path):
    return {
        p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file() and p.suffix != ".part"
    }


def test_the_drill(media, elsewhere, tmp_path):
    stage = Stage()
    for number, key in enumerate(sorted(Rendition.objects.values_list("key", flat=True))):
        (media / key).parent.mkdir(parents=True, exist_ok=True)
        (media / key).write_bytes(number.to_bytes(4, "big") * 100)
    saved, kept = contents(), files(media)
    assert sum(1 for rows in saved.values() if isinstance(rows, tuple) and rows[1]) > 25
    out = io.StringIO()
    call_command("backup", tmp_path / "backups", stdout=out)
    [backup] = making.complete_ones(tmp_path / "backups")
    assert out.getvalue().splitlines()[-1] == f"saved in {backup}"
    assert contents() == saved
    out = io.StringIO()
    call_command("check_backup", backup, stdout=out)
    assert out.getvalue().startswith(f"whole: {len(kept)} files, ")
    elsewhere()
    call_command("restore", backup, "--keep-access", stdout=io.StringIO())
    assert contents() == saved
    assert files(site.MEDIA_ROOT) == kept
    # What keeps promises is there too, and numbering goes on.
    last = AuditEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    made = AuditEvent.objects.create(action="tried", target_type="site", target_id=0, label="", data={})
    assert made.pk > last
    with pytest.raises(Exception, match="append"):
        AuditEvent.objects.filter(pk=made.pk).update(label="changed")
    assert stage.rows


ACCESS = {"curation_personsession", "curation_apitoken", "curation_invitation"}


def test_a_restore_ends_all_access_that_the_backup_holds(media, elsewhere, tmp_path, monkeypatch):
    stage = Stage()
    token, link = ApiToken.objects.filter(revoked_at=None).latest("pk"), open_links().latest("pk")
    session = PersonSession.objects.latest("pk").session_key
    assert load_token(token.prefix) is not None
    assert load_session(session) is not None
    used = list(Invitation.objects.exclude(pk__in=open_links()).order_by("pk").values())
    saved, backup = contents(), making.make_backup(tmp_path / "backups")
    elsewhere()

    def dies():
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(restoring.database, "end_access", dies)
        with pytest.raises(KeyboardInterrupt):
            restoring.restore_backup(backup)
    # Interrupted between the end of access and the last step: the same command continues.
    with monkeypatch.context() as interrupted:
        interrupted.setattr(restoring, "grant_application_role", lambda *_: dies())
        with pytest.raises(KeyboardInterrupt):
            restoring.restore_backup(backup)
    call_command("restore", backup, stdout=io.StringIO())
    assert (load_token(token.prefix), load_session(session)) == (None, None)
    with pytest.raises(InvitationRevoked):
        open_invitation(link.token_sha256)
    assert not PersonSession.objects.exists()
    assert not ApiToken.objects.filter(revoked_at=None).exists()
    assert not open_links().exists()
    assert list(Invitation.objects.filter(pk__in=[row["id"] for row in used]).order_by("pk").values()) == used
    restored = contents()
    assert {table for table in saved if restored[table] != saved[table]} == ACCESS
    assert not (site.MEDIA_ROOT / restoring.MARK).exists()
    assert stage.rows


def open_links():
    return Invitation.objects.filter(used_at=None, revoked_at=None)


@pytest.fixture
def backup(media, tmp_path):
    """A small installation's backup."""
    track.new_world(pictures=1)
    return making.make_backup(tmp_path / "backups")


def cut(path: Path):
    os.truncate(path, path.stat().st_size - 1)


def flip(path: Path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


DATA = "media/incoming/0b5f8e8e-0000-4000-8000-000000000001/data"
FAULTS = {
    "named half": lambda b: b.rename(b.with_name(b.name + ".partial")),
    "without its last file": lambda b: (b / "backup.json").unlink(),
    "last file cut": lambda b: cut(b / "backup.json"),
    "another form": lambda b: (b / "backup.json").write_text('{"format": 2}'),
    "dump cut": lambda b: cut(b / "database.dump"),
    "dump changed": lambda b: flip(b / "database.dump"),
    "dump missing": lambda b: (b / "database.dump").unlink(),
    "list cut": lambda b: cut(b / "manifest.jsonl"),
    "file changed": lambda b: flip(b / DATA),
    "file cut": lambda b: cut(b / DATA),
    "file missing": lambda b: (b / DATA).unlink(),
    "file too many": lambda b: (b / "media" / "stray").write_bytes(b"x"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_incomplete_backup_is_rejected_before_anything_starts(backup, elsewhere, fault):
    FAULTS[fault](backup)
    [place] = backup.parent.glob("2*")
    elsewhere()
    with pytest.raises(CommandError, match=r"half|damaged|form"):
        call_command("restore", place, stdout=io.StringIO())
    assert connection.introspection.table_names() == []
    assert not site.MEDIA_ROOT.exists()


def test_a_restore_never_writes_over_rows_or_files(backup, elsewhere, media):
    with pytest.raises(BackupError, match="database is not empty"):
        restoring.restore_backup(backup)
    elsewhere()
    site.MEDIA_ROOT.mkdir()
    (site.MEDIA_ROOT / "mine").write_bytes(b"x")
    with pytest.raises(BackupError, match="is not empty"):
        restoring.restore_backup(backup)
    assert connection.introspection.table_names() == []
    assert files(site.MEDIA_ROOT) == {"mine": b"x"}


def test_a_backup_of_a_newer_version_is_refused(backup, elsewhere, monkeypatch):
    elsewhere()
    monkeypatch.setattr(restoring.database, "known_migrations", set)
    with pytest.raises(BackupError, match="newer version"):
        restoring.restore_backup(backup)
    assert connection.introspection.table_names() == []


def test_an_interrupted_restore_goes_on(backup, elsewhere, media, monkeypatch):
    saved, copied = contents(), []
    real = copies.copy

    def dies_at_the_third(source, target):
        if len(copied) == 2:
            raise KeyboardInterrupt
        copied.append(target)
        return real(source, target)

    elsewhere()
    monkeypatch.setattr(copies, "copy", dies_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        restoring.restore_backup(backup)
    monkeypatch.setattr(copies, "copy", lambda s, t: copied.append(t) or real(s, t))
    restoring.restore_backup(backup)
    assert contents() == saved
    assert files(site.MEDIA_ROOT) == files(media)
    assert len(copied) == len(set(copied)) == 4
    # Ended between the last row and the last word: the same command finds that all is there.
    (site.MEDIA_ROOT / restoring.MARK).write_text(backup.name)
    restoring.restore_backup(backup)
    assert not (site.MEDIA_ROOT / restoring.MARK).exists()


@pytest.mark.parametrize("mark", ["first", "second"])
def test_a_crash_while_the_mark_is_written_leaves_a_restore_that_goes_on(backup, elsewhere, monkeypatch, mark):
    saved = contents()

    def crash(*_):
        raise KeyboardInterrupt

    def crash_half_way(path, text):
        path.open("w").close()
        crash()

    elsewhere()
    with monkeypatch.context() as step:

        def next_write_crashes():
            step.setattr(Path, "write_text", crash_half_way)
            step.setattr(os, "fsync", crash)

        if mark == "first":
            step.setattr(restoring, "store", lambda: next_write_crashes() or chosen())
        else:
            compare = restoring._compare_tables
            step.setattr(restoring, "_compare_tables", lambda summary: compare(summary) or next_write_crashes())
        with pytest.raises(KeyboardInterrupt):
            restoring.restore_backup(backup)
    restoring.restore_backup(backup, keep_access=True)
    assert contents() == saved
    assert [path.name for path in site.MEDIA_ROOT.glob("backup.*")] == []


def test_rows_that_arrive_differently_are_noticed(backup, elsewhere, monkeypatch):
    told = json.loads((backup / "backup.json").read_text())
    told["tables"]["curation_person"]["checksum"] += "1"
    (backup / "backup.json").write_text(json.dumps(told))
    elsewhere()
    with pytest.raises(BackupError, match="differs from what was saved in curation_person"):
        restoring.restore_backup(backup)


def test_an_interrupted_backup_goes_on_with_what_it_has(media, tmp_path, monkeypatch):
    copied, real = [], copies.copy

    def dies_at_the_second(source, target):
        if len(copied) == 1:
            raise KeyboardInterrupt
        copied.append(source.name)
        return real(source, target)

    monkeypatch.setattr(copies, "copy", dies_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        making.make_backup(tmp_path / "backups")
    [half] = (tmp_path / "backups").glob("*.partial")
    assert making.complete_ones(tmp_path / "backups") == []
    (media / "releases/1/captions-train.jsonl").write_bytes(b"changed meanwhile")
    monkeypatch.setattr(copies, "copy", lambda s, t: copied.append(s.name) or real(s, t))
    made = making.make_backup(tmp_path / "backups")
    assert (made, half.exists()) == (half.with_suffix(""), False)
    assert sorted(copied) == sorted(["data", "captions-train.jsonl", "captions-train.jsonl.zst", "花灯 view.webp"])
    assert files(made / "media") == files(media)
    restoring.check_backup(made)


def test_what_has_not_changed_is_a_second_name_of_the_last_backups_copy(media, tmp_path, monkeypatch):
    folder = tmp_path / "backups"
    first = making.make_backup(folder)
    first = first.rename(folder / "20200101T000000Z")
    same, gone, changed = (
        "renditions/1/花灯 view.webp",
        "releases/1/captions-train.jsonl.zst",
        "releases/1/captions-train.jsonl",
    )
    (media / gone).unlink()
    (media / changed).write_bytes(b"new")
    second = making.make_backup(folder)
    assert (second / "media" / same).samefile(first / "media" / same)
    assert (second / "media" / changed).read_bytes() == b"new"
    assert not (second / "media" / gone).exists()
    assert (first / "media" / changed).read_bytes() == b'{"caption": "lantern"}\n' * 1000
    for each in (first, second):
        restoring.check_backup(each)
    second = second.rename(folder / "20200102T000000Z")
    third = making.make_backup(folder, keep=2)
    assert making.complete_ones(folder) == [second, third]
    restoring.check_backup(second)


def test_missing_files_of_rows_are_reported(media, tmp_path):
    track.new_world(pictures=1)
    keys = set(Rendition.objects.values_list("key", flat=True))
    lost = min(keys)
    for key in keys - {lost}:
        (media / key).parent.mkdir(parents=True, exist_ok=True)
        (media / key).write_bytes(b"x")
    (media / lost).unlink(missing_ok=True)
    told = restoring.check_backup(making.make_backup(tmp_path / "backups"))
    assert told["missing"] == [lost]


def test_two_backups_at_once_and_a_full_disk_are_refused(media, tmp_path, monkeypatch):
    folder = tmp_path / "backups"
    folder.mkdir()
    with making._exclusive(folder), pytest.raises(BackupError, match="under way"):
        making.make_backup(folder)
    monkeypatch.setattr(making, "SPARE_BYTES", 10**15)
    with pytest.raises(BackupError, match="no room"):
        making.make_backup(folder)
    assert making.complete_ones(folder) == []


def test_the_drill_with_a_bucket(bucket, other_database, settings, tmp_path, monkeypatch, stop_storage):
    track.new_world(pictures=1)
    (site.MEDIA_ROOT / "incoming").mkdir(parents=True)
    (site.MEDIA_ROOT / "incoming/tmp1").write_bytes(b"in flux")
    finished = {key: os.urandom(1000) for key in [*Rendition.objects.values_list("key", flat=True), "releases/1/a.csv"]}
    for key, content in finished.items():
        buckets.client().put_object(Bucket=bucket["bucket"], Key=f"a/team/{key}", Body=content)
    saved, everything = contents(), finished | {"incoming/tmp1": b"in flux"}
    first = making.make_backup(tmp_path / "backups")
    assert files(first / "media") == everything
    assert restoring.check_backup(first)["missing"] == []
    # The next one fetches nothing that has not changed.
    first = first.rename(first.with_name("20200101T000000Z"))
    monkeypatch.setattr(Bucket, "fetch", lambda *_: pytest.fail("fetched again"))
    second = making.make_backup(tmp_path / "backups")
    monkeypatch.undo()
    assert (second / "media/releases/1/a.csv").samefile(first / "media/releases/1/a.csv")
    settings.MEDIA_ROOT = tmp_path / "restored"
    other_database(True)
    restart = stop_storage()
    with pytest.raises(CommandError, match="file storage does not respond"):
        call_command("restore", second, stdout=io.StringIO())
    restart()
    with pytest.raises(BackupError, match="bucket is not empty"):
        restoring.restore_backup(second)
    assert connection.introspection.table_names() == []
    settings.OBJECT_STORE = buckets.fresh()
    for _ in range(2):  # the second as if the first had been ended just before its last word
        restoring.restore_backup(second)
        assert contents() == saved
        assert {f.key: chosen().read(f.key) for f in chosen().list_files()} == finished
        assert files(site.MEDIA_ROOT) == {"incoming/tmp1": b"in flux"}
        (site.MEDIA_ROOT / restoring.MARK).write_text(second.name)
