"""The bytes of an archive that is never stored."""

import io
import random
import zipfile
import zlib

import pytest

from annotation.releases.rules.archives import Archive, Entry, Stretch, line_of

FILES = {
    "README.md": b"# Lanterns\n",
    "images/train/1-灯/𠮷 1.webp": bytes(range(256)) * 20,
    "empty.txt": b"",
    "b.jsonl": b"{}\n" * 999,
}


def lines_of(files):
    return b"".join(
        line_of(Entry(name, f"store/{n}", len(content), zlib.crc32(content), n))
        for n, (name, content) in enumerate(files.items(), start=1)
    )


def bytes_of(archive, files, part=None):
    stored = {f"store/{n}": content for n, content in enumerate(files.values(), start=1)}
    return b"".join(
        stored[piece.key][piece.first : piece.first + piece.bytes] if isinstance(piece, Stretch) else piece
        for piece in archive.pieces(part or range(archive.size))
    )


def test_an_archive_has_every_file_under_its_folder():
    archive = Archive(lines_of(FILES), folder="captions-v1")
    whole = bytes_of(archive, FILES)
    assert (len(whole), archive.files) == (archive.size, 4)
    with zipfile.ZipFile(io.BytesIO(whole)) as read:
        assert read.testzip() is None
        assert {name: read.read(name) for name in read.namelist()} == {f"captions-v1/{n}": c for n, c in FILES.items()}


def test_every_range_is_that_of_the_whole():
    archive = Archive(lines_of(FILES), folder="v")
    whole = bytes_of(archive, FILES)
    chance = random.Random(4)
    ends = [(0, 1), (archive.size - 1, archive.size), (0, archive.size)]
    for first, last in ends + [sorted(chance.sample(range(archive.size + 1), 2)) for _ in range(2000)]:
        assert bytes_of(archive, FILES, range(first, last)) == whole[first:last]
    for first in range(archive.size - 400, archive.size):  # the directory, from each of its bytes
        assert bytes_of(archive, FILES, range(first, archive.size)) == whole[first:]


def test_pictures_that_are_left_out_leave_no_trace():
    archive = Archive(lines_of(FILES), folder="v", without={2})
    whole = bytes_of(archive, FILES)
    with zipfile.ZipFile(io.BytesIO(whole)) as read:
        assert read.testzip() is None
        assert read.namelist() == ["v/README.md", "v/empty.txt", "v/b.jsonl"]
    assert "灯".encode() not in whole


def test_an_archive_without_files_can_be_opened():
    with zipfile.ZipFile(io.BytesIO(bytes_of(Archive(b"", folder="v"), {}))) as read:
        assert read.namelist() == []


@pytest.mark.parametrize(("files", "bytes_"), [(70_000, 10), (3, 5_000_000_000)])
def test_zipfile_reads_archives_beyond_the_first_limits(files, bytes_):
    """Only the directory is made: contents of gigabytes are holes in the file that is read."""
    lines = b"".join(line_of(Entry(f"{n}.webp", f"store/{n}", bytes_, 0, n)) for n in range(1, files + 1))
    archive = Archive(lines, folder="v")
    directory = archive._directory

    class Hollow(io.RawIOBase):
        at = 0

        def seekable(self):
            return True

        def readable(self):
            return True

        def seek(self, offset, whence=0):
            self.at = offset + (0, self.at, archive.size)[whence]
            return self.at

        def tell(self):
            return self.at

        def read(self, n=-1):
            stop = archive.size if n < 0 else min(archive.size, self.at + n)
            pieces = archive.pieces(range(self.at, stop))
            content = b"".join(p if isinstance(p, bytes) else bytes(p.bytes) for p in pieces)
            self.at = stop
            return content

    with zipfile.ZipFile(Hollow()) as read:
        infos = read.infolist()
        assert (len(infos), {info.file_size for info in infos}) == (files, {bytes_})
        assert [info.header_offset for info in infos] == list(archive._starts)
        assert read.start_dir == directory
        read.open(infos[-1]).close()  # its local header agrees with the directory
