"""The order of asks, pictures at their scale, examples, and inputs that a system refuses."""

import io
from datetime import datetime
from fractions import Fraction

import numpy as np
import pytest
from PIL import Image

from curation.calls.errors import CallFailed, CallInDoubt, CallWaits
from evaluation.answering.rules.order import in_chunks
from evaluation.answering.services.patience import PAUSES, patiently
from evaluation.answering.services.progress import Progress
from evaluation.backends.asks import Decoding, Generated
from evaluation.backends.errors import InputTooLong
from evaluation.suites.rules import Entry
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import text


def test_pictures_with_the_longest_texts_come_first_and_are_never_split():
    entries = [Entry(str(i), i, f"p{i % 4}", {"n": n}) for i, n in enumerate([3, 9, 1, 1, 2, 4, 8, 1, 1])]
    chunks = in_chunks(entries, lambda entry: entry.values["n"], 4)
    # p1 has 9 and 4, p2 has 1 and 8, p0 has 3, 2 and 1, p3 has 1 and 1
    assert [[entry.key for entry in chunk] for chunk in chunks] == [["1", "5", "2", "6"], ["0", "4", "8"], ["3", "7"]]
    assert in_chunks(entries, lambda entry: entry.values["n"], 1)[1] == [entries[2], entries[6]]


def test_the_shifts_of_a_picture_share_its_key_in_one_call(tmp_path, double, answered):
    answered("cmmu", benchmarks.cmmu(tmp_path), batch=4)
    shifts = [ask for ask in double.asks if "光是什么" in text(ask)]
    assert len({ask.picture_key for ask in shifts}) == 1
    places = [double.asks.index(ask) for ask in shifts]
    assert places == list(range(places[0], places[0] + 4))


@pytest.mark.parametrize(("scale", "size"), [("4", (256, 192)), ("1/8", (8, 6))])
def test_pictures_at_a_scale(tmp_path, double, answered, scale, size):
    answered("vistai", benchmarks.vistai(tmp_path), scale=Fraction(scale))
    assert {ask.picture.size for ask in double.asks} == {size}
    assert all(ask.picture_key.endswith(f":{scale}") for ask in double.asks)


def test_pictures_are_sent_on_white_upright_and_in_8_bits(tmp_path, double, answered):
    gold = benchmarks.vistai(tmp_path)
    folder = tmp_path / "pictures"
    transparent = Image.new("RGBA", (64, 48), (0, 0, 0, 0))
    transparent.paste((10, 20, 30, 255), (0, 0, 32, 48))
    transparent.save(folder / "1.png")
    Image.fromarray(np.full((48, 64), 128 << 8, np.uint16)).save(folder / "2.png")
    exif = Image.Exif()
    exif[0x0112] = 6  # the orientation: a quarter to the right
    Image.new("RGB", (64, 48), (9, 8, 7)).save(folder / "3.png", exif=exif)
    answered("vistai", gold)
    sent = {number: ask.picture for ask in double.asks for number in "123" if f"第{number}題" in text(ask)}
    assert {picture.mode for picture in sent.values()} == {"RGB"}
    assert [sent["1"].getpixel(place) for place in ((0, 0), (63, 47))] == [(10, 20, 30), (255, 255, 255)]
    assert sent["2"].getcolors() == [(64 * 48, (128, 128, 128))]
    assert (sent["3"].size, sent["3"].getpixel((0, 0))) == ((48, 64), (9, 8, 7))


def test_without_pictures_no_folder_is_needed(tmp_path, double, answered):
    answered("vistai", benchmarks.vistai(tmp_path), picture=False, pictures=tmp_path / "nowhere")
    assert all(ask.picture is None and not ask.picture_key for ask in double.asks)
    assert all(isinstance(part, str) for ask in double.asks for message in ask.messages for part in message.parts)


def test_examples_are_drawn_by_a_seed_within_a_subject(tmp_path, double, answered):
    gold = benchmarks.vistai(tmp_path)
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", "ABCDABCD", first=11)
    options = {"setting": "direct", "shots": 2, "shots_from": dev}
    answered("vistai", gold, **options)
    first, double.asks = double.asks, []
    answered("vistai", gold, out="again.jsonl", **options)
    assert [ask.messages for ask in first] == [ask.messages for ask in double.asks]
    for ask in first:
        assert [message.role for message in ask.messages] == ["user", "assistant", "user", "assistant", "user"]
        assert len(ask.shots) == 2
        numbers = [int(message.text.split("第")[1].split("題")[0]) for message in ask.messages[::2]]
        assert len({number % 2 for number in numbers}) == 1  # music has odd numbers
        assert numbers[0] > 10 < numbers[1]
        assert ask.messages[1].text in [f"答案: {letter}" for letter in "ABCD"]


def test_an_input_that_is_refused_costs_its_own_answer_alone(tmp_path, double, answered, scored):
    plain = double.generate

    def generate(asks, decoding):
        if any("第2题" in text(ask) for ask in asks):
            raise InputTooLong(reason="too long")
        return plain(asks, decoding)

    double.generate = generate
    double.replies = {"第": "答案：B"}
    gold = benchmarks.tcc(tmp_path)
    rows = answered("tcc", gold)
    assert [row.get("error") for row in rows] == [None, "input_too_long", None]
    assert scored("tcc-mcq/robust", gold)[0]["n_failed"] == 1


def failing(words, status):
    """A ``generate`` that fails whenever one of the asks has the words."""

    def generate(asks, decoding):
        if any(words in text(ask) for ask in asks):
            raise CallFailed(server="s", status=status, reason="r")
        return [Generated("答案：B", "stop", 1, 1) for _ in asks]

    return generate


def test_a_server_that_refuses_one_request_for_its_content_costs_that_answer(tmp_path, double, answered):
    double.generate = failing("第2题", 413)
    rows = answered("tcc", benchmarks.tcc(tmp_path))
    assert [row.get("error") for row in rows] == [None, "call_failed", None]


@pytest.mark.parametrize(("words", "status"), [("", 400), ("", 413), ("第2题", 401), ("第2题", 404)])
def test_a_server_that_refuses_everything_or_us_ends_the_run(tmp_path, double, answered, capsys, words, status):
    double.generate = failing(words, status)
    gold = benchmarks.tcc(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        answered("tcc", gold)
    assert stopped.value.code == 1
    assert "call_failed: " in capsys.readouterr().err
    double.generate = failing("nothing", 0)
    assert len(answered("tcc", gold)) == 3  # the same command goes on


CHECK = "Reply with the letter A."


@pytest.mark.parametrize("status", [400, 413, 422])
@pytest.mark.parametrize("picture", [True, False])
def test_a_first_chunk_whose_questions_are_all_refused_costs_their_answers_alone(
    tmp_path, double, answered, status, picture
):
    asked = []
    refuse = failing("第", status)
    double.generate = lambda asks, decoding: (
        asked.extend((ask, decoding) for ask in asks if CHECK in text(ask)) or refuse(asks, decoding)
    )
    rows = answered("tcc", benchmarks.tcc(tmp_path), batch=1, picture=picture)
    assert [row.get("error") for row in rows] == ["call_failed"] * 3
    ((check, decoding),) = asked  # once for two chunks, in the way of the questions
    assert decoding == Decoding(max_tokens=8192, detail="low")
    assert ([message.role for message in check.messages], text(check)) == (["user"], CHECK)
    assert (check.picture is not None, check.shots) == (picture, ())


def test_a_server_that_takes_no_pictures_ends_the_run(tmp_path, double, answered, capsys):
    def generate(asks, decoding):
        if any(ask.picture for ask in asks):
            raise CallFailed(server="s", status=400, reason="no pictures")
        return [Generated("答案：B", "stop", 1, 1) for _ in asks]

    double.generate = generate
    with pytest.raises(SystemExit):
        answered("tcc", benchmarks.tcc(tmp_path))
    assert "no pictures" in capsys.readouterr().err


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_chunk_that_a_server_refuses_as_a_whole_ends_no_run_that_has_answers(
    tmp_path, double, answered, monkeypatch, status
):
    gold = benchmarks.tcc(tmp_path)  # two pictures and chunks: questions 1 and 2, then 3
    double.generate = failing("第3题", status)
    rows = answered("tcc", gold, batch=1)
    assert [row.get("error") for row in rows] == [None, None, "call_failed"]

    # Stopped before the chunk that is refused, and gone on with: the answers are in the journal alone.
    double.generate = failing("第3题", 401)
    with pytest.raises(SystemExit):
        answered("tcc", gold, batch=1, out="again.jsonl")
    double.generate = failing("第3题", status)
    assert answered("tcc", gold, batch=1, out="again.jsonl") == rows


@pytest.mark.parametrize(
    ("error", "status", "tries"),
    [
        (CallWaits, None, len(PAUSES) + 1),
        (CallInDoubt, None, 3),
        (CallFailed, 500, len(PAUSES) + 1),
        (CallFailed, 503, len(PAUSES) + 1),
        (CallFailed, 404, 1),
    ],
)
def test_a_server_that_takes_no_requests_is_waited_for(error, status, tries):
    progress, pauses, calls = Progress(io.StringIO(), 1), [], []

    def ask():
        calls.append(1)
        raise error(server="s", reason="r", **({} if status is None else {"status": status}))

    with pytest.raises(error):
        patiently(ask, progress, pauses.append)
    assert len(calls) == tries
    assert pauses == list(PAUSES[: tries - 1])
    calls.clear()
    assert patiently(lambda: calls.append(1) or len(calls), progress, pauses.append) == 1


def test_progress_adds_up_the_cost_of_all_processes():
    progress = Progress(io.StringIO(), 40)
    progress.add([{"key": "a"}] * 10, here=False, cost=["0.10", "USD"])
    progress.add([{"key": "b"}] * 10, cost=["0.30", "USD"])
    assert "0.40 USD, 0.80 expected" in progress.text()
    progress.add([{"key": "c"}], cost=["2", "EUR"])  # another benchmark pays
    assert progress.text().endswith("0.40 USD, 2.00 EUR")


def test_progress_says_how_far_when_it_ends_and_what_it_costs():
    now = [0.0]
    stream = io.StringIO()
    progress = Progress(stream, 100, clock=lambda: now[0])
    progress.add([{"key": "a"}] * 10, here=False)
    assert progress.text() == "10 of 100"
    progress.start()
    assert stream.getvalue() == "10 of 100\n"  # before the first chunk, which may take long
    now[0] = 20.0
    progress.add([{"key": "b", "tokens": [100, 5]}] * 40)
    words = progress.text().split(", ")
    assert words[:2] == ["50 of 100", "2.0 a second"]
    assert words[2].startswith("ends ")
    assert datetime.strptime(words[2][5:], "%H:%M")  # noqa: DTZ007  (a time of day)
    assert progress.text().endswith("4,000 + 200 tokens")
    progress.show()
    progress.show()
    progress.show(last=True)
    assert stream.getvalue().count("\n") == 3
