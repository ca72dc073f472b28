"""HEIC files with an alpha plane of any size, made of the boxes of a small one (ISO 14496-12, ISO 23008-12)."""

import struct
from pathlib import Path

from curation.benchmarks.rules import Images
from curation.images import rules

_SAMPLE = Path(__file__).parent / "rules" / "rotated.heic"
_WIDTH, _HEIGHT, _DATA = 400, 300, slice(528, 528 + 2_701)  # its one picture
_PICTURE, _ALPHA, _HIDDEN = 1, 2, 3  # ids of items


def with_alpha(width: int, height: int) -> bytes:
    """A picture of 400 x 300 pixels whose alpha plane has another size.

    The plane is a canvas (an ``iovl`` item) on which the same picture is laid, so the file stays at 3 kB.
    """
    sample = _SAMPLE.read_bytes()
    at = sample.index(b"hvcC") - 4
    decoder = sample[at : at + int.from_bytes(sample[at : at + 4], "big")]
    coded = sample[_DATA]
    canvas = struct.pack(">BB4HIIii", 0, 1, *4 * (65_535,), width, height, 0, 0)
    properties = box(
        b"ipco",
        decoder,
        _full(b"ispe", struct.pack(">II", _WIDTH, _HEIGHT)),
        _full(b"ispe", struct.pack(">II", width, height)),
        _full(b"auxC", b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"),
    )
    of_items = b"".join(
        struct.pack(">HBBB", item, 2, *numbers)
        for item, numbers in ((_PICTURE, (129, 2)), (_ALPHA, (3, 4)), (3, (129, 2)))
    )
    kinds = ((_PICTURE, b"hvc1"), (_ALPHA, b"iovl"), (_HIDDEN, b"hvc1"))

    def meta(start: int) -> bytes:
        places = ((_PICTURE, start, coded), (_ALPHA, start + len(coded), canvas), (_HIDDEN, start, coded))
        return _full(
            b"meta",
            _full(b"hdlr", struct.pack(">I4s12xx", 0, b"pict")),
            _full(b"pitm", struct.pack(">H", _PICTURE)),
            _full(
                b"iloc",
                struct.pack(">HH", 0x4400, len(places)),
                *(struct.pack(">HHHII", item, 0, 1, place, len(data)) for item, place, data in places),
            ),
            _full(
                b"iinf",
                struct.pack(">H", len(kinds)),
                *(_full(b"infe", struct.pack(">HH4sx", item, 0, kind), version=2) for item, kind in kinds),
            ),
            box(b"iprp", properties, _full(b"ipma", struct.pack(">I", len(kinds)) + of_items)),
            _full(
                b"iref",
                box(b"auxl", struct.pack(">HHH", _ALPHA, 1, _PICTURE)),
                box(b"dimg", struct.pack(">HHH", _ALPHA, 1, _HIDDEN)),
            ),
        )

    head = sample[:28]
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", coded, canvas)


def box(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def _full(kind: bytes, *content: bytes, version: int = 0) -> bytes:
    return box(kind, struct.pack(">I", version << 24), *content)


def clean_and_measure(path: Path, limits: Images) -> tuple[str, int]:
    """Clean a file; return the code of its refusal, or nothing, and the most bytes of memory of this process."""
    result = rules.clean_file(path, limits)
    (peak,) = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line[:6] == "VmHWM:"]
    return result.invalid.code if result.invalid else "", int(peak) * 1_024
