"""``python -m tests.bench.coco --python PYTHON``: how far boxes move on their way through files of other tools.

``PYTHON`` is an interpreter that has pycocotools and Datumaro, which this project does not install. Boxes of random
places are written as COCO and as Label Studio files, read by both libraries and by our own importers, and compared with
what was stored. It prints the largest difference of a coordinate in pixels.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.imports.rules.coco import CocoBoxes
from annotation.imports.rules.label_studio import LabelStudio
from tests.annotation.releases.exporters.generated import Generated, facts, texts
from tests.kinds import SLUGS, tree_of

ITEMS, EACH = 100, 6
WIDTH, HEIGHT = 1_999, 1_333

READER = """
import json, sys
from pathlib import Path
from pycocotools.coco import COCO
import datumaro as dm
folder, printed = Path(sys.argv[1]), sys.stdout
sys.stdout = sys.stderr
read = {"pycocotools": {}, "datumaro": {}}
coco = COCO(folder / "annotations" / "instances_train.json")
for image in coco.imgs.values():
    read["pycocotools"][str(image["id"])] = [a["bbox"] for a in coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))]
for item in dm.Dataset.import_from(str(folder), "coco_instances"):
    boxes = sorted((a for a in item.annotations if a.type.name == "bbox"), key=lambda a: a.id)
    read["datumaro"][str(item.attributes["id"])] = [[float(x) for x in a.get_bbox()] for a in boxes]
print(json.dumps(read), file=printed)
"""


class _Boxes(Generated):
    """Pictures with boxes at random places, of two decimals."""

    def record(self, ordinal: int) -> dict[str, Any]:
        return super().record(ordinal) | {"width": WIDTH, "height": HEIGHT}

    def _content(self, ordinal: int) -> dict[str, Any]:
        rng = random.Random(ordinal)
        return {
            "boxes": [{"key": f"k{n}", "category": rng.choice(SLUGS), "box": list(_place(rng))} for n in range(EACH)]
        }


def _place(rng: random.Random) -> Iterator[float]:
    left, right = sorted(rng.sample(range(100 * WIDTH + 1), 2))
    upper, lower = sorted(rng.sample(range(100 * HEIGHT + 1), 2))
    return (number / 100 for number in (left, upper, right - left, lower - upper))


def main() -> None:
    """Write, read and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="an interpreter with pycocotools and datumaro")
    python = parser.parse_args().python
    content, tree = _Boxes(facts("boxes", ITEMS)), tree_of("boxes")
    stored = {str(r["id"]): [box["box"] for box in r["boxes"]] for r in content.records(content.facts.splits[0].rows)}
    coco = texts("coco_boxes", content)["boxes-train-coco.json"]
    studio = texts("label_studio", content)["boxes-train-label-studio.json"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "annotations").mkdir()
        (Path(folder) / "images" / "train").mkdir(parents=True)
        (Path(folder) / "annotations" / "instances_train.json").write_text(coco)
        done = subprocess.run([python, "-c", READER, folder], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        read = json.loads(done.stdout)
    for name, reader, text in (
        ("our COCO importer", CocoBoxes(), coco),
        ("our Label Studio importer", LabelStudio(), studio),
    ):
        rows = list(reader.rows(io.StringIO(text), tree))
        read[name] = {str(row.picture.number): [box["box"] for box in (row.content or {})["boxes"]] for row in rows}
    for name, found in read.items():
        moved = max(
            abs(one - other)
            for picture, boxes in stored.items()
            for box, same in zip(boxes, found[picture], strict=True)
            for one, other in zip(box, same, strict=True)
        )
        print(f"{name:28}{sum(map(len, found.values())):>6} boxes, moved by at most {moved:.6f} px")


if __name__ == "__main__":
    main()
