"""Every operation of the URL conf × every role × every relation to what the address names.

The permission table says who is let in; the rows behind the ids are real, so being let in means that the work is done
or refused for its state. Whoever is kept out learns nothing and changes nothing, not a byte in any table.
"""

from __future__ import annotations

import json
import sys
import uuid
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.packages.models import Package, PackageItem
from annotation.quality.models import Inspection, InspectionSample
from annotation.releases.models import Release, ReleaseFile
from curation.benchmarks.queries import preset
from curation.core.api.views import Operation
from curation.core.models import Job
from curation.images.models import Image, Rendition
from curation.people.models import Person, RoleGrant
from curation.people.rules import PERMISSIONS, SIGNED_IN, Grant, Reach, reach
from tests import pictures
from tests.flows.awaited import AWAITED
from tests.people import PASSWORD, ROLES, Role, World, agree, key, person, signed_in
from tests.pictures import picture_world
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

# Raised whenever an operation or a relation is added; a walk that shrinks has lost something.
AT_LEAST = 1_148
KEPT_OUT = {401, 403, 404}
SLUGS = {"here": "cvlue", "guest": "guest", "unknown": "unknown"}

# Relations of the person to the row. ``guest``: a row of a benchmark where they contribute pictures and nothing else;
# ``unknown``: of one where they take no part.
ROWS = {
    "image": ("written", "others", "guest", "unknown"),
    "package": ("written", "reviewed", "others", "guest", "unknown"),
    "plain": ("others", "guest", "unknown"),
    "benchmark": ("here", "guest", "unknown"),
    "site": ("here",),
}


@dataclass(frozen=True)
class Case:
    """How one operation is asked for; ``{…}`` in bodies are filled from the row."""

    row: str
    state: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    form: bool = False
    judges: bool = False
    writer_only: bool = False
    reviewer_only: bool = False
    named: dict[str, Any] = field(default_factory=dict)  # further parts of the address
    query: str = ""


REVISION = {"revision": 0}
TITLE = {"zh-Hans": "新", "zh-Hant": "新", "en": "New"}
PROTOCOL = preset("cvlue").source + "\n# the next version\n"
CONTENT = {"base_no": 0, "content": five_captions(1)}
CASES: dict[str, list[Case]] = {
    "session_show": [Case("site")],
    "session_update": [Case("site", body={"language": "en"})],
    "preset_list": [Case("site")],
    "preset_show": [Case("site", named={"preset": "cvlue"})],
    "protocol_check": [Case("site", body={"text": PROTOCOL})],
    "protocol_list": [Case("benchmark")],
    "protocol_adopt": [Case("benchmark", body={"text": PROTOCOL, "base_version": 1, "client_key": key()})],
    "protocol_show": [Case("benchmark", named={"version": 1})],
    "protocol_compare": [Case("benchmark", named={"version": 1}, query="?with=1")],
    "benchmark_list": [Case("site")],
    "benchmark_create": [Case("site", body={"slug": "fresh", "title": TITLE, "preset": "cvlue", "client_key": key()})],
    "system_list": [Case("site")],
    "benchmark_show": [Case("benchmark")],
    "person_list": [Case("benchmark")],
    "person_create": [
        Case(
            "benchmark",
            body={
                "username": "fresh",
                "name": "新",
                "roles": ["annotator"],
                "password": PASSWORD,
                "client_key": key(),
            },
        )
    ],
    "audit_list": [Case("benchmark")],
    "waiting_show": [Case("benchmark")],
    "run_list": [Case("benchmark")],
    "image_list": [Case("benchmark")],
    "image_upload": [Case("benchmark", form=True)],
    "package_list": [Case("benchmark")],
    "package_build": [Case("benchmark", body={"kind": "captions", "client_key": key()})],
    "package_claim": [Case("benchmark", body={"kind": "captions"})],
    "release_list": [Case("benchmark")],
    "release_create": [Case("benchmark", body={"kind": "captions", "client_key": key()})],
    "job_show": [Case("plain", "job")],
    "release_show": [Case("plain", "frozen")],
    "release_freeze": [Case("plain", "draft", body={"client_key": key()})],
    "release_file": [Case("plain", "frozen")],
    "release_scores": [Case("plain", "frozen")],
    "release_score": [Case("plain", "frozen", body={"client_key": key()})],
    "image_show": [Case("image")],
    "image_items": [Case("image")],
    "image_releases": [Case("image")],
    "image_judge": [Case("image", body={"outcome": "accepted", "client_key": key()}, judges=True)],
    "image_clear": [Case("image", body={"client_key": key()}, judges=True)],
    "media_show": [Case("image"), Case("package", "working")],
    "package_show": [Case("package", "working")],
    "package_resume": [Case("package", "returned", body=REVISION | {"client_key": key()}, writer_only=True)],
    "work_next": [Case("package", "working", writer_only=True)],
    "draft_save": [Case("package", "working", body=CONTENT | {"seq": 1}, writer_only=True)],
    "item_submit": [Case("package", "working", body=CONTENT | {"client_key": key()}, writer_only=True)],
    "package_self_check": [
        Case(
            "package",
            "working",
            body=REVISION | {"items": [{"id": 1, "revision_no": 0}], "client_key": key()},
            writer_only=True,
        )
    ],
    "package_hand_over": [Case("package", "working", body=REVISION | {"client_key": key()}, writer_only=True)],
    "package_sheet": [Case("package", "reviewing")],
    "package_review_take": [Case("package", "handed_over", body=REVISION | {"client_key": key()}, judges=True)],
    "item_review": [
        Case(
            "package",
            "reviewing",
            body={"revision_no": 1, "outcome": "accept", "client_key": key()},
            judges=True,
            reviewer_only=True,
        )
    ],
    "package_review_complete": [
        Case("package", "reviewing", body=REVISION | {"client_key": key()}, judges=True, reviewer_only=True)
    ],
    "inspection_show": [Case("package", "inspecting", judges=True), Case("package", "passed")],
    "item_inspect": [
        Case("package", "inspecting", body={"revision_no": 1, "outcome": "right", "client_key": key()}, judges=True)
    ],
    "package_inspection_complete": [Case("package", "inspecting", body=REVISION | {"client_key": key()}, judges=True)],
    "item_history": [Case("package", "passed")],
}
# Let in, but the rows stand one step before what these finish: they are refused for the state, which is no 401-404.
REFUSED_FOR_STATE = {
    "package_resume",  # another package is open
    "package_hand_over",
    "package_review_complete",
    "package_inspection_complete",
    "package_build",
    "release_freeze",
}


def operations(resolver=None, prefix="/"):
    """Every operation with method and address, read from the URL conf."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from operations(entry, address)
        elif isinstance(entry, URLPattern) and issubclass(getattr(entry.callback, "view_class", object), Operation):
            for method, name in entry.callback.view_class.operations.items():
                yield name, method, address


CAPABILITIES = {role["code"]: tuple(role["capabilities"]) for role in ROLES} | {"owner": ("own",)}


def reach_of(role: str, operation: str) -> Reach:
    """How far a standard role reaches by itself."""
    return reach([Grant(None, None, role, capabilities=CAPABILITIES[role])], None, operation)


def expected(case: Case, operation: str, role: Role, relation: str) -> bool:
    """Whether the permission table lets somebody in."""
    if case.row == "site":
        return operation in SIGNED_IN or reach_of(role, operation) is not Reach.NONE
    if role is Role.OWNER:
        width = reach_of(role, operation)
    elif relation == "unknown":
        return False
    else:
        width = reach_of(Role.CONTRIBUTOR if relation == "guest" else role, operation)
    if width is Reach.NONE:
        return False
    if case.row in ("benchmark", "plain"):
        return True
    if case.judges:
        # Nobody judges what they made; in an inspection the reviewer has made something too.
        made = relation == "written" or (relation == "reviewed" and case.state == "inspecting")
        if made:
            return False
        if case.reviewer_only:
            return relation == "reviewed"
    if case.writer_only:
        return relation == "written"
    if width is Reach.ALL:
        return True
    if operation == "media_show" and case.row == "package":
        return width is Reach.ASSIGNED and relation == "written"
    return relation == "written" or (relation == "reviewed" and width is Reach.ASSIGNED)


class Rows:
    """Makes the rows that addresses name, straight into the tables."""

    def __init__(self) -> None:
        self.number = 0

    def image(self, here: World, contributor: Person, state: str = "received") -> dict[str, Any]:
        self.number += 1
        made = Image.objects.create(
            benchmark=here.benchmark,
            number=self.number,
            sha256=f"{self.number:064x}",
            phash=self.number,
            width=800,
            height=600,
            contributor=contributor,
            source={"kind": "own", "url": "", "author": ""},
            licence="own-work",
            state=state,
            client_key=uuid.uuid4(),
        )
        for role in ("clean", "view", "thumb"):
            file = f"renditions/{made.pk}/1-{role}.webp"
            write(Path(settings.MEDIA_ROOT) / file)
            thumb = Rendition.objects.create(
                image=made, role=role, sha256="0" * 64, bytes=1, width=8, height=6, key=file
            )
        return {"image": made.pk, "rendition": thumb.pk, "role": "thumb", "extension": "webp"}

    def package(self, here: World, state: str, writer: Person, reviewer: Person) -> dict[str, Any]:
        self.number += 1
        protocol = here.benchmark.protocol
        picture = self.image(here, here.stranger, "accepted")
        item_state = {"working": "todo", "returned": "returned", "passed": "accepted"}.get(state, "made")
        written = int(item_state != "todo")
        item = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image_id=picture["image"],
            number=self.number,
            state=item_state,
            revision_no=written,
            accepted_no=1 if item_state == "accepted" else None,
        )
        if written:
            ItemRevision.objects.create(
                item=item,
                no=1,
                author=writer,
                origin="annotator",
                content=five_captions(self.number),
                protocol=protocol,
                client_key=uuid.uuid4(),
            )
        package = Package.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            number=self.number,
            protocol=protocol,
            state=state,
            assignee=writer,
            reviewer=reviewer,
            round=1,
        )
        PackageItem.objects.create(package=package, item=item, position=1)
        if state in ("inspecting", "passed"):
            drawn = Inspection.objects.create(
                package=package,
                round=1,
                seed=b"0" * 16,
                population=1,
                percent=25,
                pass_over_percent=97,
                size=1,
                errors_allowed=0,
                outcome="passed" if state == "passed" else "",
                inspector=here.curator2 if state == "passed" else None,
            )
            InspectionSample.objects.create(inspection=drawn, item=item, revision_no=1, stratum="random", ordinal=1)
        return picture | {"package": package.pk, "item": item.pk}

    def plain(self, here: World) -> dict[str, dict[str, Any]]:
        made = {}
        for number, state in enumerate(("draft", "frozen"), 1):
            values = {"event_id": 1, "frozen_at": timezone.now()} if state == "frozen" else {}
            release = Release.objects.create(
                benchmark=here.benchmark,
                number=number,
                kind="captions",
                protocol=here.benchmark.protocol,
                seed=1,
                state=state,
                **values,
            )
            made[state] = {"release_id": release.pk, "name": "a.jsonl"}
        file = ReleaseFile.objects.create(
            release_id=made["frozen"]["release_id"], name="a.jsonl", bytes=1, sha256="0" * 64
        )
        write(Path(settings.MEDIA_ROOT) / "releases" / str(file.release_id) / file.name)
        job = Job.objects.create(task="x", dedupe_key=str(here.benchmark.pk), benchmark_id=here.benchmark.pk)
        made["job"] = {"job_id": job.pk}
        return made


def write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")


def digest() -> list[tuple]:
    """Every row of every table of ours as one checksum and a count a table."""
    tables = sorted(
        m._meta.db_table
        for label in ("curation", "annotation", "evaluation")
        for m in apps.get_app_config(label).get_models()
    )
    each = (f"select '{t}', count(*), md5(string_agg(r::text, '|' order by r::text)) from {t} r" for t in tables)
    with connection.cursor() as cursor:
        cursor.execute(" union all ".join(each))
        return cursor.fetchall()


STATES = ("working", "returned", "handed_over", "reviewing", "inspecting", "passed")


@pytest.fixture
def stage(tmp_path):
    """People, browsers, and for each person and relation the rows."""
    settings.MEDIA_ROOT, before = tmp_path / "media", settings.MEDIA_ROOT
    here = {
        "here": picture_world(),
        "guest": picture_world("guest", "guest-"),
        "unknown": picture_world("unknown", "unknown-"),
    }
    home, rows = here["here"], Rows()
    people = {role: getattr(home, role.value) for role in Role}
    for role, who in people.items():
        if role is not Role.OWNER:
            RoleGrant.objects.create(person=who, benchmark=here["guest"].benchmark, role=Role.CONTRIBUTOR)
            agree(who, here["guest"].benchmark)
    targets: dict[tuple, dict[str, Any]] = {}
    elsewhere = (("others", "here"), ("guest", "guest"), ("unknown", "unknown"))
    writers = {slug: person(f"writer-{slug}", w.benchmark, Role.ANNOTATOR) for slug, w in here.items()}
    for relation, slug in elsewhere:
        for state, row in rows.plain(here[slug]).items():
            targets["plain", state, relation] = row
        targets["image", "", relation] = rows.image(here[slug], writers[slug])
        for state in STATES:
            targets["package", state, relation] = rows.package(here[slug], state, writers[slug], here[slug].senior2)
    for role, who in people.items():
        partner = person(f"partner-{role}", home.benchmark, Role.ANNOTATOR)
        targets["image", "", "written", role] = rows.image(home, who)
        for state in STATES:
            targets["package", state, "written", role] = rows.package(home, state, who, home.senior2)
            targets["package", state, "reviewed", role] = rows.package(home, state, partner, who)
    yield {role: signed_in(who) for role, who in people.items()}, targets
    settings.MEDIA_ROOT = before


def ask(browser: Client, method: str, address: str, case: Case, row: dict[str, Any]):
    """Send the request that fits."""
    for name, value in (row | case.named).items():
        for converter in ("int", "slug", "str"):
            address = address.replace(f"<{converter}:{name}>", str(value))
    address += case.query
    if case.form:
        photo = SimpleUploadedFile("a.jpg", pictures.jpeg(7), "image/jpeg")
        body = {"source": "own", "licence": "own-work", "client_key": key(), "file": photo}
        return browser.post(address, body)
    body = dict(case.body)
    if "items" in body:
        body["items"] = [{"id": row["item"], "revision_no": 0}]
    if method == "GET":
        return browser.get(address)
    return browser.generic(method, address, json.dumps(body), content_type="application/json")


class Walk:
    """Counts what was tried and notes what went wrong."""

    def __init__(self) -> None:
        self.n = 0
        self.wrong: list[str] = []
        self.done: set[str] = set()
        self.before = digest()

    def step(self, told: str, operation: str, let_in: bool, call) -> None:
        """Ask, look at the answer and at every table, and undo whatever was done."""
        self.n += 1
        with transaction.atomic():
            answer = call()
            status = answer.status_code
            if let_in and status < 300:
                self.done.add(operation)
            if (status not in KEPT_OUT) is not let_in or status >= 500 or status == 400:
                self.wrong.append(f"{told} → {status}, {'let in' if let_in else 'kept out'} expected")
            if status in KEPT_OUT and "code" not in answer.json():
                self.wrong.append(f"{told} → a refusal without a code")
            if (status >= 400 or answer.wsgi_request.method == "GET") and digest() != self.before:
                self.wrong.append(f"{told} → changed something")
            if answer.streaming:
                answer.getvalue()  # ends it as a server would, with the database left open
            transaction.set_rollback(True)


def test_walk(stage, capsys):
    browsers, targets = stage
    found = list(operations())
    found = [f for f in found if f[0] not in AWAITED]
    assert {name for name, _, _ in found} == set(CASES) == set(PERMISSIONS) - AWAITED
    walk, nobody = Walk(), Client()
    every = [(o, m, a, case, r) for o, m, a in found for case in CASES[o] for r in ROWS[case.row]]
    for operation, method, address, case, relation in every:
        told = f"{relation}: {method} {operation} {case.state}"
        place, row = (case.row, case.state, relation), {}
        for role, browser in browsers.items():
            if case.row in ("site", "benchmark"):
                row = {"benchmark": SLUGS[relation]}
            else:
                row = targets.get((*place, role)) or targets[place]
            let_in = expected(case, operation, role, relation)
            walk.step(f"{role} {told}", operation, let_in, partial(ask, browser, method, address, case, row))
        walk.step(f"signed out {told}", operation, False, partial(ask, nobody, method, address, case, row))
    with capsys.disabled():
        sys.stdout.write(f"\nwalked {walk.n} combinations of {len(found)} operations\n")
    assert not walk.wrong, "\n".join(walk.wrong)
    assert set(CASES) - walk.done == REFUSED_FOR_STATE
    assert walk.n >= AT_LEAST
