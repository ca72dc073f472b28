"""A sixth benchmark without anybody on the server and without Python: from a list typed in the browser to a release."""

import json
import uuid

import pytest

from annotation.releases import services as releases
from curation.core import jobs
from curation.people.models import RoleGrant
from curation.taxonomy.models import Category
from tests import pictures
from tests.people import Role, agree, key, person, send, signed_in
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db
SLUG = "lamps"
TITLE = {"zh-Hans": "灯", "zh-Hant": "燈", "en": "Lamps"}
# What the table in the browser sends: groups are left to the programs but for one, which has a reason.
LIST = (
    "name_zh-Hans,name_zh-Hant,name_en,field_zh-Hans,field_zh-Hant,field_en,group,reason\n"
    "花灯,,lantern,灯具,,Lamps,moderate,\n"
    "火锅,,hot pot,饮食,,Food,closest,WordNet 中只有炖菜之义\n"
)


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def test_from_a_typed_list_to_a_release(media):
    owner = person("owner", None, Role.OWNER)
    people = {}

    def ask(who, method, address, expected=200, **body):
        answer = send(signed_in(people.get(who, owner)), method, address, body or None)
        assert answer.status_code == expected, answer.content.decode()
        return answer.json()

    checked = ask("owner", "POST", "category-list-checks", text=LIST, form="csv")
    assert (checked["faults"], [row["computed_group"] for row in checked["rows"]]) == ([], ["moderate", "moderate"])
    own = {"own": {"name": "categories", "text": LIST, "form": "csv"}}
    body = {"slug": SLUG, "title": TITLE, "preset": "demo", "categories": own, "client_key": key()}
    made = ask("owner", "POST", "benchmarks", 201, **body)
    assert [(c["slug"], c["name"]["zh-Hant"], c["group"]) for c in made["categories"]] == [
        ("lantern", "花燈", "moderate"),
        ("hot_pot", "火鍋", "closest"),
    ]
    benchmark = Category.objects.get(slug="lantern").benchmark
    for name in ("admin", "curator", "senior", "annotator", "contributor"):
        people[name] = person(name, benchmark, Role(name))
    assert RoleGrant.objects.filter(benchmark=benchmark).count() == 6
    agree(owner, benchmark)

    for seed, category in ((1, "lantern"), (2, "hot_pot")):
        image = pictures.image(people["contributor"], seed, slug=SLUG, category=category)
        pictures.judge(people["curator"], image)
        pictures.clear(people["curator"], image)

    b = f"benchmarks/{SLUG}"
    build = {"kind": "captions", "seed": 7, "complete_only": False, "client_key": key()}
    assert ask("admin", "POST", f"{b}/packages/build", **build)["items"] == 2
    package = ask("annotator", "POST", f"{b}/packages/claim", kind="captions")["id"]

    def command(who, name, **more):
        revision = ask(who, "GET", f"packages/{package}")["revision"]
        return ask(who, "POST", f"packages/{package}/{name}", revision=revision, client_key=key(), **more)

    items = ask("annotator", "GET", f"packages/{package}/next")["items"]
    for item in items:
        text = {"base_no": 0, "content": five_captions(item["number"]), "client_key": key()}
        ask("annotator", "POST", f"items/{item['id']}/submit", **text)
    command("annotator", "self-check", items=[{"id": item["id"], "revision_no": 1} for item in items])
    command("annotator", "hand-over")
    command("senior", "take-review")
    for item in items:
        ask("senior", "POST", f"items/{item['id']}/review", outcome="accept", revision_no=1, client_key=key())
    command("senior", "complete-review")
    for item in ask("curator", "GET", f"packages/{package}/inspection")["items"]:
        verdict = {"revision_no": item["revision_no"], "outcome": "right", "client_key": key()}
        ask("curator", "POST", f"items/{item['id']}/inspect", **verdict)
    assert command("curator", "complete-inspection")["package"]["state"] == "passed"

    release = ask("admin", "POST", f"{b}/releases", 201, kinds=["captions"], seed="7", client_key=str(uuid.uuid4()))
    ask("admin", "POST", f"releases/{release['id']}/check", client_key=key())
    freezing = ask("admin", "POST", f"releases/{release['id']}/freeze", client_key=key())
    assert jobs.run(freezing["job"]["id"], releases.freeze) == "done"
    frozen = ask("admin", "GET", f"releases/{release['id']}")
    assert (frozen["state"], frozen["items"]) == ("frozen", 2)
    assert jobs.run(frozen["job"]["id"], releases.write_files) == "done"
    folder = releases.folder_of(release["id"])
    lines = [line for file in folder.glob("captions-*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    assert sorted(record["category"] for record in map(json.loads, lines) if "category" in record) == [
        "hot_pot",
        "lantern",
    ]
