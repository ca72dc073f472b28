"""The scripted system: replies by rules, without a model."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from curation.prompts.rules import Message, Picture
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.registry import BACKENDS
from evaluation.backends.scripted import ScriptedSystem

ROOT = Path(__file__).resolve().parents[3]
QUESTION = "图中有什么?\nA. 牌坊\nB. 石碑\nC. 城墙\nD. 钟楼"
PLAIN = Decoding()


@pytest.fixture
def write(tmp_path):
    def system(**script):
        (tmp_path / "script.json").write_text(json.dumps(script))
        return ScriptedSystem.load(tmp_path)

    return system


def ask(text=QUESTION, *, key=""):
    return Ask((Message("user", (Picture(), text)),), picture_key=key)


def replies(system, *asks, **decoding):
    return [reply.text for reply in system.generate(asks, Decoding(**decoding))]


def test_the_first_rule_that_fits_makes_the_reply(write):
    rules = [{"when": "牌坊", "replies": ["一"]}, {"when": "图中", "replies": ["二"]}]
    system = write(rules=rules, otherwise="三")
    assert replies(system, ask(), ask("图中?"), ask("?")) == ["一", "二", "三"]


def test_a_choice_is_a_letter_that_the_prompt_lists_and_depends_on_the_prompt(write):
    system = write(rules=[{"when": "", "replies": ["答案：{choice}"]}])
    asked = [ask(key=str(i)) for i in range(40)]
    assert set(replies(system, *asked)) == {"答案：A", "答案：B", "答案：C", "答案：D"}
    assert replies(system, *asked) == replies(system, *asked[::-1])[::-1]
    assert replies(system, ask("(A) 甲 (B) 乙")) in (["答案：A"], ["答案：B"])
    assert replies(system, ask("Mr. X, or A.B?")) == ["答案："]  # no option


def test_only_a_draw_depends_on_the_seed(write):
    system = write(rules=[{"when": "", "replies": ["一", "二", "三"]}])
    assert {replies(system, ask(), seed=seed)[0] for seed in range(20)} == set(replies(system, ask()))
    drawn = [replies(system, ask(), seed=seed, temperature=0.7)[0] for seed in range(20)]
    assert set(drawn) == {"一", "二", "三"}
    assert drawn == [replies(system, ask(), seed=seed, temperature=0.7)[0] for seed in range(20)]


def test_a_reply_is_cut_and_a_prompt_refused(write):
    system = write(rules=[{"when": "no", "replies": [""], "finish": "refused"}], otherwise="四个字呀")
    cut, refused = system.generate([ask("?"), ask("no")], Decoding(max_tokens=2))
    assert (cut.text, cut.finish, cut.tokens_out, cut.tokens_in) == ("四个", "length", 2, 2)
    assert (refused.text, refused.finish) == ("", "refused")


def test_the_reply_ranks_first(write):
    system = write(rules=[{"when": "牌坊", "replies": ["{choice}"]}], otherwise="石碑")
    (letter,) = replies(system, ask())
    ranked = system.rank(ask(), ["A", "B", "C", "D"])
    assert "ABCD"[ranked.sums.index(max(ranked.sums))] == letter
    ranked = system.rank(ask("?"), ["牌坊", "石碑", "石"], count_end=False)
    assert ranked.sums.index(max(ranked.sums)) == 1
    assert (ranked.tokens, ranked.bytes) == ((2, 2, 1), (6, 6, 3))
    assert ranked == system.rank(ask("?"), ["牌坊", "石碑", "石"], count_end=False)
    assert len(set(ranked.sums)) == 3


@pytest.mark.parametrize(
    "script", ['{"rules": [{"when": "(", "replies": ["x"]}]}', '{"rules": [{"when": "x", "replies": []}]}', "[]", "{"]
)
def test_a_script_of_another_form_is_refused(tmp_path, script):
    (tmp_path / "script.json").write_text(script)
    with pytest.raises(BackendFilesUnfit, match=r"script\.json"):
        ScriptedSystem.load(tmp_path)


def test_a_folder_without_a_script_is_refused(tmp_path):
    with pytest.raises(BackendFilesUnfit, match=r"script\.json"):
        ScriptedSystem.load(tmp_path)


def test_the_backend_opens_the_script_that_ships():
    backend = BACKENDS["scripted"]
    assert backend.capabilities == {"generate", "likelihood"}
    folder = ROOT / "fixtures" / "models" / "demo-scripted"
    generator, ranker = backend.open_generator(folder, {}), backend.open_ranker(folder, {})
    (reply,) = generator.generate([ask()], PLAIN)
    assert reply.text in {f"答案：{letter}" for letter in "ABCD"}
    assert len(ranker.rank(ask(), list("ABCD")).sums) == 4


def test_it_needs_no_torch():
    script = "import sys, evaluation.backends.scripted; print('torch' in sys.modules, 'django' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", "False"], done.stderr
