"""Commands right after the installation: no variable is set, and no database listens."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluation.answering import benchmarks

pytestmark = pytest.mark.system
ROOT = Path(__file__).parents[2]
SITE = "A command for a site needs the site's variables: for the demo `. var/env` sets them (docs/deploy.md)."


def manage(*words, python=sys.executable, **variables):
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = [python, "manage.py", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, env=clean | variables, capture_output=True, text=True, check=False)


def test_commands_that_need_no_site_run_without_a_variable(tmp_path):
    gold = benchmarks.tcc(tmp_path)
    answers = tmp_path / "answers.jsonl"
    done = manage("answer", "demo-scripted", "tcc", "--gold", gold, "--no-picture", "--out", answers)
    assert (done.returncode, "3 of 3" in done.stderr) == (0, True), done.stderr
    scored = manage("score", "tcc-mcq/paper", "--gold", gold, "--predictions", answers)
    assert json.loads(scored.stdout)["n_scored"] == 3, scored.stderr
    valid = manage("check_protocol", "fixtures/protocols/cvlue.yaml")
    assert valid.stdout.startswith("cvlue.yaml: cvlue is valid"), valid.stderr
    few = benchmarks.lines(tmp_path / "turns.jsonl", [{"id": 1, "image": "a", "question": "q", "answer": "a"}])
    made = manage("candidates", "--turns", few, "--seed", "1", "--out", tmp_path / "out.jsonl")
    assert (made.returncode, made.stderr.count("\n")) == (2, 1), made.stderr
    backup = manage("check_backup", tmp_path)
    assert backup.stderr == f"CommandError: {tmp_path} is no backup, or half of one: backup.json is not there.\n"
    listed = manage()
    assert (listed.returncode, "    score\n" in listed.stdout, listed.stderr) == (0, True, "")
    assert "--predictions" in manage("help", "score").stdout


def test_commands_for_a_site_say_in_one_line_what_they_lack():
    for words in (("check_counts",), ("create_owner", "a"), ("runserver",)):
        done = manage(*words)
        assert (done.returncode, done.stderr) == (1, f"SECRET_KEY is not set. {SITE}\n")
    done = manage("check_counts", SECRET_KEY="any", DATABASE_URL="postgresql://127.0.0.1:1/none")
    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be reached: ")
    assert done.stderr.endswith(f"{SITE}\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("variables", "line"),
    [
        (
            {"MODEL_SERVER_KEY_GPT": "sesame", "HOSTED_MODEL_SERVERS": "gtp=https://api.example.com/v1"},
            "MODEL_SERVER_KEY_GPT: no such server; MODEL_SERVERS and HOSTED_MODEL_SERVERS list gtp.",
        ),
        ({"MODEL_SERVERS": "big"}, "MODEL_SERVERS wants name=url pairs, the name of a-z, 0-9 and -, at most 32 long."),
        ({"MODEL_SERVER_SECONDS": "sesame"}, "MODEL_SERVER_SECONDS has to be a number."),
        ({"MODEL_SERVER_RETRIES": "2.5"}, "MODEL_SERVER_RETRIES has to be a whole number."),
        ({"MODEL_SERVER_RETRIES": "-1"}, "MODEL_SERVER_RETRIES has to be at least 0."),
    ],
)
def test_wrong_variables_of_model_servers_are_one_line_without_their_value(variables, line):
    done = manage("score", "--list", **variables)
    assert (done.returncode, done.stderr) == (1, f"{line}\n")
    assert "Traceback" in manage("score", "--list", "--traceback", **variables).stderr


def test_another_python_is_sent_to_the_environment(tmp_path):
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    done = manage("score", "--list", python=bare / "bin" / "python")
    assert done.returncode == 1
    assert done.stderr.endswith(
        f" is not installed for {bare}/bin/python: `make setup`, then `.venv/bin/python manage.py …`\n"
    )
    assert done.stderr.count("\n") == 1
