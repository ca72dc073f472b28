"""An installation of the first release, with work in every table, comes through every migration since."""

import hashlib
import json
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.tallies import services as tallies

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

FIRST = [
    ("curation", "0002_composite_keys"),
    ("annotation", "0002_composite_keys"),
    ("evaluation", "0002_composite_keys"),
]
# The last state in which a job held the chunks of a run.
CHUNKS_HELD_BY_JOBS = [
    ("curation", "0004_notices"),
    ("annotation", "0005_counts_and_orders"),
    ("evaluation", "0005_submissions"),
]
OURS = ("curation", "annotation", "evaluation")
NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NAMES = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "lantern"}
PEOPLE = ("owner", "admin", "curator", "senior", "annotator", "annotator2", "contributor")
PICTURES = 8
VARIANTS = ("image", *(f"caption-{i}" for i in range(5)))


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Fill:
    """Rows in every table of the first release, as it wrote them."""

    def __init__(self, apps):
        self.apps = apps
        self.people = {
            name: self.make("curation.Person", username=name, name=f"{name} 名", password="!") for name in PEOPLE
        }
        self.benchmark = self.make("curation.Benchmark", slug="cvlue", title=NAMES)
        self.protocol = self.make(
            "curation.ProtocolVersion",
            benchmark=self.benchmark,
            version=1,
            name="cvlue",
            source_sha256=sha("protocol"),
            content={"roles": [{"code": code, "name": NAMES} for code in PEOPLE[1:]], "kinds": {"captions": {}}}
            | {"taxonomy": {"list": "cvlue"}},
        )
        self.benchmark.protocol = self.protocol
        self.benchmark.save()
        for name, person in self.people.items():
            if name == "owner":
                self.make("curation.RoleGrant", person=person, role="owner")
            else:
                self.make("curation.RoleGrant", person=person, benchmark=self.benchmark, role=name.rstrip("2"))
        self.make("curation.Team", benchmark=self.benchmark, name="first team")
        self.make("curation.PersonSession", session_key="s" * 32, session_data="{}", expire_date=NOW)
        self.make("curation.WorkerSeen", queue="default", name="host:1", seen_at=NOW)
        self.make("curation.AuditEvent", action="made", target_type="benchmark", target_id=self.benchmark.pk)
        self.make("curation.Job", task="a", dedupe_key="open", state="running", lease_until=NOW)
        self.make("curation.Job", task="a", dedupe_key="over", state="done")
        self.make("curation.Job", task="a", dedupe_key="given up", state="cancelled")
        for code in ("disk_full", "model_store_full"):
            params = {"free": 1, "needed": 2}
            self.make("curation.Job", task="a", dedupe_key=code, state="failed", error_code=code, error_params=params)
        self.make("curation.Job", task="evaluation.embed_accepted", dedupe_key="embed:1", state="queued")
        self.pictures()
        self.work()
        self.release()
        self.evaluation()

    def make(self, label, **values):
        return self.apps.get_model(label).objects.create(**values)

    def pictures(self):
        category = self.make(
            "curation.Category",
            benchmark=self.benchmark,
            slug="lantern",
            number=1,
            name=NAMES,
            field="celebrations",
            field_name=NAMES,
            distance="closest",
        )
        self.images = []
        for number in range(1, PICTURES + 1):
            image = self.make(
                "curation.Image",
                benchmark=self.benchmark,
                number=number,
                sha256=sha(f"image {number}"),
                phash=number,
                width=640,
                height=480,
                source={"kind": "own"},
                licence="CC0-1.0",
                client_key=uuid.uuid4(),
                contributor=self.people["contributor"],
                category=category,
                state="accepted",
            )
            image.rendition = self.make(
                "curation.Rendition", image=image, role="clean", sha256=sha(f"r{number}"), bytes=10,
                width=640, height=480, key=f"renditions/{number}.webp",
            )  # fmt: skip
            for outcome in ("refused", "accepted"):
                self.make(
                    "curation.ImageVerdict", image=image, contributor_id=self.people["contributor"].pk, outcome=outcome,
                    judge=self.people["curator"], client_key=uuid.uuid4(),
                )  # fmt: skip
            self.images.append(image)
        self.make("curation.NearPair", image=self.images[0], other=self.images[1], distance=3)

    def work(self):
        self.package = self.make(
            "annotation.Package", benchmark=self.benchmark, kind="captions", number=1, protocol=self.protocol,
            state="passed", assignee=self.people["annotator"], reviewer=self.people["senior"],
        )  # fmt: skip
        inspection = self.make(
            "annotation.Inspection", package=self.package, round=1, seed=b"0" * 16, population=PICTURES, percent=25,
            pass_over_percent=97, size=2, errors_allowed=0, outcome="passed",
        )  # fmt: skip
        self.items = []
        for number, image in enumerate(self.images, 1):
            item = self.make(
                "annotation.Item", benchmark=self.benchmark, kind="captions", number=number, image=image,
                state="accepted", revision_no=1, accepted_no=1,
            )  # fmt: skip
            self.items.append(item)
            self.make("annotation.PackageItem", package=self.package, item=item, position=number)
            self.make(
                "annotation.ItemRevision", item=item, no=1, origin="annotator", author=self.people["annotator"],
                content={"captions": [f"{number} 盏花灯"] * 5}, client_key=uuid.uuid4(), protocol=self.protocol,
            )  # fmt: skip
            self.make(
                "annotation.Verdict", item=item, revision_no=1, author_id=self.people["annotator"].pk, stage="review",
                round=1, outcome="accept", judge=self.people["senior"], client_key=uuid.uuid4(),
            )  # fmt: skip
        for ordinal, item in enumerate(self.items[:2], 1):
            self.make(
                "annotation.InspectionSample", inspection=inspection, item=item, revision_no=1, stratum="random",
                ordinal=ordinal,
            )  # fmt: skip
        self.make(
            "annotation.Package", benchmark=self.benchmark, kind="captions", number=2, protocol=self.protocol,
            state="working", assignee=self.people["annotator2"],
        )  # fmt: skip
        self.make(
            "annotation.Draft", item=self.items[0], author=self.people["annotator2"], base_no=1, seq=4,
            content={"captions": ["草稿"]}, updated_at=NOW,
        )  # fmt: skip

    def release(self):
        self.frozen = self.make(
            "annotation.Release", benchmark=self.benchmark, number=1, kind="captions", seed=7, protocol=self.protocol,
        )  # fmt: skip
        self.make("annotation.ReleaseFile", release=self.frozen, name="captions-test.jsonl", bytes=3, sha256=sha("f"))
        for ordinal, (image, item) in enumerate(zip(self.images, self.items, strict=True)):
            split = "test" if ordinal % 2 else "train"
            self.make("annotation.ReleaseImage", release=self.frozen, image=image, split=split)
            self.make(
                "annotation.ReleaseEntry", release=self.frozen, item=item, image=image, rendition=image.rendition,
                revision_no=1, split=split, ordinal=ordinal,
            )  # fmt: skip
        self.frozen.state, self.frozen.event_id, self.frozen.frozen_at = "frozen", 1, NOW
        self.frozen.save()

    def evaluation(self):
        system = self.make(
            "evaluation.System", slug="demo", name="Demo", backend="demo_encoder", locator="x", revision="1",
            files_sha256=sha("s"), capabilities=["text", "image"],
        )  # fmt: skip
        run = self.make(
            "evaluation.Run", system=system, benchmark=self.benchmark, suite="retrieval", settings_sha256=sha("x"),
            protocol=self.protocol,
        )  # fmt: skip
        for number, item in enumerate(self.items):
            outcome = ("ok", "refused", "failed")[number % 3]
            for variant in VARIANTS:
                more = {"value": {"code": "system_refused_input"}, "raw": "ValueError"} if outcome == "failed" else {}
                more = {"vector": variant.encode().ljust(8)} if outcome == "ok" else more
                self.make(
                    "evaluation.Prediction", run=run, item=item, revision_no=1, variant=variant, outcome=outcome, **more
                )
        self.make(
            "evaluation.Score", run=run, release=self.frozen, profile="p", scope="t2i", metric="R@1", n_expected=8,
            n_scored=6, n_missing=2, gallery_digest=sha("g"), value=0.5,
        )  # fmt: skip


def counts():
    with connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        told = {}
        for (name,) in cursor.fetchall():
            cursor.execute(f'select count(*) from "{name}"')
            told[name] = cursor.fetchone()[0]
    return {name: n for name, n in told.items() if name.split("_")[0] in OURS}


def chunks_in_every_state():
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into evaluation_chunk"
            " (run_id, no, round, entries, size, state, holder, lease_until, attempt, done_at)"
            " select run.id, chunk.* from evaluation_run run, (values"
            " (1, 0, '[]'::jsonb, 0, 'done', 'host:1', null::timestamptz, 1, %(now)s::timestamptz),"
            " (2, 0, '[]'::jsonb, 0, 'held', 'host:1', %(now)s::timestamptz, 1, null),"
            " (3, 0, '[]'::jsonb, 0, 'free', '', null, 0, null)) chunk",
            {"now": NOW},
        )


def said(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def test_an_installation_of_the_first_release_comes_through(other_database):
    other_database(True)
    executor = MigrationExecutor(connection)
    executor.migrate(FIRST)
    Fill(executor.loader.project_state(FIRST).apps)
    before = counts()
    # Nothing of the first release wrote the table of consents yet; it was made anew since.
    assert [name for name, rows in before.items() if not rows] == ["curation_consent"]

    executor = MigrationExecutor(connection)
    executor.migrate(CHUNKS_HELD_BY_JOBS)
    chunks_in_every_state()
    executor = MigrationExecutor(connection)
    executor.migrate([leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] in OURS])

    after = counts()
    # One table was split and the scores are in reports; every other one has the rows it had.
    refused, failed = (len([n for n in range(PICTURES) if n % 3 == left]) for left in (1, 2))
    moved = {"evaluation_prediction": None, "annotation_inspectionsample": None, "evaluation_score": None}
    assert {name: after.get(name) for name in before} == before | moved
    # The sample of an inspection is a draw.
    assert said(
        "select d.purpose, d.kind, d.population, d.size, d.seed, w.stratum, w.ordinal from annotation_inspection i"
        " join annotation_draw d on d.id = i.draw_id join annotation_drawn w on w.draw_id = d.id order by w.ordinal"
    ) == [("inspection", "captions", PICTURES, 2, b"0" * 16, "random", n) for n in (1, 2)]
    assert said("select distinct package_id from annotation_verdict") == [(None,)]
    assert said("select track, excluded_for, count(*) from annotation_item group by 1, 2 order by 2") == [
        ("package", "", PICTURES)
    ]
    # Answers of retrieval are about captions of an item set.
    assert said(
        "select code, message, round, input, count(*) from evaluation_replyfailure group by 1, 2, 3, 4 order by 2"
    ) == [
        ("system_refused_input", "", 0, "picture", 5 * refused),
        ("system_refused_input", "ValueError", 0, "picture", 5 * failed),
    ]
    assert said("select count(*) from evaluation_reply") == [(5 * (PICTURES - refused - failed),)]
    assert said(
        "select profile, report #>> '{metrics,t2i R@1,value}', report ->> 'n_missing', t.origin, t.size"
        " from evaluation_setreport p join evaluation_itemset t on t.id = p.set_id"
    ) == [("p", "0.5", "2", "release", 5 * PICTURES // 2)]
    # Chunks have their own leases: the jobs that held them are over, and so are cancelled ones.
    assert said("select no, state, worker, heartbeat_at, finished_at from evaluation_chunk order by no") == [
        (1, "done", "host:1", None, NOW),
        (2, "running", "host:1", NOW - timedelta(seconds=60), None),
        (3, "queued", "", None, None),
    ]
    assert said("select dedupe_key, state from curation_job order by id") == [
        ("open", "running"), ("over", "done"), ("given up", "done"),
        ("disk_full", "failed"), ("model_store_full", "failed"), ("embed:1", "done"),
    ]  # fmt: skip
    # Full disks had two codes, whose texts are gone.
    full = "select error_code, error_params from curation_job where state = 'failed' order by id"
    assert [(code, json.loads(params)) for code, params in said(full)] == [
        ("storage_full", {"disk": disk, "free": 1, "needed": 2}) for disk in ("media", "models")
    ]
    # What was counted only later was counted for what was there.
    assert said("select distinct no from curation_imageverdict order by 1") == [(1,), (2,)]
    assert said("select distinct verdict_no from curation_image") == [(2,)]
    [(content,)] = said("select content->'roles'->0->>'capabilities' from curation_protocolversion")
    assert "administer" in content
    assert said("select content->'captions'->>4 from annotation_itemrevision order by id limit 1") == [("1 盏花灯",)]
    assert said(
        "select of, kind, state, clear, sum(n)::int from annotation_tally group by 1, 2, 3, 4 order by 1, 3"
    ) == [
        ("image", "", "accepted", False, PICTURES),
        ("item", "captions", "accepted", False, PICTURES),
        ("package", "captions", "passed", False, 1),
        ("package", "captions", "working", False, 1),
    ]
    # The category that there was is version 1 of the list, as the file has others; the protocol names it.
    lists = "select l.name, l.version, l.origin, l.content #>> '{fields,0,categories,0,group}', p.axis"
    assert said(f"{lists} from curation_categorylistversion l join curation_protocollist p on p.list_id = l.id") == [
        ("cvlue", 1, "shipped", "closest", "")
    ]
    assert tallies.check(repair=False) == []
    # Promises are kept anew: nothing was left switched off.
    assert said("select tgrelid::regclass::text from pg_trigger where tgenabled = 'D'") == []
    assert said("select conname from pg_constraint where not convalidated") == []
    with pytest.raises(Exception, match="append"), connection.cursor() as cursor:
        cursor.execute("update curation_imageverdict set outcome = 'refused'")
    assert said("select state, frozen_at from annotation_release") == [("frozen", NOW)]


def test_stored_pictures_get_the_team_of_their_contributor(other_database):
    other_database(True)
    before = [("curation", "0007_bytes_on_the_disk")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    apps = executor.loader.project_state(before).apps
    make = {name: apps.get_model("curation", name).objects.create for name in ("Benchmark", "Person", "Team", "Image")}
    benchmark, other = (make["Benchmark"](slug=slug, title=NAMES) for slug in ("cvqa", "other"))
    teams = {name: make["Team"](benchmark=benchmark, name=name) for name in "abc"}
    teams["elsewhere"] = make["Team"](benchmark=other, name="elsewhere")
    early, late = NOW - timedelta(days=2), NOW + timedelta(days=2)

    def grant(person, team, granted_at, ended_at=None):
        team = teams.get(team)
        where = benchmark if team is None else team.benchmark
        apps.get_model("curation", "RoleGrant").objects.create(
            person=person, benchmark=where, team=team, role=f"annotator{granted_at:%d}",
            granted_at=granted_at, ended_at=ended_at,
        )  # fmt: skip

    # The grants of each contributor of a picture, and the team it gets.
    cases = {
        "in_no_team": ([(None, early)], None),
        "in_one": ([("a", early), (None, early)], "a"),
        "in_one_twice": ([("a", early), ("a", early - timedelta(days=1))], "a"),
        "in_two": ([("a", early), ("b", early)], None),
        "in_two_now_one": ([("a", early), ("b", early, late)], None),
        "left_since": ([("a", early, late)], "a"),
        "moved_since": ([("a", early, late), ("b", late)], "a"),
        "left_before": ([("a", early, early + timedelta(days=1))], None),
        "moved_before": ([("a", early, early + timedelta(days=1)), ("b", early)], "b"),
        "joined_since": ([(None, early), ("c", late)], "c"),
        "joined_two_since": ([("b", late), ("c", late)], None),
        "elsewhere": ([("elsewhere", early)], None),
    }
    for number, (name, (grants, _)) in enumerate(cases.items(), 1):
        person = make["Person"](username=name, name=name, password="!")
        for one in grants:
            grant(person, *one)
        image = make["Image"](
            benchmark=benchmark, number=number, sha256=sha(name), phash=number, width=640, height=480, source={},
            licence="CC0-1.0", client_key=uuid.uuid4(), contributor=person,
        )  # fmt: skip
        apps.get_model("curation", "Image").objects.filter(pk=image.pk).update(created_at=NOW)

    executor = MigrationExecutor(connection)
    executor.migrate([("curation", "0008_teams_and_pairs")])
    got = said(
        "select who.username, team.name from curation_image image join curation_person who on who.id = contributor_id"
        " left join curation_team team on team.id = image.team_id order by image.number"
    )
    assert got == [(name, team) for name, (_, team) in cases.items()]
    assert said("select distinct pair, country, language, script from curation_team") == [("", None, "", "")]


def test_stored_calls_are_summed(other_database):
    other_database(True)
    before = [("curation", "0013_calls")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    apps = executor.loader.project_state(before).apps
    benchmark = apps.get_model("curation", "Benchmark").objects.create(slug="paid", title=NAMES)
    calls = apps.get_model("curation", "Call").objects
    endings = ["answered", "answered", "failed", "sent"]
    for number, state in enumerate(endings):
        made = calls.create(
            benchmark=benchmark, purpose="try", server="big", model="m", holder="x", held_until=NOW, request={},
            request_sha256=hashlib.sha256(b"%d" % number).digest(),
        )  # fmt: skip
        reply = {"reply": "r", "tokens_in": 10, "tokens_out": 5} if state == "answered" else {}
        if state != "sent":
            ended = {"state": state, "held_until": None, "settled_at": NOW, "cost": number + 1}
            calls.filter(pk=made.pk).update(**ended | reply)

    executor = MigrationExecutor(connection)
    executor.migrate([("curation", "0014_call_totals")])
    totals = "select model, state, calls, tokens_in, tokens_out, cost::int from curation_calltotal order by state"
    assert said(totals) == [("m", "answered", 2, 20, 10, 3), ("m", "failed", 1, 0, 0, 3)]
    with connection.cursor() as cursor:
        ended = "state = 'failed', held_until = null, settled_at = now(), cost = 0"
        cursor.execute(f"update curation_call set {ended} where state = 'sent'")
    assert said(totals)[1] == ("m", "failed", 2, 0, 0, 3)


def role_named_outsider(other_database, *, adopted, ended):
    """Just before outsiders: a benchmark with two versions of a protocol, the earlier of which has such a role."""
    other_database(True)
    before = [("curation", "0016_offers_are_withdrawn")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    apps = executor.loader.project_state(before).apps
    make = {
        name: apps.get_model("curation", name).objects.create
        for name in ("Benchmark", "Person", "Team", "ProtocolVersion", "RoleGrant")
    }
    benchmark = make["Benchmark"](slug="cvqa", title=NAMES)
    versions = [
        make["ProtocolVersion"](
            benchmark=benchmark, version=number, name="cvqa", source_sha256=sha(code),
            content={"roles": [{"code": code, "name": NAMES, "capabilities": []}]},
        )
        for number, code in enumerate(("outsider", "guest"), 1)
    ]  # fmt: skip
    benchmark.protocol = versions[0 if adopted else 1]
    benchmark.save()
    person = make["Person"](username="li", name="Li", password="!")
    team = make["Team"](benchmark=benchmark, name="a")
    make["RoleGrant"](
        person=person, benchmark=benchmark, team=team, role="outsider", ended_at=NOW if ended else None,
        granted_at=NOW,
    )  # fmt: skip


@pytest.mark.parametrize(("adopted", "ended"), [(True, True), (False, False)])
def test_a_role_that_a_protocol_calls_outsider_stops_the_update(other_database, adopted, ended):
    role_named_outsider(other_database, adopted=adopted, ended=ended)
    with pytest.raises(RuntimeError, match=r'The role code "outsider" now belongs to .* and cvqa uses it'):
        MigrationExecutor(connection).migrate([("curation", "0017_outsiders")])
    assert said("select role from curation_rolegrant") == [("outsider",)]


def test_ended_grants_of_such_a_role_get_another_name(other_database):
    role_named_outsider(other_database, adopted=False, ended=True)
    MigrationExecutor(connection).migrate([("curation", "0017_outsiders")])
    assert said("select role, team_id is null from curation_rolegrant") == [("former_outsider", False)]
