"""Versions of a benchmark's protocol: adopt, list, show, compare, check."""

import threading
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from annotation.items.models import Item
from curation.benchmarks.errors import CategoriesInUse, ProtocolLocked, ProtocolUnchanged, StaleProtocol
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.core.errors import ClientKeyReused, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people.models import Consent
from curation.taxonomy.models import Category
from curation.taxonomy.services import adopt_protocol, create_benchmark
from tests.people import Role, agree, key, person, signed_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
TITLE = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "Lanterns"}


def file(name):
    return (Path(settings.FIXTURES) / "protocols" / f"{name}.yaml").read_text("utf-8")


CVLUE = file("cvlue")
VISTAI = file("vistai")
SMALLER = CVLUE.replace("    size: 100\n", "    size: 50\n")
STRICTER = CVLUE.replace("blur_below: 20", "blur_below: 30")
ASKS_ANEW = CVLUE.replace("consent:\n  version: 1", "consent:\n  version: 2")


@shared
def lanterns():
    owner = person("owner", None, Role.OWNER)
    return create_benchmark(actor=owner, slug="lanterns", title=TITLE, preset="cvlue", client_key=uuid.uuid4())


@shared
def admin(lanterns):
    return person("admin", lanterns, "admin")


def adopt(actor, text=STRICTER, base=1, client_key=None):
    return adopt_protocol(
        actor=actor, benchmark_slug="lanterns", text=text, base_version=base, client_key=client_key or uuid.uuid4()
    )


def picture(benchmark, contributor, slug="panda", number=1):
    category = Category.objects.get(benchmark=benchmark, slug=slug)
    return Image.objects.create(
        benchmark=benchmark,
        number=number,
        sha256=f"{number:064x}",
        phash=1,
        width=800,
        height=600,
        contributor=contributor,
        source={},
        licence="own-work",
        category=category,
        client_key=uuid.uuid4(),
    )


def begin_work(benchmark, contributor):
    image = picture(benchmark, contributor)
    image.pii_clear_by = person("clears-pictures", benchmark, "curator")
    image.save(update_fields=["pii_clear_by"])
    return Item.objects.create(benchmark=benchmark, kind="captions", image=image, number=1)


def nothing_changed(benchmark):
    benchmark.refresh_from_db()
    adopted = AuditEvent.objects.filter(action="protocol_adopt")
    return benchmark.protocol.version == 1 and ProtocolVersion.objects.count() == 1 and not adopted.exists()


def test_the_next_version_is_in_force_and_keeps_its_text(lanterns, admin):
    made = adopt(admin)
    lanterns.refresh_from_db()
    assert lanterns.protocol_id == made.pk
    assert (made.version, made.name, made.created_by_id) == (2, "cvlue", admin.pk)
    assert made.source == STRICTER
    assert made.content["images"]["blur_below"] == 30
    event = AuditEvent.objects.get(action="protocol_adopt")
    assert (event.actor_id, event.benchmark_id, event.label) == (admin.pk, lanterns.pk, "lanterns")
    assert event.data == {
        "version": 2,
        "protocol_sha256": made.source_sha256,
        "changed": ["images.blur_below"],
        "consent_changed": False,
        "roles_changed": [],
        "proposed_by": [],
    }
    first = ProtocolVersion.objects.get(version=1)
    assert (first.source, first.content["images"]["blur_below"]) == (CVLUE, 20)


def test_the_same_key_gives_the_same_version_and_other_content_is_refused(lanterns, admin):
    client_key = uuid.uuid4()
    assert adopt(admin, client_key=client_key).pk == adopt(admin, client_key=client_key).pk
    with pytest.raises(ClientKeyReused):
        adopt(admin, text=SMALLER, client_key=client_key)
    with pytest.raises(ClientKeyReused):
        adopt(admin, base=2, client_key=client_key)
    assert ProtocolVersion.objects.count() == 2


def test_a_version_written_on_older_grounds_is_refused(lanterns, admin):
    adopt(admin)
    with pytest.raises(StaleProtocol) as refused:
        adopt(admin, text=SMALLER)
    assert refused.value.params == {"current": 2}
    assert ProtocolVersion.objects.count() == 2


def test_the_text_in_force_is_no_new_version_but_a_remark_makes_one(lanterns, admin):
    with pytest.raises(ProtocolUnchanged):
        adopt(admin, text=CVLUE)
    assert nothing_changed(lanterns)
    assert adopt(admin, text=CVLUE + "\n# a remark\n").version == 2
    assert AuditEvent.objects.get(action="protocol_adopt").data["changed"] == []


def test_faults_are_named_and_nothing_changes(lanterns, admin):
    with pytest.raises(FileInvalid) as refused:
        adopt(admin, text=CVLUE.replace("size: 100", "size: 0"))
    line = CVLUE[: CVLUE.index("    size: 100")].count("\n") + 1
    assert refused.value.params["faults"] == [
        {
            "line": line,
            "key": "tracks.package.size",
            "message": "expected at least 1, got 0",
            "code": "too_small",
            "params": {"ge": "1", "got": "0"},
        }
    ]
    assert nothing_changed(lanterns)


def test_before_the_first_item_everything_may_change(lanterns, admin):
    assert adopt(admin, text=SMALLER.replace("slots: 5", "slots: 4")).version == 2


def test_after_the_first_item_what_work_rests_on_stays(lanterns, admin):
    begin_work(lanterns, admin)
    text = SMALLER.replace("slots: 5", "slots: 4").replace("content: zh-Hans", "content: zh-Hant")
    with pytest.raises(ProtocolLocked) as refused:
        adopt(admin, text=text.replace("blur_below: 20", "blur_below: 30"))
    assert sorted(refused.value.params["paths"]) == [
        "kinds.captions.slots",
        "languages.content",
        "tracks.package.size",
    ]
    assert nothing_changed(lanterns)
    with pytest.raises(ProtocolLocked):
        adopt(admin, text=CVLUE.replace("list: cvlue", "list: vistai"))
    assert Category.objects.filter(benchmark=lanterns).count() == 92


def test_a_kind_and_a_track_without_items_may_change_while_others_have_them(lanterns, admin):
    begin_work(lanterns, admin)
    peer = "tracks:\n  peer: {items_per_team: 200, spot_check_percent: 10}\n"
    text = CVLUE.replace("tracks:\n", peer).replace("  vqa:\n    slots: 3", "  vqa:\n    track: peer\n    slots: 2")
    text = text.replace("  content: zh-Hans", "  content: zh-Hans\n  translation: en")
    version = adopt(admin, text=text)
    assert (version.version, version.content["kinds"]["vqa"]["track"]) == (2, "peer")
    assert version.content["languages"] == {"content": "zh-Hans", "translation": "en"}
    for change in ("track: peer", "subset: A", "per_picture: {minimum: 2, maximum: 2}", "package: {size: 50}"):
        with pytest.raises(ProtocolLocked) as refused:
            adopt(admin, text=text.replace("  captions:\n", f"  captions:\n    {change}\n"), base=2)
        assert refused.value.params["paths"] == [f"kinds.captions.{change.partition(':')[0]}"]
    with pytest.raises(ProtocolLocked) as refused:
        adopt(admin, text=text.replace("translation: en", "translation: zh-Hant"), base=2)
    assert refused.value.params["paths"] == ["languages.translation"]
    assert ProtocolVersion.objects.count() == 2


def test_after_the_first_item_people_consent_pictures_and_releases_may_change(lanterns, admin):
    begin_work(lanterns, admin)
    text = (
        ASKS_ANEW.replace("blur_below: 20", "blur_below: 30")
        .replace("people: 41", "people: 42")
        .replace("train: 60, valid: 10", "train: 50, valid: 20")
        .replace("systems: [demo-dual-encoder]", "systems: []")
        .replace("    rounds: 10", "    rounds: 12")  # of a kind that is not built yet
    )
    assert adopt(admin, text=text).version == 2


def test_a_new_consent_text_asks_everybody_again(lanterns, admin):
    agree(person("writer", lanterns, "annotator", consent=False), lanterns)
    made = adopt(admin, text=ASKS_ANEW)
    assert AuditEvent.objects.get(action="protocol_adopt").data["consent_changed"]
    assert made.consent_sha256 != ProtocolVersion.objects.get(version=1).consent_sha256
    writer = Consent.objects.get(person__username="writer").person
    assert [grant.consented for grant in writer.grants] == [False]


def test_another_list_before_work_keeps_the_categories_both_have(lanterns, admin):
    shared = Category.objects.get(benchmark=lanterns, number=1)
    Category.objects.filter(pk=shared.pk).update(slug="music")
    kept = picture(lanterns, admin, slug="music")
    made = adopt(admin, text=CVLUE.replace("list: cvlue", "list: vistai"))
    rows = Category.objects.filter(benchmark=lanterns)
    assert (made.version, rows.count()) == (2, 21)
    kept.refresh_from_db()
    assert (kept.category_id, kept.category.number, kept.category.name["en"]) == (shared.pk, 13, "Music")
    assert sorted(rows.values_list("number", flat=True)) == list(range(1, 22))


def test_a_category_that_pictures_belong_to_cannot_go(lanterns, admin):
    picture(lanterns, admin, slug="panda")
    with pytest.raises(CategoriesInUse) as refused:
        adopt(admin, text=CVLUE.replace("list: cvlue", "list: vistai"))
    assert refused.value.params == {"slugs": ["panda"]}
    assert nothing_changed(lanterns)
    assert Category.objects.filter(benchmark=lanterns).count() == 92


def test_only_who_administers_adopts(lanterns, admin):
    curator = person("curator", lanterns, "curator")
    with pytest.raises(OperationNotAllowed):
        adopt(curator)
    assert nothing_changed(lanterns)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_wins(lanterns, admin):
    texts, gate, outcomes = (STRICTER, ASKS_ANEW), threading.Barrier(2), []

    def press(text):
        gate.wait()
        try:
            outcomes.append(adopt(admin, text=text).version)
        except StaleProtocol as refused:
            outcomes.append(refused.params)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=[text]) for text in texts]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(outcomes, key=str) == [2, {"current": 2}]
    assert (ProtocolVersion.objects.count(), AuditEvent.objects.filter(action="protocol_adopt").count()) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_a_first_item_and_a_version_that_would_change_it_never_both_get_in(lanterns, admin):
    gate, outcomes = threading.Barrier(2), []
    made = picture(lanterns, admin)
    made.pii_clear_by = person("clears-pictures", lanterns, "curator")
    made.save(update_fields=["pii_clear_by"])

    def press(act):
        gate.wait()
        try:
            outcomes.append(act())
        except ProtocolLocked:
            outcomes.append("locked")
        finally:
            connection.close()

    acts = (
        lambda: adopt(admin, text=SMALLER).version,
        lambda: Item.objects.create(benchmark=lanterns, kind="captions", image=made, number=1).number,
    )
    threads = [threading.Thread(target=press, args=[act]) for act in acts]
    [t.start() for t in threads]
    [t.join() for t in threads]
    adopted_first = ProtocolVersion.objects.filter(version=2).exists()
    assert (2 in outcomes) == adopted_first
    assert Item.objects.count() == 1
    assert ("locked" in outcomes) == (not adopted_first)


def test_a_benchmark_may_start_from_a_text(lanterns):
    owner = lanterns.protocol.created_by
    client_key = uuid.uuid4()

    def create(text=VISTAI, **changes):
        given = {"slug": "mine", "title": TITLE, "text": text, "client_key": client_key} | changes
        return create_benchmark(actor=owner, **given)

    made = create()
    assert made.pk == create().pk
    assert (made.protocol.name, made.protocol.source) == ("vistai", VISTAI)
    assert Category.objects.filter(benchmark=made).count() == 21
    with pytest.raises(ClientKeyReused):
        create(text=VISTAI + "# other\n")
    with pytest.raises(ClientKeyReused):
        create(text=None, preset="vistai")
    with pytest.raises(FileInvalid):
        create(text="meta: 1", client_key=uuid.uuid4())
    assert Benchmark.objects.count() == 2


# --- over HTTP --------------------------------------------------------------------------------------------------------


def send(client, path, **body):
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def test_versions_over_http(lanterns, admin, django_assert_num_queries):
    browser = signed_in(admin)
    body = {"text": ASKS_ANEW, "base_version": 1, "client_key": key()}
    made = send(browser, "benchmarks/lanterns/protocols", **body)
    assert made.status_code == 201, made.json()
    with django_assert_num_queries(3):  # session, benchmark, versions
        listed = browser.get("/api/v1/benchmarks/lanterns/protocols").json()
    assert [(v["version"], v["is_current"], v["created_by"]["name"]) for v in listed] == [
        (2, True, "admin 名"),
        (1, False, "owner 名"),
    ]
    assert "content" not in listed[0]
    assert listed[0]["title"]["en"] == "Chinese vision-language understanding (CVLUE)"
    shown = browser.get("/api/v1/benchmarks/lanterns/protocols/2").json()
    assert shown == made.json()
    assert (shown["source"], shown["content"]["consent"]["version"], shown["pairs"]) == (ASKS_ANEW, 2, [])
    assert shown["planned"] == ["people"]
    compared = browser.get("/api/v1/benchmarks/lanterns/protocols/2/compare?with=1").json()
    assert compared == {
        "version": 2,
        "other": 1,
        "changes": [{"path": "consent.version", "before": 1, "after": 2, "is_locked": False}],
        "role_changes": [],
        "asks_consent_again": True,
    }
    assert browser.get("/api/v1/benchmarks/lanterns/protocols/3").status_code == 404
    assert browser.get("/api/v1/benchmarks/lanterns/protocols/2/compare?with=9").status_code == 404
    assert browser.get("/api/v1/benchmarks/lanterns/protocols/2/compare").json()["code"] == "invalid_input"


def test_a_check_says_what_a_text_would_do_and_stores_nothing(lanterns, admin):
    begin_work(lanterns, admin)
    browser = signed_in(admin)
    found = send(browser, "protocol-checks", text=SMALLER, benchmark="lanterns").json()
    assert (found["faults"], found["title"]["en"]) == ([], "Chinese vision-language understanding (CVLUE)")
    assert found["effect"] == {
        "base_version": 1,
        "changes": [{"path": "tracks.package.size", "before": 100, "after": 50, "is_locked": True}],
        "role_changes": [],
        "needs_second": False,
        "asks_consent_again": False,
        "is_same_text": False,
    }
    alone = send(browser, "protocol-checks", text=file("cvqa")).json()
    assert (alone["effect"], alone["title"]["zh-Hans"]) == (None, "多文化多语言视觉问答（CVQA）")
    assert alone["planned"] == ["capabilities.review_translations", "people"]
    wrong = send(browser, "protocol-checks", text="meta: 1\nmeta: 2\n").json()
    twice = {"line": 2, "key": "meta", "message": "expected each key once; it stands on line 1 too"}
    assert twice | {"code": "key_twice", "params": {"first": 1}} in wrong["faults"]
    assert (wrong["title"], wrong["effect"]) == (None, None)
    assert wrong["fault_count"] == len(wrong["faults"])
    assert send(browser, "protocol-checks", text="").json()["faults"][0]["message"].endswith("the file is empty")
    flood = send(browser, "protocol-checks", text="{" + "a," * 49_000 + "}")
    assert (flood.json()["fault_count"], len(flood.json()["faults"])) == (49_009, 200)
    assert len(flood.content) < 60_000
    for number in ("9" * 90_000, "0x" + "f" * 90_000):
        long = send(browser, "protocol-checks", text=f"meta: {number}")
        assert "number_too_long" in [fault["code"] for fault in long.json()["faults"]]
    assert nothing_changed(lanterns)


def test_what_no_text_is_is_refused_with_a_code(lanterns, admin):
    browser = signed_in(admin)
    for text, code in (("\ud800", "text_refused"), ("a: \0", "invalid_input"), ("x" * 100_001, "invalid_input")):
        answer = send(browser, "protocol-checks", text=text)
        assert (answer.status_code, answer.json()["code"]) == (400, code), text
    other = Benchmark.objects.create(slug="other", title=TITLE)
    answer = send(browser, "protocol-checks", text=CVLUE, benchmark=other.slug)
    assert answer.status_code == 404


def test_presets_show_their_text_to_who_creates_benchmarks(lanterns, admin):
    owner = signed_in(lanterns.protocol.created_by)
    shown = owner.get("/api/v1/protocol-presets/cvqa").json()
    assert shown["source"] == file("cvqa")
    assert shown["content"]["teams"]["size_maximum"] == 3
    assert shown["content"]["evaluation"]["suites"] == ["cvqa"]
    assert shown["planned"] == ["capabilities.review_translations", "people"]
    assert owner.get("/api/v1/protocol-presets/nothing").status_code == 404
    assert signed_in(admin).get("/api/v1/protocol-presets/cvqa").status_code == 403


def test_pairs_stand_with_the_protocol_that_names_them(lanterns, admin):
    owner = lanterns.protocol.created_by  # its leads may invite, and roles gain
    adopt(owner, text=file("cvqa").replace("list: cvqa ", "list: cvlue "))
    shown = signed_in(admin).get("/api/v1/benchmarks/lanterns/protocols/2").json()
    assert len(shown["pairs"]) == 39
    assert shown["pairs"][0] == {
        "slug": "egypt_egyptian_arabic",
        "tag": "arz-EG",
        "country": {"zh-Hans": "埃及", "zh-Hant": "埃及", "en": "Egypt"},
        "language": {"zh-Hans": "埃及阿拉伯语", "zh-Hant": "埃及阿拉伯語", "en": "Egyptian Arabic"},
        "continent": "africa",
        "script": "arabic",
    }


def test_benchmark_create_takes_one_origin(lanterns):
    owner = signed_in(lanterns.protocol.created_by)
    body = {"slug": "mine", "title": TITLE, "client_key": key()}
    for origin in ({}, {"preset": "cvlue", "text": CVLUE}):
        answer = send(owner, "benchmarks", **body, **origin)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    refused = send(owner, "benchmarks", **body, text="meta: {}")
    assert (refused.status_code, refused.json()["code"]) == (422, "file_invalid")
    assert refused.json()["params"]["faults"][0]["line"] == 1
    assert send(owner, "benchmarks", **body, text=file("cvqa")).status_code == 201
    shown = owner.get("/api/v1/benchmarks/mine").json()
    assert shown["categories"][0]["short"]["en"] == "Vehicles"
    assert shown["categories"][0]["group"] == ""


def test_what_makes_an_inspection_mean_little_is_told_before_and_after_adopting(lanterns, admin):
    browser = signed_in(admin)
    weak = CVLUE.replace("    size: 100\n", "    size: 20\n")
    line = weak.splitlines().index("    size: 20") + 1
    (told,) = send(browser, "protocol-checks", text=weak, benchmark="lanterns").json()["warnings"]
    assert (told["code"], told["line"], told["path"]) == ("inspection_weak", line, "tracks.package.size")
    assert (told["params"]["sample"], round(told["params"]["chance"], 3)) == (5, 0.553)
    assert send(browser, "protocol-checks", text=CVLUE).json()["warnings"] == []
    body = {"text": weak, "base_version": 1, "client_key": key()}
    answer = send(browser, "benchmarks/lanterns/protocols", **body)
    assert (answer.status_code, answer.json()["warnings"]) == (201, [told])
