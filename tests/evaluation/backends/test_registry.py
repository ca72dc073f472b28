"""The registry names what exists; importing the whole site does not import torch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curation.core.registry import UnknownEntry
from evaluation.backends.registry import BACKENDS


def test_an_unknown_backend_says_what_exists():
    with pytest.raises(UnknownEntry) as refusal:
        BACKENDS["clpi"]
    assert refusal.value.params == {
        "what": "backend",
        "name": "clpi",
        "known": ["chat", "clip", "demo", "language_model", "scripted", "served"],
        "near": ["clip"],
    }


@pytest.mark.parametrize("module", ["config.urls", "evaluation.tasks"])
def test_web_and_scheduling_processes_stay_free_of_torch(module):
    script = (
        "import django, sys; django.setup(); __import__(sys.argv[1]); "
        "print([m for m in ('torch', 'transformers', 'tokenizers', 'openai') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, module],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
