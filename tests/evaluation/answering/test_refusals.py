"""Everything that is wrong is found before anything is sent, with file, line and field."""

import json
from fractions import Fraction

import pytest
from PIL import Image

from evaluation.management.commands.answer import Command
from evaluation.profiles.forms import FORMS, family
from evaluation.suites.rules import SUITES
from tests.evaluation.answering import benchmarks


@pytest.fixture
def refused(answered, double, capsys):
    """The message with which a request is refused, before the double is asked anything."""

    def run(*args, **options):
        with pytest.raises(SystemExit) as stopped:
            answered(*args, **options)
        assert stopped.value.code == 2
        assert not double.asks
        return capsys.readouterr().err.strip()

    return run


def changed(file, line, **fields):
    rows = [json.loads(row) for row in file.read_text().splitlines()]
    rows[line - 1] |= fields
    return benchmarks.lines(file, rows)


def test_a_picture_that_is_missing_or_is_none(tmp_path, refused):
    gold = benchmarks.vistai(tmp_path)
    (tmp_path / "pictures" / "2.png").write_bytes(b"no picture")
    assert "picture_unreadable: test.jsonl, line 2, field image: 2.png" in refused("vistai", gold)
    (tmp_path / "pictures" / "2.png").unlink()
    assert "picture_missing: test.jsonl, line 2, field image: 2.png is not in" in refused("vistai", gold)
    (tmp_path / "2.png").write_bytes((tmp_path / "pictures" / "1.png").read_bytes())
    changed(gold, 2, image="../2.png")
    assert "picture_missing: test.jsonl, line 2" in refused("vistai", gold)


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_picture_that_a_scale_makes_too_large(tmp_path, double, answered, refused):
    gold = benchmarks.vistai(tmp_path)
    large = tmp_path / "pictures" / "2.png"
    Image.new("1", (4000, 1500)).save(large)
    assert refused("vistai", gold, scale=Fraction(4)) == (
        "picture_too_large: test.jsonl, line 2, field image: "
        "2.png has 4000 × 1500 pixels, and at scale 4 at most 89,478,485 are sent"
    )
    Image.new("1", (10_000, 9_000)).save(large)
    assert "and at most 89,478,485 are sent" in refused("vistai", gold)
    assert len(answered("vistai", gold, scale=Fraction(1, 8))) == 3
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", "AB", first=11)
    Image.new("1", (4000, 1500)).save(tmp_path / "pictures" / "11.png")
    benchmarks.picture(large)
    double.asks.clear()
    options = {"setting": "direct", "shots": 1, "shots_from": dev, "scale": Fraction(4), "out": "b.jsonl"}
    assert "picture_too_large: dev.jsonl, line 1, field image: 11.png" in refused("vistai", gold, **options)


def test_names_of_pictures_that_begin_above_the_folder(tmp_path, double, answered, refused):
    gold = benchmarks.cvlue_vqa(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "all")
    answered("vqa", gold, pictures=tmp_path / "all" / "images" / "val")
    double.asks.clear()
    # The same parts are left out of every name, so that no other folder's picture of that name is taken.
    rows = json.loads(gold.read_text())
    folder = tmp_path / "flat"
    for name in ("1.png", "music/1.png"):
        benchmarks.picture(folder / name)
    benchmarks.array(gold, [rows[0] | {"image": "music/1.png"}, rows[1] | {"image": "physics/1.png"}])
    assert "picture_missing: vqa.json, line 2" in refused("vqa", gold, pictures=folder, out="b.jsonl")
    (folder / "music" / "1.png").unlink()
    assert "picture_ambiguous: music/1.png and physics/1.png" in refused("vqa", gold, pictures=folder, out="b.jsonl")


def test_a_prompt_without_one_of_its_values(tmp_path, refused):
    gold = changed(benchmarks.cvqa(tmp_path), 2, Subset="")
    assert "cvqa.jsonl, line 2, field country: expected a value, which the prompt cvqa-located has" in refused(
        "cvqa", gold, means="text"
    )


@pytest.mark.parametrize(
    ("suite", "line", "fields", "message"),
    [
        ("vistai", 2, {"answer": "?"}, "test.jsonl, line 2, field gold: expected a letter from A"),
        ("vistai", 3, {"question": ""}, "test.jsonl, line 3, field question: expected text"),
        ("vistai", 1, {"B": ""}, "test.jsonl, line 1, field options: expected two to 10 options"),
        ("vistai", 3, {"qid": "1"}, "test.jsonl, line 3, field id: expected each id once; music/1 came before"),
        ("cmmu", 3, {"sub_questions": ["?"]}, "cmmu.jsonl, line 3, field sub_questions: expected a list of 2"),
        ("cmmu", 1, {"type": "essay"}, "cmmu.jsonl, line 1, field type: expected multiple-choice or"),
        ("cvqa", 2, {"Label": -2}, "cvqa.jsonl, line 2, field gold: expected a letter from A, or a number from 0"),
    ],
)
def test_a_line_of_the_gold(tmp_path, refused, suite, line, fields, message):
    gold = getattr(benchmarks, suite)(tmp_path)
    assert message in refused(suite, changed(gold, line, **fields), means="text")


@pytest.mark.parametrize("character", ["\0", "\ud800"])
@pytest.mark.parametrize(
    ("suite", "line", "fields", "name"),
    [
        ("vistai", 2, {"question": "a{}"}, "question"),
        ("vistai", 2, {"qid": "a{}"}, "id"),
        ("vistai", 2, {"image": "a{}"}, "image"),
        ("vistai", 2, {"B": "a{}"}, "options"),
        ("cmmu", 1, {"solution_info": "a{}"}, "explanation"),
    ],
)
def test_a_text_that_cannot_be_kept(tmp_path, refused, suite, line, fields, name, character):
    gold = getattr(benchmarks, suite)(tmp_path)
    rows = [json.loads(row) for row in gold.read_text().splitlines()]
    rows[line - 1] |= {name: text.format(character) for name, text in fields.items()}
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    message = refused(suite, gold)
    assert f"{gold.name}, line {line}, field {name}: expected text without NUL and lone surrogates" in message


def test_texts_of_dialogues_that_cannot_be_kept(tmp_path, refused):
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    content = json.loads(texts.read_text())
    content["id2answer"]["3"] = "a\ud800"
    texts.write_text(json.dumps(content))
    message = refused("dialogue", gold, can=("likelihood",), dialogues=texts)
    assert "gold.json, line 1, field options: expected text without NUL and lone surrogates" in message


@pytest.mark.parametrize("name", ["a" * 5000, f"{'a' * 300}/b.png", "\x1b]0;owned\x07\u202e.png", "pictures/../../a"])
def test_a_name_that_no_picture_has(tmp_path, refused, name):
    gold = changed(benchmarks.vistai(tmp_path), 1, image=name)
    message = refused("vistai", gold)
    shown = name.replace("\x1b", "�").replace("\x07", "�").replace("\u202e", "�")
    assert message == f"picture_missing: test.jsonl, line 1, field image: {shown} is not in {tmp_path / 'pictures'}"


def test_ids_of_dialogues_without_texts(tmp_path, refused):
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    can = ("likelihood",)
    assert "gold.json, line 1, field answer_options: expected the texts of these ids" in refused(
        "dialogue", gold, can=can
    )
    content = json.loads(texts.read_text())
    del content["id2answer"]["5"]
    benchmarks.array(texts, content)
    message = refused("dialogue", gold, can=can, dialogues=texts)
    assert "gold.json, line 2, field answer_options: expected what dialogs.json has (5 is not there)" in message
    benchmarks.array(texts, content | {"dialogs": content["dialogs"][1:]})
    assert "line 1, field image_id, dialog_id: expected what dialogs.json" in refused(
        "dialogue", gold, can=can, dialogues=texts
    )
    texts.write_text("[]")
    assert "dialogs.json, field dialogs: expected an object" in refused("dialogue", gold, can=can, dialogues=texts)


def test_a_system_that_cannot_answer_the_suite(tmp_path, refused):
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    assert refused("dialogue", gold, can=("generate",), dialogues=texts).startswith("no_logprobs: double gives no")
    assert refused("tcc", benchmarks.tcc(tmp_path), can=("embed",)).startswith("system_not_for_suite: tcc needs")
    message = refused("tcc", benchmarks.tcc(tmp_path), means="similarity")
    assert message == "system_not_for_suite: tcc in direct is answered by text, likelihood"


def test_prompts_that_are_not_there(tmp_path, refused):
    gold = benchmarks.vistai(tmp_path)
    free = refused("vistai-dialogue", benchmarks.vistai_dialogue(tmp_path), language="en")
    assert free == "language_missing: vistai-dialogue has no text in en; it has zh-Hant"
    assert "prompt_unknown: vistai-cot has no version 9 in zh-Hant; it has 1, 2, 3" in refused("vistai", gold, prompt=9)
    assert "setting_unknown: vistai has no setting hard; it has cot, direct" in refused("vistai", gold, setting="hard")
    assert "side_missing: " in refused("vistai", gold, side="en")


@pytest.mark.parametrize(
    ("suite", "setting", "prompt"),
    [
        ("vqa", "short", "cvlue-vqa"),
        ("grounding", "", "cvlue-grounding"),
        ("cvqa", "located", "cvqa-located"),
        ("vistai-dialogue", "free", "vistai-dialogue"),
    ],
)
def test_examples_in_a_setting_whose_prompt_shows_none(tmp_path, refused, suite, setting, prompt):
    gold = benchmarks.of_suite(suite, tmp_path)
    message = refused(suite, gold, setting=setting, shots=5, shots_from=gold, means="text")
    assert message == (
        f"prompt_without_examples: no version of {prompt} has a text for examples, "
        f"so the setting {setting or 'box'} takes no --shots"
    )


# CVQA's reads rows of other files with options.
@pytest.mark.parametrize("suite", sorted(set(SUITES) - {"cvqa"}))
def test_the_file_of_another_suite_is_refused_with_both_forms(tmp_path, refused, suite):
    other = "tcc" if suite != "tcc" else "vqa"
    own_form = f"{suite} reads rows {{{', '.join(FORMS[family(SUITES[suite].profiles[0])])}}}"
    gold = benchmarks.of_suite(other, tmp_path)
    can = (SUITES[suite].capability,)
    assert refused(suite, gold, can=can).endswith(f". {own_form}; this row is one of {other}")
    none = benchmarks.lines(tmp_path / "none.jsonl", [{"text": "t"}])
    assert refused(suite, none, can=can).endswith(f". {own_form}")


def test_a_wrong_value_in_a_file_of_the_right_form_is_refused_without_the_form(tmp_path, refused):
    gold = changed(benchmarks.vistai(tmp_path), 2, A="")
    assert refused("vistai", gold) == "test.jsonl, line 2, field options: expected two to 10 options with a text"


def test_names_that_are_not_there(tmp_path, refused):
    gold = benchmarks.vistai(tmp_path)
    assert "unknown_entry: There is no suite called vista" in refused("vista", gold)
    assert f"{tmp_path / 'nowhere.jsonl'}: expected a file that can be read" in refused(
        "vistai", tmp_path / "nowhere.jsonl"
    )
    assert "picture_missing: there is no folder" in refused("vistai", gold, pictures=tmp_path / "nowhere")
    assert "sample_too_large: the file has 3 questions, 4 are to be drawn" in refused("vistai", gold, sample=4)
    assert "nothing_to_ask: " in refused("vistai", benchmarks.lines(tmp_path / "empty.jsonl", []))


def test_examples_never_show_what_is_asked(tmp_path, refused):
    gold = benchmarks.tcc(tmp_path, "ABCD")
    assert "shots_leak: examples whose question or picture is asked as well" in refused(
        "tcc", gold, shots=2, shots_from=gold
    )
    # Another name and another id, the same picture.
    other = benchmarks.tcc(tmp_path, "AB", first=41)
    content = (tmp_path / "pictures" / "1.jpg").read_bytes()
    for name in ("21.jpg", "22.jpg"):
        (tmp_path / "pictures" / name).write_bytes(content)
    assert "shots_leak: " in refused("tcc", gold, shots=1, shots_from=other)
    assert "shots_too_few: 3 examples are needed, the file has 2 with a right answer" in refused(
        "tcc", gold, shots=3, shots_from=other
    )
    assert "shots_too_few: --shots-from names the file" in refused("tcc", gold, shots=1)
    assert "prompt_without_examples: " in refused("tcc", gold, shots=1, shots_from=other, prompt=1)


@pytest.mark.parametrize(
    ("option", "refusal"),
    [
        *((f"--temperature={text}", "invalid temperature from 0 to 2 value") for text in ("-1", "2.1", "nan", "inf")),
        *((f"--scale={text}", "invalid scale value") for text in ("1/0", "3", "-1")),
        *((f"--max-tokens={text}", "invalid number from 1 value") for text in ("0", "-5", "1.5")),
    ],
)
def test_a_number_that_is_none(capsys, option, refusal):
    with pytest.raises(SystemExit) as stopped:
        Command().run_from_argv(["manage.py", "answer", "x", "tcc", "--gold=g", "--out=o", option])
    assert stopped.value.code == 2
    assert refusal in capsys.readouterr().err
