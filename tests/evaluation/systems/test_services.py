"""Systems are added once per state of their files, from description files and from the command line."""

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from pydantic import ValidationError

from curation.core.models import AuditEvent
from curation.core.registry import UnknownEntry
from curation.prompts.rules import Message
from evaluation.answering.services import systems
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.files import fingerprint
from evaluation.backends.registry import BACKENDS
from evaluation.systems import queries, services
from evaluation.systems.errors import SystemFileInvalid, SystemRevisionTaken
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord
from tests.evaluation.backends.checkpoints import write_chinese_clip
from tests.evaluation.backends.tiny_models import write_text
from tests.protocols import names

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "models" / "one"
    made.mkdir(parents=True)
    (made / "config.json").write_text("{}")
    (made / "model.safetensors").write_bytes(b"weights")
    return made


def record(folder, **more) -> SystemRecord:
    given = {
        "slug": "one",
        "name": "One",
        "description": names("one"),
        "backend": "clip",
        "locator": str(folder),
        "languages": ["zh-Hans"],
    }
    return SystemRecord.model_validate({**given, **more})


def test_a_system_is_named_by_its_files(folder):
    system = services.add_system(record(folder))
    assert system.files_sha256 == fingerprint(folder)
    assert system.revision == system.files_sha256[:12]
    assert (system.description, system.capabilities, system.languages) == (names("one"), ["embed"], ["zh-Hans"])
    event = AuditEvent.objects.get()
    assert (event.action, event.target_id, event.actor_id) == ("system_add", system.pk, None)


def test_adding_again_finds_it(folder):
    first = services.add_system(record(folder))
    (folder / "README.md").write_text("what it is")
    assert services.add_system(record(folder)) == first
    assert (System.objects.count(), AuditEvent.objects.count()) == (1, 1)


def test_other_files_make_another_revision(folder):
    first = services.add_system(record(folder))
    (folder / "model.safetensors").write_bytes(b"other weights")
    second = services.add_system(record(folder))
    assert (first.slug, first.revision) != (second.slug, second.revision)
    assert queries.newest_by_slug(["one", "two"]) == {"one": second}


def test_a_named_revision_never_means_two_things(folder):
    services.add_system(record(folder, revision="v1"))
    (folder / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(SystemRevisionTaken):
        services.add_system(record(folder, revision="v1"))
    assert System.objects.count() == 1


def test_an_unknown_backend_and_a_missing_folder_are_refused(folder):
    with pytest.raises(UnknownEntry):
        services.add_system(record(folder, backend="clop"))
    with pytest.raises(BackendFilesUnfit):
        services.add_system(record(folder / "nowhere"))
    with pytest.raises(BackendFilesUnfit):
        services.add_system(record("nowhere"))
    assert System.objects.count() == 0


def test_a_locator_is_looked_up_in_the_model_folders(folder, settings, tmp_path):
    settings.MODEL_DIRS = [tmp_path / "empty", tmp_path / "models"]
    assert queries.folder_of("one") == folder


def test_the_fingerprint_sees_names_and_contents_not_order_or_notes(folder):
    before = fingerprint(folder)
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x.json").write_text("{}")
    (folder / "training.log").write_text("loss 0.1")
    assert fingerprint(folder) == before
    (folder / "config.json").rename(folder / "settings.json")
    assert fingerprint(folder) != before


def test_shipped_descriptions_are_valid_and_say_that_the_demo_is_no_baseline(settings):
    files = sorted((settings.FIXTURES / "systems").glob("*.yaml"))
    records = {r.slug: r for r in map(queries.read_record, files)}
    assert [f.stem for f in files] == [r.slug for r in map(queries.read_record, files)]
    # Whatever can be fetched can be run, and nothing stands in a record that only fetching can tell.
    assert {r.backend for r in records.values()} == {"", "clip", "demo", "language_model", "scripted"}
    assert all(r.hub_id and not r.locator for r in records.values() if r.backend in ("clip", "language_model"))
    # A record promises only what its backend opens; a model that generates also writes boxes.
    for one in records.values():
        able = BACKENDS[one.backend].capabilities if one.backend else set(one.capabilities)
        assert set(one.capabilities) - {"ground"} <= able, one.slug
    assert all(r.revision is None for r in records.values())
    assert {r.group for r in records.values()} == {"demo", "dual_encoder", "vision_language", "hosted"}
    demo = records["demo-dual-encoder"]
    assert demo.is_demo
    assert "never seen a photograph" in demo.description.en
    assert "从未见过照片" in demo.description.zh_hans


def test_shipped_systems_that_ground_say_how_they_write_boxes(settings):
    records = queries.records().values()
    forms = {record.slug: record.parameters["box_form"] for record in records if "ground" in record.capabilities}
    assert forms == {
        "qwen-vl": "grid1000",
        "qwen-vl-chat": "grid1000",
        "qwen2-vl-7b": "grid1000",
        "qwen2-vl-72b": "grid1000",
        "qwen2-5-vl-7b": "xyxy",
        "qwen2-5-vl-72b": "xyxy",
        "internvl2-8b": "grid1000",
        "internvl2-5-8b": "grid1000",
        "internvl2-5-78b": "grid1000",
    }


@pytest.mark.parametrize(
    ("form", "capabilities", "reason"),
    [
        ("yxyx", ["generate"], "box_form is one of xywh, xyxy, grid1000, fraction"),
        (None, ["generate"], "box_form is one of"),
        ("xyxy", ["embed"], "box_form is for systems that generate replies"),
    ],
)
def test_an_unfit_form_of_boxes_is_refused(folder, form, capabilities, reason):
    with pytest.raises(ValidationError, match=reason):
        record(folder, parameters={"box_form": form}, capabilities=capabilities)
    content = record(folder).model_dump(mode="json", by_alias=True)
    content |= {"parameters": {"box_form": form}, "capabilities": capabilities}
    (folder / "record.yaml").write_text(yaml.safe_dump(content))
    with pytest.raises(SystemFileInvalid, match=reason):
        queries.read_record(folder / "record.yaml")


def test_the_form_of_boxes_is_kept_and_not_handed_to_the_backend(tmp_path, capsys):
    write_text(tmp_path)
    options = {"slug": "tiny", "backend": "language_model", "locator": str(tmp_path), "box_form": "grid1000"}
    call_command("add_system", **options)
    system = System.objects.get()
    assert (system.parameters, system.capabilities) == ({"box_form": "grid1000"}, ["generate", "likelihood"])
    assert capsys.readouterr().out == f"tiny {system.revision} ({system.files_sha256})\n"
    assert systems.find("tiny").box_form == "grid1000"
    (reply,) = systems.find("tiny").open_generator().generate([Ask((Message("user", ("?",)),))], Decoding(max_tokens=1))
    assert reply.tokens_in > 0


def test_fixture_systems_are_added_once_and_one_without_files_is_left_out(folder, settings, tmp_path):
    settings.FIXTURES, settings.MODEL_DIRS = tmp_path, [tmp_path / "models"]
    (tmp_path / "systems").mkdir()
    for slug in ("one", "two"):
        (tmp_path / "systems" / f"{slug}.yaml").write_text(
            f"slug: {slug}\nname: {slug}\nbackend: clip\nlocator: {slug}\n"
            "description: {zh-Hans: 甲, zh-Hant: 甲, en: a}\n"
        )
    for _ in range(2):
        assert [s.slug for s in services.ensure_fixture_systems()] == ["one"]
    assert System.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("slug: One\n", "slug: String should match"),
        ("slug: one\ncolour: red\n", "colour: Extra inputs"),
        ("slug: [", "while parsing"),
        ("- 1", "valid dictionary"),
    ],
)
def test_a_faulty_description_names_its_fault(tmp_path, text, reason):
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(SystemFileInvalid, match=reason):
        queries.read_record(tmp_path / "x.yaml")


def test_a_system_is_never_changed(folder):
    services.add_system(record(folder))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        System.objects.update(files_sha256="0" * 64)


def command(folder, *more):
    call_command(
        "add_system", "--slug", "tiny-cn-clip", "--backend", "clip", "--locator", str(folder), *more, verbosity=0
    )


def test_the_command_adds_a_folder_after_loading_it(tmp_path, capsys):
    folder = write_chinese_clip(tmp_path / "cn")
    command(folder, "--name", "Tiny", "--max-length", "20", "--licence", "MIT", "--languages", "zh-Hans", "en")
    system = System.objects.get()
    assert capsys.readouterr().out.strip() == f"tiny-cn-clip {system.revision} ({fingerprint(folder)})"
    assert (system.name, system.parameters, system.licence) == ("Tiny", {"max_length": 20}, "MIT")
    assert (system.languages, system.description) == (["zh-Hans", "en"], names("Tiny"))


def test_the_command_refuses_what_does_not_load(folder):
    with pytest.raises(CommandError, match="backend_files_unfit"):
        command(folder)
    with pytest.raises(CommandError, match="slug: String should match"):
        call_command("add_system", "--slug", "No Slug", "--backend", "clip", "--locator", str(folder))
    assert System.objects.count() == 0
