"""Concepts of pictures: who writes and retires them, what a question may no longer say, and the gate at freeze."""

import threading
import uuid

import pytest
from django.db import DatabaseError, connections, transaction

from annotation.concepts import services
from annotation.concepts.models import Concept
from annotation.concepts.rules import MOST_CONCEPTS
from annotation.items.errors import ContentRefused
from annotation.items.models import Item, ItemRevision
from annotation.items.services import check_content
from annotation.peer import services as peer
from annotation.releases import queries as release_queries
from annotation.releases import services as releases
from annotation.tracks import services as writing
from curation.core.models import AuditEvent
from tests.annotation.releases.content import picture, protocol, team
from tests.annotation.teams import member, peer_protocol, picture_of, team_of
from tests.kinds import CONTENTS, numbers_of
from tests.people import key, send, signed_in, told, world
from tests.protocols import names
from tests.shared import shared

KIND = "multiple_choice"
BIRD = {
    "local": "朱雀",
    "translated": "Vermilion Bird",
    "aliases": ["南方之神"],
    "noun_local": "神兽",
    "noun_translated": "mythical creature",
    "explanation": "四象之一\n司南方",
}


def question(local="第1幅画里左边摆着什么？", translated="What stands on the left?"):
    return CONTENTS[KIND](1) | {"question": {"local": local, "translated": translated}}


def kinds(rule="forbidden"):
    places = {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}}
    return {KIND: numbers_of(KIND) | places | {"concept_in_question": rule}}


@shared
def here():
    content = peer_protocol() | {"kinds": kinds(), "languages": {"content": "zh-Hans", "translation": "en"}}
    here = world(content, slug="cvqa")
    category = {"slug": "tea", "number": 1, "name": names("tea"), "field": "food", "field_name": names("food")}
    here.benchmark.categories.create(**category, distance="closest")
    team_of(here, "thai", ["ann", "ben"])
    team_of(here, "urdu", ["dan"])
    return here


def add(who, image, **changes):
    return send(signed_in(who), "POST", f"images/{image.pk}/concepts", BIRD | changes | {"client_key": key()})


def retire(who, concept_id):
    return send(signed_in(who), "POST", f"concepts/{concept_id}/retire", {"client_key": key()})


def concepts(who, image):
    return send(signed_in(who), "GET", f"images/{image.pk}/concepts")


def item_of(who, image):
    return peer.create_item(actor=who, benchmark_slug="cvqa", kind=KIND, image_id=image.pk, client_key=uuid.uuid4())


def draft(who, item, content):
    return writing.save_draft(actor=who, item_id=item.pk, base_no=0, seq=1, content=content, track="peer")["findings"]


def submit(who, item, content, **reasons):
    fields = {"base_no": 0, "content": content, "client_key": uuid.uuid4(), "reasons": reasons, "track": "peer"}
    return writing.submit_item(actor=who, item_id=item.pk, **fields)[0]


def leaks(findings):
    return [
        (f["field"], f["severity"], f["overridable"], f["params"], [(s["start"], s["end"]) for s in f["spans"]])
        for f in findings
        if f["code"] == "concept_in_question"
    ]


def test_a_team_reads_and_writes_the_concepts_of_its_pictures(here):
    ann, ben, image = member(here, "ann"), member(here, "ben"), picture_of("thai")
    answer = add(ann, image)
    [row] = answer.json()["concepts"]
    assert (answer.status_code, answer.json()["available_actions"]) == (201, ["concept_add"])
    assert row == BIRD | {
        "id": row["id"],
        "mine": True,
        "created_at": row["created_at"],
        "available_actions": ["concept_retire"],
    }
    assert concepts(ben, image).json()["concepts"] == [row | {"mine": False, "available_actions": []}]
    event = AuditEvent.objects.get(action="concept_add")
    assert (event.target_type, event.target_id, event.label) == ("concept", row["id"], image.label)
    assert "朱雀" not in str(event.data)


@pytest.mark.parametrize("who", ["dan", "senior", "contributor", "stranger"])
def test_others_write_none(here, who):
    image = picture_of("thai")
    person = member(here, "dan") if who == "dan" else getattr(here, who)
    assert add(person, image).status_code in (403, 404)
    assert Concept.objects.count() == 0


def test_an_administrator_removes_a_concept_that_is_none(here):
    ann, image = member(here, "ann"), picture_of("thai")
    [row] = add(ann, image).json()["concepts"]
    assert concepts(here.admin, image).json()["concepts"][0]["available_actions"] == ["concept_retire"]
    answer = send(signed_in(here.admin), "POST", f"concepts/{row['id']}/retire", {"client_key": key()})
    assert (answer.status_code, answer.json()["concepts"]) == (200, [])
    assert Concept.objects.get().retired_by == here.admin


def test_a_repeat_adds_nothing_and_another_command_needs_another_key(here):
    ann, image = member(here, "ann"), picture_of("thai")
    same = {"client_key": key()}
    send_it = lambda **changes: send(signed_in(ann), "POST", f"images/{image.pk}/concepts", BIRD | same | changes)  # noqa: E731
    assert send_it().json() == send_it().json()
    assert told(send_it(noun_local="鸟")) == (422, "client_key_reused")
    assert Concept.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"local": "朱雀"},
        {"local": "南方之神"},
        {"local": "别的", "translated": "vermilion  bird"},
        {"local": "别的", "translated": "", "aliases": ["朱　雀"]},
    ],
)
def test_a_name_is_that_of_one_concept(here, changes):
    ann, image = member(here, "ann"), picture_of("thai")
    add(ann, image)
    empty = {"translated": "other", "aliases": []}
    assert told(add(ann, image, **(empty | changes))) == (409, "concept_twice")
    assert Concept.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"local": " "},
        {"local": "朱" * 81},
        {"local": "朱\x00"},
        {"aliases": [""]},
        {"aliases": ["a"] * 21},
        {"name": "x"},
    ],
)
def test_what_no_concept_can_be(here, changes):
    assert told(add(member(here, "ann"), picture_of("thai"), **changes)) == (400, "invalid_input")
    assert Concept.objects.count() == 0


def test_a_picture_has_a_limited_number(here):
    ann, image = member(here, "ann"), picture_of("thai")
    Concept.objects.bulk_create(
        Concept(image=image, author=ann, local=f"概念{n}", client_key=uuid.uuid4()) for n in range(MOST_CONCEPTS)
    )
    assert told(add(ann, image)) == (409, "concepts_full")


def test_its_author_and_inspectors_retire_a_concept(here):
    ann, ben, image = member(here, "ann"), member(here, "ben"), picture_of("thai")
    first = add(ann, image).json()["concepts"][0]["id"]
    assert told(retire(ben, first)) == (403, "concept_of_others")
    assert Concept.objects.get().retired_at is None
    assert retire(ann, first).json()["concepts"] == []
    assert told(retire(ann, first)) == (404, "not_found")
    second = add(ben, image).json()["concepts"][0]["id"]
    assert retire(here.curator, second).json()["concepts"] == []
    assert list(Concept.objects.order_by("pk").values_list("retired_by", flat=True)) == [ann.pk, here.curator.pk]


@pytest.mark.parametrize("change", [{"local": "白虎"}, {"retired_at": None, "retired_by": None}])
def test_the_database_keeps_what_was_written(here, change):
    image = picture_of("thai")
    retire(member(here, "ann"), add(member(here, "ann"), image).json()["concepts"][0]["id"])
    kept = list(Concept.objects.values())
    with pytest.raises(DatabaseError), transaction.atomic():
        Concept.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Concept.objects.all()._raw_delete("default")
    assert list(Concept.objects.values()) == kept


def test_a_draft_that_names_a_concept_is_marked_in_both_languages(here):
    ann, image = member(here, "ann"), picture_of("thai")
    item = item_of(ann, image)
    typed = question("圖中朱 雀在哪，Zhūquè 呢？", "Where are the vermilion birds?")
    assert leaks(draft(ann, item, typed)) == []
    add(ann, image)
    local, translated = (
        {"concept": "朱雀", "put": "图中的神兽"},
        {
            "concept": "朱雀",
            "put": "the mythical creature in the picture",
        },
    )
    assert leaks(
        writing.save_draft(actor=ann, item_id=item.pk, base_no=0, seq=2, content=typed, track="peer")["findings"]
    ) == [
        ("question.local", "error", False, local, [(2, 5), (8, 14)]),
        ("question.translated", "error", False, translated, [(14, 29)]),
    ]


def test_a_question_that_names_one_is_not_submitted(here):
    ann, image = member(here, "ann"), picture_of("thai")
    add(ann, image)
    item = item_of(ann, image)
    with pytest.raises(ContentRefused) as error:
        submit(ann, item, question("朱雀在哪？"), concept_in_question="因为")
    assert [f["code"] for f in error.value.params["findings"]] == ["concept_in_question"]
    assert ItemRevision.objects.count() == 0
    assert submit(ann, item, question()).state == "made"


def test_a_name_of_one_character_may_stay_with_a_reason(here):
    ann, image = member(here, "ann"), picture_of("thai")
    add(ann, image, local="鼎", translated="", aliases=[])
    item = item_of(ann, image)
    assert leaks(draft(ann, item, question("鼎盛时期是什么时候？")))[0][1:3] == ("error", True)
    made = submit(ann, item, question("鼎盛时期是什么时候？"), concept_in_question="是另一个词")
    assert made.state == "made"


def test_what_may_be_another_word_is_reported_once_nothing_certain_is_left(here):
    ann, image = member(here, "ann"), picture_of("thai")
    add(ann, image, local="鼎", translated="", aliases=["方鼎"], noun_local="器物")
    item = item_of(ann, image)
    put = {"concept": "鼎", "put": "图中的器物"}
    findings = draft(ann, item, question("鼎盛时期的方鼎？"))
    assert leaks(findings) == [("question.local", "error", False, put, [(5, 7)])]
    with pytest.raises(ContentRefused):
        submit(ann, item, question("鼎盛时期的方鼎？"), concept_in_question="是另一个词")
    submit(ann, item, question("鼎盛时期的图中的器物？"), concept_in_question="是另一个词")
    assert leaks(ItemRevision.objects.get().findings) == [("question.local", "error", True, put, [(0, 1)])]


def test_where_the_protocol_allows_it_nothing_is_reported(here):
    ann, image = member(here, "ann"), picture_of("thai")
    add(ann, image)
    item = item_of(ann, image)
    version = here.benchmark.protocol
    context = writing.TRACKS["peer"].lock(ann, item.pk, "draft_save").context
    assert leaks(f.as_json() for f in check_content(KIND, version.pk, question("朱雀？"), context, complete=True))
    other = world(peer_protocol() | {"kinds": kinds("allowed")}, slug="allowed", prefix="x-").benchmark.protocol
    assert not leaks(f.as_json() for f in check_content(KIND, other.pk, question("朱雀？"), context, complete=True))


@pytest.fixture
def accepted():
    """A benchmark with an accepted question that says 鼎盛 and 朱雀; its author kept 鼎, which is no concept now."""
    content = protocol(gates=["nothing_accepted", "concept_leak"], splits={"test": 100}, exporters=["jsonl"])
    content |= {"kinds": {KIND: kinds()[KIND] | {"track": "package"}}, "languages": {"content": "zh-Hans"}}
    here = team(slug="tcc", prefix="tcc-", content=content)
    at = {"benchmark": here.benchmark, "kind": KIND, "image": picture(here, 1), "number": 1}
    item = Item.objects.create(**at, state="accepted", revision_no=1, accepted_no=1)
    texts = CONTENTS[KIND](1)
    local = {
        "question": {"local": "鼎盛时期的朱雀在哪？"},
        "options": [{"local": o["local"]} for o in texts["options"]],
    }
    ItemRevision.objects.create(
        item=item,
        no=1,
        author=here.annotator,
        origin="annotator",
        content=texts | local,
        reasons={"concept_in_question": "不是一回事"},
        findings=[
            {
                "code": "concept_in_question",
                "field": "question.local",
                "severity": "error",
                "params": {"concept": "鼎", "put": ""},
                "spans": [],
                "overridable": True,
            }
        ],
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    return here, item


def concept(here, item, local):
    return Concept.objects.create(image=item.image, author=here.annotator, local=local, client_key=uuid.uuid4())


def gates_of(here):
    """What stops a release of the benchmark's questions."""
    draft = releases.create_release(actor=here.admin, benchmark_slug="tcc", kinds=[KIND], client_key=uuid.uuid4())
    return release_queries.release_detail(here.admin, draft.pk)["gates"]


@pytest.mark.django_db
def test_a_concept_that_was_added_later_stops_the_release(accepted):
    here, item = accepted
    assert gates_of(here) == []
    concept(here, item, "鼎")  # of one character, with a reason
    assert gates_of(here) == []
    bird = concept(here, item, "朱雀")
    params = {"concept": "朱雀", "picture": item.image.label, "total": 1}
    link = f"/b/tcc/items/{item.pk}"
    assert gates_of(here) == [{"code": "concept_leak", "params": params, "label": item.label, "link": link}]
    bird.retired_by, bird.retired_at = here.annotator, bird.created_at or "2026-01-01T00:00:00Z"
    bird.save()
    assert gates_of(here) == []


@pytest.mark.django_db
def test_a_reason_covers_no_concept_that_its_author_did_not_see(accepted):
    here, item = accepted
    concept(here, item, "期")  # 鼎盛时期
    [gate] = gates_of(here)
    assert (gate["code"], gate["params"]["concept"]) == ("concept_leak", "期")


@pytest.mark.django_db
def test_a_question_from_before_the_benchmark_translated_is_searched(accepted):
    here, item = accepted
    version = here.benchmark.protocol
    here.benchmark.protocol = type(version).objects.create(
        benchmark=here.benchmark,
        version=2,
        name="x",
        source_sha256="1" * 64,
        content=version.content | {"languages": {"content": "zh-Hans", "translation": "en"}},
    )
    here.benchmark.save(update_fields=["protocol"])
    concept(here, item, "别的")
    assert gates_of(here) == []
    concept(here, item, "朱雀")
    assert [gate["params"]["concept"] for gate in gates_of(here)] == ["朱雀"]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_add_the_same_concept_at_once_one_does():
    content = peer_protocol() | {"kinds": kinds(), "languages": {"content": "zh-Hans", "translation": "en"}}
    there = world(content, slug="cvqa")
    team_of(there, "thai", ["ann", "ben"])
    image, outcomes = picture_of("thai"), []

    def add_it(name):
        try:
            services.add_concept(actor=member(there, name), image_id=image.pk, client_key=uuid.uuid4(), **BIRD)
            outcomes.append("added")
        except Exception as error:  # noqa: BLE001
            outcomes.append(getattr(error, "code", repr(error)))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=add_it, args=(name,)) for name in ("ann", "ben")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added", "concept_twice"]
    assert Concept.objects.count() == 1
