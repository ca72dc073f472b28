"""Every byte of every address for the person who questions: nothing of the picture is in it until it is over."""

import re
import uuid

import pytest

from annotation.concepts.models import Concept
from annotation.dialogues import services
from annotation.dialogues.models import Dialogue
from annotation.items.models import Item
from annotation.packages.errors import NoPackageLeft
from annotation.packages.models import Package, PackageItem
from annotation.packages.services import claim_package
from curation.images.models import Exposure, Image, NearPair, image_label, media_url
from curation.people.models import Person, RoleGrant
from tests.annotation.talks import begun, dialogue_world, finished, join, say, talker
from tests.flows.test_walk import operations
from tests.people import signed_in
from tests.ready import accepted_pictures

pytestmark = pytest.mark.django_db


def file_of(image: Image, role: str = "view") -> str:
    """The address of a picture's file."""
    rendition = image.renditions.get(role=role)
    return media_url(image.pk, rendition.pk, role, rendition.key)


@pytest.fixture
def here():
    return dialogue_world(roles=("talker", "annotator"))


def addresses(here, dialogue):
    """Every address that is read, filled with the ids of what is on the picture."""
    slug = here.benchmark.slug
    captions = Item.objects.get(kind="captions")
    ids = {"image_id": dialogue.image_id, "image": dialogue.image_id, "person_id": here.annotator.pk}
    ids |= {"dialogue_id": dialogue.pk, "package_id": Package.objects.values_list("pk", flat=True).first() or 1}
    for name, method, address in operations():
        if method != "GET" or name in ("media_show", "upload_part"):
            continue
        at = re.sub(r"<slug:benchmark(_slug)?>", slug, address)
        for kind in ("captions", "dialogue"):
            for item in (captions.pk, dialogue.item_id):
                of = ids | {"item_id": item}
                path = re.sub(r"<int:(\w+)>", lambda match, of=of: str(of.get(match[1], 1)), at)
                path = re.sub(r"<slug:kind>", kind, path)
                path = re.sub(r"<slug:label>", image_label(dialogue.image.number), path)
                path = re.sub(r"<\w+:\w+>", "x", path)
                yield f"{path}?kind={kind}" if slug in path else path
                if slug in path:
                    yield path
    for text in (image_label(dialogue.image.number), captions.label, "1"):
        yield f"/api/v1/benchmarks/{slug}/find?q={text}"
        yield f"/api/v1/benchmarks/{slug}/items?search={text}"
    other = next(c for c in captions.revisions.get().content["captions"] if c != dialogue.caption)
    yield f"/api/v1/benchmarks/{slug}/items?search={other}"
    yield f"/api/v1/benchmarks/{slug}/find?q={other}"


def marks(dialogue):
    """What names the picture or tells what is on it: its label, hash, files, captions that were not drawn."""
    image = Image.objects.get(pk=dialogue.image_id)
    content = Item.objects.get(kind="captions").revisions.get().content["captions"]
    others = [caption[:12] for caption in content if caption != dialogue.caption]
    labels = [image_label(image.number), Item.objects.get(kind="captions").label]
    concepts = Concept.objects.values_list("local", flat=True)
    return [image.sha256, f"/media/{image.pk}/", *labels, *others, *concepts]


def body_of(reply):
    return b"".join(reply.streaming_content) if reply.streaming else reply.content


def marked(who: Person, here, dialogue):
    browser = signed_in(who)
    texts = marks(dialogue)
    found = {}
    for address in sorted(set(addresses(here, dialogue))):
        body = body_of(browser.get(address)).decode("utf-8", "replace")
        told = [mark for mark in texts if mark in body]
        if told:
            found[address] = told
    return found


def test_no_byte_sent_to_the_questioner_tells_of_the_picture(here):
    dialogue = begun()
    say(dialogue, 1)
    assert len(set(addresses(here, dialogue))) > 150
    assert marked(talker(1), here, dialogue) == {}
    # The person who answers reads it, so the search finds it.
    assert f"/api/v1/dialogues/{dialogue.pk}" in marked(talker(2), here, dialogue)
    say(dialogue, 2)
    finished(Dialogue.objects.get())
    assert f"/api/v1/items/{dialogue.item_id}" in marked(talker(1), here, dialogue)


@pytest.mark.parametrize("role", ["admin", "curator", "senior", "contributor", "annotator"])
def test_a_role_that_is_given_meanwhile_shows_nothing_of_it_either(here, role):
    dialogue = begun()
    RoleGrant.objects.get_or_create(person=talker(1), benchmark=here.benchmark, role=role)
    assert marked(talker(1), here, dialogue) == {}
    assert signed_in(talker(1)).get(file_of(dialogue.image)).status_code == 404
    assert not Exposure.objects.filter(person=talker(1)).exists()


def packaged(here, **people) -> Item:
    """The accepted captions in a package, and a concept of the picture."""
    captions = Item.objects.get(kind="captions")
    fields = {"benchmark": here.benchmark, "kind": "captions", "number": 1, "protocol": here.benchmark.protocol}
    package = Package.objects.create(**fields, **people)
    PackageItem.objects.create(package=package, item=captions, position=1)
    Concept.objects.create(image=captions.image, author=here.annotator, local="灯笼下的舞狮", client_key=uuid.uuid4())
    return captions


def test_a_package_that_the_questioner_gets_meanwhile_shows_nothing_of_it(here):
    dialogue = begun()
    captions = packaged(here, assignee=talker(1), state="working")
    assert marked(talker(1), here, dialogue) == {}
    draft = {"content": {"captions": ["左"] * 5}, "seq": 1, "base_no": 1}
    reply = signed_in(talker(1)).put(f"/api/v1/items/{captions.pk}/draft", draft, content_type="application/json")
    assert reply.status_code == 404
    finished(dialogue)
    assert f"/api/v1/packages/{Package.objects.get().pk}" in marked(talker(1), here, dialogue)


def test_the_questioner_gets_no_package_with_the_picture(here):
    dialogue = begun()
    packaged(here, state="available")
    with pytest.raises(NoPackageLeft):
        claim_package(actor=talker(1), benchmark_slug="cvlue", kind="captions")
    assert Package.objects.values_list("state", "assignee").get() == ("available", None)
    finished(dialogue)
    package, _ = claim_package(actor=talker(1), benchmark_slug="cvlue", kind="captions")
    assert (package.state, package.assignee_id) == ("working", talker(1).pk)


@pytest.mark.parametrize("state", ["reviewing", "inspecting"])
def test_a_role_that_is_given_meanwhile_shows_nothing_of_it_in_packages(here, state):
    dialogue = begun()
    packaged(here, assignee=here.annotator, reviewer=here.senior, state=state)
    for role in ("admin", "curator", "senior"):
        RoleGrant.objects.get_or_create(person=talker(1), benchmark=here.benchmark, role=role)
    assert marked(talker(1), here, dialogue) == {}


def test_a_near_duplicate_names_it_to_others_alone(here):
    dialogue = begun()
    [mine] = accepted_pictures(here.benchmark, here.contributor, here.curator, 1)
    NearPair.objects.create(image=mine, other=dialogue.image, distance=3)
    RoleGrant.objects.create(person=talker(1), benchmark=here.benchmark, role="curator")
    address, label = "/api/v1/benchmarks/cvlue/images", image_label(dialogue.image.number)
    for who, has in ((talker(1), False), (here.curator, True)):
        page = signed_in(who).get(address).json()
        [row] = [row for row in page["results"] if row["id"] == mine.pk]
        assert (label in [near["label"] for near in row["near"]]) is has


def test_nobody_questions_a_picture_of_their_package(here):
    packaged(here, assignee=talker(1), state="working")
    join(talker(1), "question")
    join(talker(2), "answer")
    assert not Dialogue.objects.exists()
    Package.objects.update(state="withdrawn")
    services.sweep_dialogues()
    assert Dialogue.objects.exists()


def test_the_picture_in_another_tab_is_not_found(here):
    dialogue = begun()
    browser = signed_in(talker(1))
    for role in ("view", "clean", "thumb"):
        assert browser.get(file_of(dialogue.image, role)).status_code == 404
    assert not Exposure.objects.exists()
