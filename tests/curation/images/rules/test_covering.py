"""What comes out of a covered region tells nothing of what was there."""

import io

import numpy as np
import pytest
from PIL import Image as Pillow

from curation.images.rules import Region, cover_file, cover_pixels, fault_of, strength, undecided
from curation.images.rules.covering import BLOCK, CELLS, covered_area, iou
from tests.pictures import encode, pixels


def region(box, how="fill", what="face", **more):
    return Region(more.pop("key", "a"), box, what, how, **more)


def covered(picture, *regions):
    copy = picture.copy()
    cover_pixels(copy, regions)
    return copy


def shuffled_in_cells(picture, area, seed):
    """The same picture with the pixels of each cell in another order: the cells' means stay."""
    left, top, right, bottom = area
    part = picture[top:bottom, left:right].copy()
    height, width = part.shape[:2]
    size = min(height, width) / CELLS
    rows, columns = round(height / size), round(width / size)
    chance = np.random.default_rng(seed)
    tops, lefts = (np.linspace(0, n, m + 1).round().astype(int) for n, m in ((height, rows), (width, columns)))
    for r in range(rows):
        for c in range(columns):
            cell = part[tops[r] : tops[r + 1], lefts[c] : lefts[c + 1]]
            flat = cell.reshape(-1, 3)
            cell[:] = chance.permutation(flat).reshape(cell.shape)
    other = picture.copy()
    other[top:bottom, left:right] = part
    return other


@pytest.mark.parametrize("how", ["pixelate", "blur"])
@pytest.mark.parametrize("box", [(100, 90, 120, 96), (37.5, 211.25, 90, 180), (0, 0, 64, 64)])
def test_only_the_means_of_cells_come_out_of_a_region(how, box):
    picture = pixels(640, 480)
    area = covered_area(box, 640, 480)
    first = covered(picture, region(box, how))
    for seed in range(3):
        other = shuffled_in_cells(picture, area, seed)
        assert not np.array_equal(other, picture)
        assert np.array_equal(covered(other, region(box, how)), first)


def test_nothing_comes_out_of_a_filled_region():
    picture, box = pixels(640, 480), (100, 90, 120, 96)
    left, top, right, bottom = covered_area(box, 640, 480)
    first = covered(picture, region(box))
    other = picture.copy()
    other[top:bottom, left:right] = np.random.default_rng(5).integers(0, 256, (bottom - top, right - left, 3))
    assert np.array_equal(covered(other, region(box)), first)
    assert len(np.unique(first[top:bottom, left:right].reshape(-1, 3), axis=0)) == 1
    around = np.concatenate([picture[top - 8 : top, left:right].reshape(-1, 3)]).mean(axis=0)
    assert np.abs(first[top, left].astype(int) - around).max() < 40  # of the colours around it


@pytest.mark.parametrize("how", ["fill", "pixelate", "blur"])
def test_nothing_outside_of_a_region_changes(how):
    picture, box = pixels(640, 480), (200, 100, 100, 100)
    left, top, right, bottom = covered_area(box, 640, 480)
    after = covered(picture, region(box, how))
    inside = np.zeros((480, 640), bool)
    inside[top:bottom, left:right] = True
    assert np.array_equal(after[~inside], picture[~inside])
    assert (after[inside] != picture[inside]).any()


def test_a_region_grows_by_15_percent_to_whole_blocks_and_stays_in_the_picture():
    assert covered_area((100, 100, 100, 100), 640, 480) == (80, 80, 224, 224)
    assert covered_area((0, 0, 10, 10), 640, 480) == (0, 0, 16, 16)
    assert covered_area((600, 450, 40, 30), 640, 480) == (592, 432, 640, 480)
    left, top, right, bottom = covered_area((33.25, 47.5, 61, 70), 1_000, 1_000)
    assert (left % BLOCK, top % BLOCK, right % BLOCK, bottom % BLOCK) == (0, 0, 0, 0)


def test_text_plates_addresses_names_and_small_regions_are_always_filled():
    for what in ("text", "plate", "address", "name"):
        assert strength(region((0, 0, 200, 200), "pixelate", what)) == "fill"
    assert strength(region((0, 0, 200, 47.9), "blur")) == "fill"
    assert strength(region((0, 0, 200, 48), "blur")) == "blur"
    assert strength(region((0, 0, 9, 9), "exempt", "text", reason="a sign of a shop")) == "exempt"


def test_what_overlaps_a_filled_region_shows_nothing_of_it():
    picture = pixels(640, 480)
    filled, soft = region((100, 100, 100, 100), "fill"), region((150, 150, 100, 100), "pixelate", key="b")
    left, top, right, bottom = covered_area(filled.box, 640, 480)
    for order in ((filled, soft), (soft, filled)):
        after = covered(picture, *order)
        assert len(np.unique(after[top:bottom, left:right].reshape(-1, 3), axis=0)) == 1


def test_an_exempt_region_stays():
    picture = pixels(320, 240)
    assert np.array_equal(covered(picture, region((50, 50, 60, 60), "exempt", reason="a statue")), picture)


def test_a_picture_of_regions_only_is_grey():
    picture = pixels(64, 64)
    after = covered(picture, region((0, 0, 64, 64)))
    assert (after == 128).all()


def test_sixty_regions(tmp_path):
    picture = pixels(1_600, 1_200)
    regions = [
        region((20 + 150 * (n % 10), 20 + 190 * (n // 10), 60, 60), ("fill", "pixelate", "blur")[n % 3], key=str(n))
        for n in range(60)
    ]
    assert fault_of(regions, 1_600, 1_200) is None
    path = tmp_path / "clean.png"
    path.write_bytes(encode(picture, "PNG"))
    made = cover_file(path, regions)
    assert [(f.role, f.extension) for f in made.renditions] == [("clean", "png"), ("view", "webp"), ("thumb", "webp")]
    assert (made.renditions[0].width, made.renditions[0].height) == (1_600, 1_200)
    clean = np.asarray(Pillow.open(io.BytesIO(made.renditions[0].data)))
    assert np.array_equal(clean, covered(picture, *regions))


def test_a_photograph_stays_one(tmp_path):
    path = tmp_path / "clean.jpg"
    path.write_bytes(encode(pixels(640, 480), quality=95, subsampling=0))
    made = cover_file(path, [region((100, 100, 80, 80))])
    assert [f.extension for f in made.renditions] == ["jpg", "webp", "webp"]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ([region((0, 0, 0.5, 9))], "outside"),
        ([region((-1, 0, 9, 9))], "outside"),
        ([region((95, 0, 9, 9))], "outside"),
        ([region((0, 0, 9, 9), "exempt")], "reason"),
        ([region((0, 0, 9, 9), "exempt", reason=" ")], "reason"),
        ([region((0, 0, 9, 9), reason="why")], "reason"),
        ([region((0, 0, 9, 9)), region((20, 20, 9, 9))], "twice"),
    ],
)
def test_regions_that_cannot_be_used(bad, fault):
    assert fault_of(bad, 100, 100) == ("a", fault)


def test_what_was_left_visible_is_not_asked_again():
    found = [{"key": "f1", "box": [10, 10, 50, 50]}, {"key": "f2", "box": [100, 100, 50, 50]}]
    assert [f["key"] for f in undecided(found, [], [])] == ["f1", "f2"]
    assert [f["key"] for f in undecided(found, [found[0] | {"how": "exempt"}], [])] == ["f2"]
    assert [f["key"] for f in undecided(found, [], [[12, 12, 50, 50]])] == ["f2"]


@pytest.mark.parametrize(
    ("box", "how", "decides"),
    [
        ([10, 10, 50, 50], "fill", True),
        ([40, 10, 50, 50], "fill", True),  # moved by three fifths
        ([15, 15, 26, 26], "pixelate", True),  # pulled smaller
        ([50, 10, 50, 50], "fill", False),
        ([900, 900, 1, 1], "fill", False),
        ([12, 12, 50, 50], "exempt", True),
        ([15, 15, 26, 26], "exempt", False),
        ([900, 900, 1, 1], "exempt", False),
    ],
)
def test_a_decision_is_about_the_place_that_was_found(box, how, decides):
    found = [{"key": "f1", "box": [10, 10, 50, 50]}]
    assert (undecided(found, [{"key": "f1", "box": box, "how": how}], []) == []) is decides


def test_iou_is_intersection_over_union():
    assert iou([0, 0, 10, 10], [20, 0, 10, 10]) == 0
    assert iou([0, 0, 10, 10], [5, 0, 10, 10]) == pytest.approx(1 / 3)
