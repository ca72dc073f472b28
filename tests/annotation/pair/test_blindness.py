"""Every byte of every address, for the second person: no box, no key and no verdict of what they look for is in it."""

import re

import pytest

from tests.annotation.pairs import about, accepted_boxes, answer, clicker, create, held, pair_protocol, submit, take
from tests.boxes import boxes_world, drawing
from tests.flows.test_walk import operations
from tests.people import people, signed_in

pytestmark = pytest.mark.django_db

# Numbers and a key that occur nowhere else.
PLACES = ([137.31, 41.07, 61.53, 59.17], [311.71, 43.09, 67.57, 53.19])
KEY = "mark73q"
MARKS = (KEY, "137.31", "41.07", "61.53", "311.71", "43.09", "67.57")


@pytest.fixture
def here():
    objects = drawing(*(("panda", place) for place in PLACES))
    objects["boxes"][0]["key"] = KEY
    made = boxes_world(1, content=pair_protocol())
    people({f"c{n}": ["clicker", "annotator"] for n in (1, 2)}, made.benchmark)  # as CVLUE's annotators
    accepted_boxes(made, made.benchmark.images.get(), objects)
    texts = {KEY: "左边的熊猫", "k1": "右边的熊猫"}
    return made, submit(made.annotator, create(made), about(texts, objects))


def addresses(here, item):
    slug = here.benchmark.slug
    ids = {"item_id": item.pk, "image_id": item.image_id, "image": item.image_id, "person_id": here.annotator.pk}
    for name, method, address in operations():
        if method == "GET" and name not in ("media_show", "upload_part"):
            at = re.sub(r"<slug:benchmark(_slug)?>", slug, address)
            for kind in ("grounding", "boxes"):
                for items in (item.pk, item.base.base_item_id):
                    of = ids | {"item_id": items}
                    path = re.sub(r"<int:(\w+)>", lambda match, of=of: str(of.get(match[1], 1)), at)
                    path = re.sub(r"<slug:kind>", kind, path)
                    path = re.sub(r"<\w+:\w+>", "x", path)
                    yield f"{path}?kind={kind}" if slug in path else path


def body_of(reply):
    return b"".join(reply.streaming_content) if reply.streaming else reply.content


def marked(browser, here, item):
    return {
        address
        for address in set(addresses(here, item))
        if any(mark.encode() in body_of(browser.get(address)) for mark in MARKS)
    }


def test_no_byte_sent_to_the_second_person_says_what_is_meant(here):
    world, item = here
    first, second = signed_in(clicker(1)), signed_in(clicker(2))
    take(clicker(1))
    assert len(set(addresses(world, item))) > 150
    assert (marked(first, world, item), marked(second, world, item)) == (set(), set())
    answer(clicker(1), item, held(clicker(1))["position"], (5, 5))
    answer(clicker(1), item, 2, (6, 6))  # the item went back to its author
    assert marked(first, world, item) == set()
    # Its author reads them, so the search finds them.
    assert f"/api/v1/items/{item.pk}/peer" in marked(signed_in(world.annotator), world, item)
