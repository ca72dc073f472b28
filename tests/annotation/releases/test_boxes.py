"""Releases of boxes: what the database counts for the check of subsets, and that copies are never in them."""

import json
import uuid

import pytest

from annotation.items.models import Item, ItemRevision
from annotation.kinds.base import Finding
from annotation.releases import services
from annotation.releases.queries.snapshots import snapshot
from curation.core import jobs
from curation.images.models import Image
from curation.taxonomy.models import Category
from tests.annotation.releases import content as releases
from tests.boxes import TWO, boxes_protocol, boxes_world, build, drawing

pytestmark = pytest.mark.django_db


def accept(item, who, content, findings=(), reasons=None):
    ItemRevision.objects.create(
        item=item,
        no=1,
        author=who,
        origin="annotator",
        content=content,
        findings=[finding.as_json() for finding in findings],
        reasons=reasons or {},
        protocol=item.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=item.pk).update(state="accepted", revision_no=1, accepted_no=1)


def test_boxes_of_the_main_category_are_counted_and_copies_left_out():
    here = boxes_world(4, size=2)
    build(here)
    first, second, *others = Item.objects.filter(copy_no=0).order_by("number")
    accept(first, here.annotator, TWO)
    accept(second, here.annotator, drawing(("panda", (0, 0, 50, 50)), ("bowl", (60, 60, 50, 50))))
    copies = list(Item.objects.filter(copy_no=1))
    assert copies
    for copy in copies:
        accept(copy, here.annotator2, TWO)
    now = snapshot(here.benchmark.pk, {"boxes": "A"}, keeps_splits=False)
    [own] = now.kinds
    assert [candidate.item_id for candidate in own.candidates] == [first.pk, second.pk]
    assert own.main_boxes == {first.pk: 2, second.pk: 1}
    assert own.unfinished == []
    assert own.outside == {"todo": len(others)}


def test_boxes_kept_with_a_reason_for_too_few_are_not_counted_until_the_picture_has_another_category():
    here = boxes_world(2, size=2)
    build(here)
    first, second = Item.objects.filter(copy_no=0).order_by("number")
    params = {"count": 1, "minimum": 2, "category": "panda"}
    few = Finding("too_few_of_main", "boxes", "error", params, overridable=True)
    accept(first, here.annotator, drawing(("panda", (0, 0, 50, 50))), [few], {"too_few_of_main": "one hides the other"})
    accept(second, here.annotator, drawing(("panda", (0, 0, 50, 50))))

    def counted():
        [own] = snapshot(here.benchmark.pk, {"boxes": "A"}, keeps_splits=False).kinds
        return own.main_boxes

    assert counted() == {second.pk: 1}
    Image.objects.filter(pk=first.image_id).update(category=Category.objects.get(slug="bowl"))
    assert counted() == {first.pk: 0, second.pk: 1}


def test_boxes_of_a_release_with_captions_are_read_back_as_they_were_drawn(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    content = releases.protocol(exporters=["jsonl", "coco_boxes", "coco_captions"])
    content["kinds"] |= {"boxes": boxes_protocol()["kinds"]["boxes"]}
    here, drawn = releases.team(content=content), {}
    for n in range(1, 11):
        image = releases.picture(here, n)
        releases.accept(here, image, n)
        # Of the picture's 24 x 16 pixels; two decimals, also at its edges; from none to three boxes.
        places = [
            ("panda", (0, 0, 8.25, 9 + n / 100)),
            ("tea", (n + 0.01, 1.99, 8, 14.01)),
            ("kite", (0.07, 5.5, 23.93, 10.5)),
        ]
        drawn[image.label] = drawing(*places[: n % 4])["boxes"]
        item = Item.objects.create(benchmark=here.benchmark, kind="boxes", image=image, number=n)
        accept(item, here.annotator, {"boxes": drawn[image.label]})
    release = releases.frozen(here, "captions", "boxes")
    assert jobs.run(release.job_id, services.write_files) == "done"
    folder = services.folder_of(release.pk)
    from_lines, from_coco, captions, splits, labels = {}, {}, set(), {}, {}
    for split in ("train", "valid", "test"):
        for record in map(json.loads, (folder / f"boxes-{split}.jsonl").read_text().splitlines()):
            from_lines[record["label"]] = record["boxes"]
            splits[record["label"]], labels[record["image"]] = split, record["label"]
        coco = json.loads((folder / f"boxes-{split}-coco.json").read_text())
        names = {row["id"]: row["name"] for row in coco["categories"]}
        assert names == {1: "panda", 2: "tea", 3: "kite"}
        for picture in coco["images"]:
            own = [row for row in coco["annotations"] if row["image_id"] == picture["id"]]
            from_coco[labels[picture["file_name"]]] = [(names[row["category_id"]], row["bbox"]) for row in own]
            assert [row["area"] for row in own] == [round(row["bbox"][2] * row["bbox"][3], 4) for row in own]
        for record in map(json.loads, (folder / f"captions-{split}.jsonl").read_text().splitlines()):
            captions.add((record["label"], split))
    assert from_lines == drawn
    assert from_coco == {label: [(box["category"], box["box"]) for box in boxes] for label, boxes in drawn.items()}
    assert captions == set(splits.items())
