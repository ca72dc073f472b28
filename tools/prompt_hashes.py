"""Write the SHA-256 of every shipped prompt as it is rendered, or check that none changed.

``fixtures/prompts/renderings.sha256`` has a line for each prompt and language, rendered with the values below, with one
example where the prompt has a text for examples. Results name a prompt by its name and number, so a changed text is a
new number; this file shows a change that was not meant. ``python -m tools.prompt_hashes`` writes it, ``--check`` writes
nothing and fails on a change.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from curation.prompts.rules import Message, Shot, parse_file, render

FOLDER: Final = Path(__file__).resolve().parent.parent / "fixtures" / "prompts"
GOLDEN: Final = FOLDER / "renderings.sha256"

# With texts that a template language would read: LaTeX, the format's own letter, variables, other scripts.
VALUES: Final[dict[str, Any]] = {
    "question": r"图中 $\frac{a}{{b}}$ 是什么？{{options}} {0} %s \1",
    "options": ["牌坊", "石碑 {{answer}}", "$LETTER", r"\boxed{D}"],
    "answer": "B",
    "response": "答案：B\n{{question}}",
    "country": "中国",
    "category": "建筑",
    "expression": "离货架最近偏白色的狗",
    "caption": "两只熊猫坐在石头上。",
    "history": [("有几只熊猫？", "两只"), ("{{caption}}", "是的")],
    "topic": "Vermilion Bird",
    "text": "The suona held by the man in the blue shirt",
    "language": "中文",
}
SHOT: Final = Shot(
    {
        "question": "这是什么？",
        "options": ["甲", "乙", "丙", "丁"],
        "answer": "A",
        "explanation": "图中是甲。",
        "category": "饮食",
    }
)


def written(messages: tuple[Message, ...]) -> str:
    """Return messages as one JSON text; a picture is null, or the number of its example."""
    return json.dumps(
        [[m.role, [part if isinstance(part, str) else [part.shot] for part in m.parts]] for m in messages],
        ensure_ascii=False,
    )


def lines() -> Iterator[str]:
    """Return the lines of the file, by the prompts' names."""
    for path in sorted(FOLDER.glob("*.yaml")):
        prompt = parse_file(path.read_text(encoding="utf-8"), file=path.name)
        for language in prompt.languages:
            body = prompt.body(language)
            messages = render(body, VALUES, shots=[SHOT] if body.shot else [])
            digest = hashlib.sha256(written(messages).encode()).hexdigest()
            yield f"{digest}  {path.stem}.{language}"


def main() -> int:
    """Write or check the file; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a rendering changed")
    current = "\n".join(lines()) + "\n"
    if not parser.parse_args().check:
        GOLDEN.write_text(current, encoding="utf-8")
        return 0
    if GOLDEN.read_text(encoding="utf-8") != current:
        print("a shipped prompt renders differently: give it a new number, or run `make prompts` if it is not released")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
