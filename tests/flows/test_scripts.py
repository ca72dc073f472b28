"""Questions in every script go over HTTP unchanged: typed, submitted twice, in conflict, compared, released.

Byte-exact: joiners, combining marks and Latin names between letters that are written from right to left stay as typed.
"""

import json

import pyarrow.parquet as pq
import pytest

from annotation.items.models import ItemRevision
from annotation.kinds.content import difference
from annotation.kinds.published import columns
from annotation.releases import services as releases
from curation.core import jobs
from tests.annotation.releases.content import picture, protocol, team
from tests.kinds import settings_of, tree_of
from tests.people import key, send, signed_in
from tests.sentences import SCRIPT_QUESTIONS

pytestmark = pytest.mark.django_db
KIND = "multiple_choice"


def _content(number):
    """The content of the picture with this number, which starts at 1."""
    question = SCRIPT_QUESTIONS[number - 1]
    return {"category": "tea", "question": question["question"], "options": question["options"]}


def _swapped(content):
    """The content with its last two options in the other order."""
    first, second, third, fourth = content["options"]
    return content | {"options": [first, second, fourth, third]}


@pytest.fixture
def here(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    content = protocol(splits={"train": 50, "test": 50})
    content["languages"] = {"content": "ur-PK", "translation": "en"}
    content["kinds"] = {each: settings_of(each).model_dump(mode="json") for each in ("captions", KIND)}
    content["tracks"]["package"] |= {"size": len(SCRIPT_QUESTIONS), "sample_percent": 10}
    here = team(content=content)
    for number in range(1, len(SCRIPT_QUESTIONS) + 1):
        picture(here, number)
    return here


def test_every_script_is_kept_byte_for_byte_from_the_desk_to_the_release(here):
    def ask(who, method, address, expected=200, **body):
        answer = send(signed_in(getattr(here, who)), method, address, body or None)
        assert answer.status_code == expected, answer.content.decode()
        return answer.json()

    def command(who, package, name, **body):
        revision = ask(who, "GET", f"packages/{package}")["revision"]
        return ask(who, "POST", f"packages/{package}/{name}", revision=revision, client_key=key(), **body)

    b = f"benchmarks/{here.benchmark.slug}"
    ask("admin", "POST", f"{b}/packages/build", kind=KIND, seed=7, client_key=key())
    package = ask("annotator", "POST", f"{b}/packages/claim", kind=KIND)["id"]
    items = ask("annotator", "GET", f"packages/{package}/sheet")["items"]
    assert len(items) == len(SCRIPT_QUESTIONS)
    contents = {item["number"]: _content(item["number"]) for item in items}
    for item in items:
        address, content = f"items/{item['id']}", contents[item["number"]]
        other = _swapped(content)
        ask("annotator", "PUT", f"{address}/draft", base_no=0, seq=1, content=content)
        # A second window submits another version first; the conflict has both, and this one is then submitted on top.
        ask("annotator", "POST", f"{address}/submit", base_no=0, content=other, client_key=key())
        conflict = ask("annotator", "POST", f"{address}/submit", 409, base_no=0, content=content, client_key=key())
        assert (conflict["code"], conflict["mine"], conflict["theirs"]) == ("stale_revision", content, other)
        ask("annotator", "POST", f"{address}/submit", base_no=1, content=content, client_key=key())
        stored = ItemRevision.objects.filter(item_id=item["id"]).order_by("no").values_list("content", flat=True)
        assert list(stored) == [other, content]
        third, fourth = content["options"][2:]
        assert difference(tree_of(KIND), *stored) == {
            f"options.{at}.{side}": (old[side], new[side])
            for at, old, new in ((2, fourth, third), (3, third, fourth))
            for side in ("local", "translated")
            if old[side] != new[side]
        }

    ticks = [{"id": item["id"], "revision_no": 2} for item in items]
    command("annotator", package, "self-check", items=ticks)
    command("annotator", package, "hand-over")
    command("senior", package, "take-review")
    for item in ask("senior", "GET", f"packages/{package}/sheet")["items"]:
        assert item["content"] == contents[item["number"]]
        ask("senior", "POST", f"items/{item['id']}/review", outcome="accept", revision_no=2, client_key=key())
    command("senior", package, "complete-review")
    for item in ask("curator", "GET", f"packages/{package}/inspection")["items"]:
        ask("curator", "POST", f"items/{item['id']}/inspect", revision_no=2, outcome="right", client_key=key())
    assert command("curator", package, "complete-inspection")["package"]["state"] == "passed"

    release = ask("admin", "POST", f"{b}/releases", 201, kinds=[KIND], seed="7", client_key=key())["id"]
    ask("admin", "POST", f"releases/{release}/check", client_key=key())
    job = ask("admin", "POST", f"releases/{release}/freeze", client_key=key())["job"]["id"]
    assert jobs.run(job, releases.freeze) == "done"
    job = ask("admin", "GET", f"releases/{release}")["job"]["id"]
    assert jobs.run(job, releases.write_files) == "done"
    lines, rows = {}, {}
    for split in ("train", "test"):
        path = releases.folder_of(release) / f"{KIND}-{split}.jsonl"
        for line in path.read_bytes().decode("utf-8").splitlines():
            record = json.loads(line)
            lines[record["item"]] = {column: record[column] for column in columns(tree_of(KIND))}
        for row in pq.read_table(path.with_name(f"{KIND}-{split}-00000-of-00001.parquet")).to_pylist():
            rows[row["item"]] = {column: row[column] for column in columns(tree_of(KIND))}
    assert lines == rows == {f"mcq-{number:06d}": content for number, content in contents.items()}
