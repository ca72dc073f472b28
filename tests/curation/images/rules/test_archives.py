"""ZIP archives from outside: each entry by itself, the whole within bounds."""

import io
import stat
import struct
import zipfile

import pytest

from curation.images.rules import InvalidFile, open_archive
from curation.images.rules import archives as module

LARGEST = 5_000_000


def packed(*entries, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out


def read(file):
    with open_archive(file, largest=LARGEST) as archive:
        return {entry.name: entry.refused and entry.refused.code for entry in archive.entries}


def unpacked(file):
    with open_archive(file, largest=LARGEST) as archive:
        return b"".join(archive.blocks(archive.entries[0]))


def test_files_in_folders_are_read_and_litter_is_left_out():
    file = packed(("a.jpg", b"1"), ("sub/b.png", b"22"), ("__MACOSX/._a.jpg", b"x"), ("sub/.DS_Store", b"x"))
    assert read(file) == {"a.jpg": None, "b.png": None}
    assert unpacked(file) == b"1"


def test_each_bad_entry_has_its_code_and_the_others_go_on():
    link = zipfile.ZipInfo("link.jpg")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    device = zipfile.ZipInfo("device.jpg")
    device.external_attr = (stat.S_IFCHR | 0o666) << 16
    file = packed(
        ("good.jpg", b"1"),
        ("../out.jpg", b"1"),
        ("a/../../out2.jpg", b"1"),
        ("/etc/passwd.jpg", b"1"),
        ("C:\\win.jpg", b"1"),
        (link, b"/etc/passwd"),
        (device, b""),
        ("inner.zip", b"PK"),
        ("photo.php.jpg", b"1"),
        ("turn\u202egpj.jpg", b"1"),
        ("bomb.jpg", bytes(2_000_000)),
    )
    assert read(file) == {
        "good.jpg": None,
        "../out.jpg": "archive_entry_outside",
        "a/../../out2.jpg": "archive_entry_outside",
        "/etc/passwd.jpg": "archive_entry_absolute",
        "C:/win.jpg" if "C:/win.jpg" in read(file) else "C:\\win.jpg": "archive_entry_absolute",
        "link.jpg": "archive_entry_link",
        "device.jpg": "archive_entry_link",
        "inner.zip": "archive_entry_nested",
        "photo.php.jpg": "filename_double_extension",
        "turn\N{REPLACEMENT CHARACTER}gpj.jpg": "filename_direction_control",
        "bomb.jpg": "archive_entry_bomb",
    }


def patched(file, at_local, at_central, value):
    """Overwrite two bytes of the only entry's headers."""
    data = bytearray(file.getvalue())
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    data[local + at_local : local + at_local + 2] = struct.pack("<H", value)
    data[central + at_central : central + at_central + 2] = struct.pack("<H", value)
    return io.BytesIO(bytes(data))


def test_an_encrypted_entry_is_refused():
    assert read(patched(packed(("a.jpg", b"1" * 50)), 6, 8, 1)) == {"a.jpg": "archive_entry_encrypted"}


def test_a_nul_in_a_name_is_refused():
    data = packed(("aXevil.jpg", b"1")).getvalue().replace(b"aXevil", b"a\0evil")
    assert list(read(io.BytesIO(data)).values()) == ["filename_control_character"]


def test_an_entry_that_holds_more_than_it_announced_or_is_damaged_is_refused():
    honest = packed(("a.jpg", bytes(range(256)) * 40))
    data = bytearray(honest.getvalue())
    data[60] ^= 0xFF
    with pytest.raises(InvalidFile) as refused:
        unpacked(io.BytesIO(bytes(data)))
    assert refused.value.code == "archive_entry_damaged"
    lying = bytearray(honest.getvalue())
    central = lying.index(b"PK\x01\x02")
    lying[central + 24 : central + 28] = struct.pack("<I", 10)
    with pytest.raises(InvalidFile) as refused:
        unpacked(io.BytesIO(bytes(lying)))
    assert refused.value.code in {"archive_entry_bomb", "archive_entry_damaged"}


def test_bounds_of_the_whole(monkeypatch):
    for data, code in [(b"PK\x03\x04 no archive", "archive_undecodable"), (b"", "archive_undecodable")]:
        with pytest.raises(InvalidFile) as refused:
            read(io.BytesIO(data))
        assert refused.value.code == code
    with pytest.raises(InvalidFile) as refused:
        read(packed())
    assert refused.value.code == "archive_empty"
    two = packed(("a.jpg", b"1"), ("b.jpg", b"2"))
    monkeypatch.setattr(module, "MOST_ENTRIES", 1)
    with pytest.raises(InvalidFile) as refused:
        read(two)
    assert (refused.value.code, refused.value.params) == ("archive_too_many_files", {"files": 2, "maximum": 1})
    monkeypatch.setattr(module, "MOST_ENTRIES", 10)
    monkeypatch.setattr(module, "MOST_BYTES", 1)
    with pytest.raises(InvalidFile) as refused:
        read(two)
    assert refused.value.code == "archive_too_large"


def test_a_long_list_of_files_is_refused_before_it_is_read(monkeypatch):
    """A list of a million entries has 51 MB or more, and took half a gigabyte as Python objects."""
    data = packed(*((f"{n}.jpg", b"") for n in range(50))).getvalue()
    (size,) = struct.unpack("<L", data[-10:-6])
    assert module._directory_bytes(io.BytesIO(data)) == (size, len(data))
    monkeypatch.setattr(module, "MOST_DIRECTORY_BYTES", size - 1)

    def read_it(*_):
        pytest.fail("the list was read")

    monkeypatch.setattr(zipfile, "ZipFile", read_it)
    for hidden in (
        data,
        # Both numbers of the end say little; the record for large archives, which zipfile believes, tells the truth.
        data[:-22]
        + b"PK\6\6"
        + bytes(36)
        + struct.pack("<QQ", size, 0)
        + b"PK\6\7"
        + bytes(16)
        + data[-22:-10]
        + struct.pack("<LLH", 46, 0, 0),
    ):
        with pytest.raises(InvalidFile) as refused:
            read(io.BytesIO(hidden))
        assert refused.value.code == "archive_directory_too_large"
        assert refused.value.params["maximum"] == size - 1


def test_the_whole_expands_at_most_a_hundredfold():
    """Many entries of less than a megabyte each, of which none is a bomb alone."""
    small = packed(*((f"{n}.jpg", bytes(900_000)) for n in range(30)))
    with pytest.raises(InvalidFile) as refused:
        read(small)
    assert (refused.value.code, refused.value.params) == (
        "archive_too_large",
        {"bytes": 27_000_000, "maximum": 100 * len(small.getvalue())},
    )
    assert set(read(packed(("one.jpg", bytes(900_000)))).values()) != {"archive_too_large"}


def test_an_entry_above_the_pictures_size_is_refused():
    assert read(packed(("big.jpg", bytes(range(256)) * 20_000), method=zipfile.ZIP_STORED)) == {
        "big.jpg": "image_too_large"
    }
