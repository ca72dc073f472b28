"""What a model replies when it drafts questions."""

import json
from typing import Any


def candidate(n: int) -> dict[str, Any]:
    """The n-th question, in both languages."""
    return {
        "chinese": {
            "question": f"第{n}种神兽守护哪里？",
            "options": ["南方", "北方", "东方", "西方"],
            "explanation": "它守护南方。",
        },
        "english": {
            "question": f"What does creature {n} guard?",
            "options": ["South", "North", "East", "West"],
            "explanation": "It guards the south.",
        },
    }


def reply(count: int) -> str:
    """A reply of so many questions."""
    return json.dumps({"questions": [candidate(n) for n in range(1, count + 1)]}, ensure_ascii=False)
