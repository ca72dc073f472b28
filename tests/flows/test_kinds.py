"""Every kind but the first goes the whole track over HTTP: built, written, judged, inspected, released, read back.

Captions are walked by the tests of each room. A new kind gives what a rule stops here, and its contents in
``tests/kinds.py``; nothing else in this file is its own.
"""

import json

import pyarrow.parquet as pq
import pytest

from annotation.kinds.published import columns
from annotation.kinds.registry import KINDS, tracks_of
from annotation.releases import services as releases
from curation.core import jobs
from evaluation.suites.rules import SUITES
from tests.annotation.releases.content import picture, protocol, team
from tests.kinds import CONTENTS, settings_of, tree_of
from tests.people import key, send, signed_in

pytestmark = pytest.mark.django_db

_vqa, _choice, _boxes = CONTENTS["vqa"], CONTENTS["multiple_choice"], CONTENTS["boxes"]
# Kind → (content that a rule stops, code of that rule).
CASES = {
    "vqa": (
        {"pairs": [*_vqa(1)["pairs"][:2], {"question": "远处那座楼有多少层？", "answer": "三层。"}]},
        "answer_punctuation",
    ),
    "multiple_choice": (
        _choice(1) | {"options": [*_choice(1)["options"][:3], {"local": "竹篮。", "translated": "Wicker basket"}]},
        "option_equal",
    ),
    "boxes": ({"boxes": [*_boxes(1)["boxes"], {"key": "c", "category": "tea", "box": [20, 2, 8, 8]}]}, "outside"),
}


def test_every_kind_is_walked():
    assert {"captions", *CASES} == {kind for kind in KINDS if "package" in tracks_of(kind)}


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


class Desk:
    """A benchmark with two pictures, and browsers of its people."""

    def __init__(self, kind: str) -> None:
        content = protocol(splits={"train": 50, "test": 50})
        content["languages"] = {"content": "zh-Hans", "translation": "en"}
        content["kinds"] = {each: settings_of(each).model_dump(mode="json") for each in ("captions", kind)}
        content["tracks"]["package"] |= {"size": 2, "sample_percent": 50}
        self.here = team(content=content)
        self.pictures = [picture(self.here, number) for number in (1, 2)]

    def ask(self, who: str, method: str, address: str, expected: int = 200, **body) -> dict:
        """Ask as somebody; anything but what is expected fails with the answer."""
        answer = send(signed_in(getattr(self.here, who)), method, address, body or None)
        assert answer.status_code == expected, answer.content.decode()
        return answer.json()

    def command(self, who: str, package: int, name: str, **body) -> dict:
        """Give a command on a package at its current revision."""
        revision = self.ask(who, "GET", f"packages/{package}")["revision"]
        return self.ask(who, "POST", f"packages/{package}/{name}", revision=revision, client_key=key(), **body)


@pytest.mark.parametrize("kind", CASES)
def test_from_the_package_to_the_published_files(kind, media):
    content, (stopped, code) = CONTENTS[kind], CASES[kind]
    desk = Desk(kind)
    b = f"benchmarks/{desk.here.benchmark.slug}"
    for each in ("captions", kind):
        made = desk.ask("admin", "POST", f"{b}/packages/build", kind=each, seed=7, client_key=key())
    assert (made["items"], made["made"][0]["label"]) == (2, f"{KINDS[kind].prefix}-pkg-0001")

    package = desk.ask("annotator", "POST", f"{b}/packages/claim", kind=kind)["id"]
    work = desk.ask("annotator", "GET", f"packages/{package}/next")
    assert (work["package"]["kind"], work["rules"]["kind"]) == (kind, kind)
    first, second = work["items"]
    draft = desk.ask("annotator", "PUT", f"items/{first['id']}/draft", base_no=0, seq=1, content=stopped)
    assert code in [f["code"] for f in draft["findings"]]
    refused = desk.ask(
        "annotator", "POST", f"items/{first['id']}/submit", 422, base_no=0, content=stopped, client_key=key()
    )
    assert (refused["code"], refused["params"]["findings"][0]["code"]) == ("content_refused", code)
    for item in (first, second):
        body = {"base_no": 0, "content": content(item["number"]), "client_key": key()}
        assert desk.ask("annotator", "POST", f"items/{item['id']}/submit", **body)["revision_no"] == 1
    ticks = [{"id": item["id"], "revision_no": 1} for item in (first, second)]
    desk.command("annotator", package, "self-check", items=ticks)
    desk.command("annotator", package, "hand-over")

    desk.command("senior", package, "take-review")
    sheet = desk.ask("senior", "GET", f"packages/{package}/sheet")
    assert [item["content"] for item in sheet["items"]] == [content(item["number"]) for item in sheet["items"]]
    judged = {"revision_no": 1, "client_key": key()}
    desk.ask("senior", "POST", f"items/{first['id']}/review", outcome="accept", **judged)
    corrected = {"outcome": "correct", "content": content(5), "revision_no": 1, "client_key": key()}
    desk.ask("senior", "POST", f"items/{second['id']}/review", **corrected)
    desk.command("senior", package, "complete-review")
    drawn = desk.ask("curator", "GET", f"packages/{package}/inspection")
    assert drawn["rules"]["kind"] == kind
    for item in drawn["items"]:
        body = {"revision_no": item["revision_no"], "outcome": "right", "client_key": key()}
        desk.ask("curator", "POST", f"items/{item['id']}/inspect", **body)
    done = desk.command("curator", package, "complete-inspection")
    assert done["package"]["state"] == "passed"

    release = desk.ask("admin", "POST", f"{b}/releases", 201, kinds=[kind], seed="7", client_key=key())
    desk.ask("admin", "POST", f"releases/{release['id']}/check", client_key=key())
    asked = desk.ask("admin", "POST", f"releases/{release['id']}/freeze", client_key=key())
    assert jobs.run(asked["job"]["id"], releases.freeze) == "done"
    frozen = desk.ask("admin", "GET", f"releases/{release['id']}")
    assert (frozen["label"], frozen["state"], frozen["items"]) == (f"{kind}-v1", "frozen", 2)
    job = frozen["job"]
    assert jobs.run(job["id"], releases.write_files) == "done"
    folder = releases.folder_of(release["id"])
    texts = {first["number"]: content(first["number"]), second["number"]: content(5)}
    expected = {f"{KINDS[kind].prefix}-{number:06d}": text for number, text in texts.items()}
    lines, rows = {}, {}
    for split in ("train", "test"):
        for line in (folder / f"{kind}-{split}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            lines[record["item"]] = {column: record[column] for column in columns(tree_of(kind))}
        for row in pq.read_table(folder / f"{kind}-{split}-00000-of-00001.parquet").to_pylist():
            rows[row["item"]] = {column: row[column] for column in columns(tree_of(kind))}
    assert lines == rows == expected
    card = (folder / "README.md").read_text(encoding="utf-8")
    for column, described in columns(tree_of(kind)).items():
        assert f"| {column} | {described.meaning} |" in card

    if not any(suite.kind == kind for suite in SUITES.values()):  # its texts join no gallery
        scores = desk.ask("admin", "GET", f"releases/{release['id']}/scores")
        assert scores == {"suite": None, "gallery": {"images": 0, "texts": 0, "split": "test"}, "systems": []}
