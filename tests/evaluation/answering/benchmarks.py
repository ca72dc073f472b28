"""Small files in each benchmark's own form, with pictures."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def picture(path: Path, colour=RED, size=(32, 24)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(path)
    return path


def lines(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return file


def array(file: Path, content: Any) -> Path:
    file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return file


def table(file: Path, rows: list[dict[str, str]]) -> Path:
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return file


PANDA, SUONA = "images/val/A/1-panda/A-1-1.png", "images/val/A/84-suona/A-84-326.png"


def cvlue_pictures(folder: Path) -> Path:
    picture(folder / PANDA, RED)
    picture(folder / SUONA, GREEN, (40, 20))
    return folder


def cvlue_vqa(folder: Path) -> Path:
    rows = [
        {"image": SUONA, "question_id": 66376, "question": "灯是关着的吗？", "answer": "是"},
        {"image": SUONA, "question_id": 66377, "question": "有几只唢呐？", "answer": "2"},
        {"image": PANDA, "question_id": 66378, "question": "熊猫在吃什么？", "answer": "竹子"},
    ]
    return array(folder / "vqa.json", rows)


def cvlue_grounding(folder: Path) -> Path:
    rows = [
        {"ref_id": 1, "image": SUONA, "text": "左边的唢呐", "width": 40, "height": 20, "bbox": [0.0, 0.0, 20.0, 20.0]},
        {"ref_id": 2, "image": PANDA, "text": "熊猫", "width": 32, "height": 24, "bbox": [0.0, 0.0, 32.0, 24.0]},
        {"ref_id": 3, "image": PANDA, "text": "竹子", "width": 32, "height": 24, "bbox": [0.0, 0.0, 8.0, 24.0]},
    ]
    return array(folder / "grounding.json", rows)


def cvlue_dialogue(folder: Path) -> tuple[Path, Path]:
    """Two pictures: rounds 1 and 2 of the one, round 1 of the other; four candidates instead of a hundred."""
    panda = {"image_id": 7, "image": PANDA, "caption": "一只熊猫"}
    suona = {"image_id": 8, "image": SUONA, "caption": "一把唢呐"}
    data = [
        {**panda, "dialog_id": 1, "question": 5, "answer_options": [1, 2, 3, 4], "answer": 3},
        {**panda, "dialog_id": 2, "question": 6, "answer_options": [4, 1, 2, 5], "answer": 4},
        {**suona, "dialog_id": 1, "question": 5, "answer_options": [2, 3, 5, 1], "answer": 1},
    ]
    texts = {
        "dialogs": [
            {
                "image_id": 7,
                "image": PANDA,
                "caption": "一只熊猫",
                "dialog": [{"question": 5, "answer": 3}, {"question": 6, "answer_options": [4, 1, 2, 5]}],
            },
            {
                "image_id": 8,
                "image": SUONA,
                "caption": "一把唢呐",
                "dialog": [{"question": 5, "answer_options": [2, 3, 5, 1]}],
            },
        ],
        "id2question": {"5": "它是什么颜色的？", "6": "它在做什么？"},
        "id2answer": {"1": "红色", "2": "绿色", "3": "黑白相间", "4": "在吃竹子", "5": "不知道"},
    }
    return array(folder / "gold.json", {"data": data}), array(folder / "dialogs.json", texts)


def cvlue_retrieval(folder: Path) -> Path:
    rows = [
        {"image": PANDA, "caption": ["red one", "red two"]},
        {"image": SUONA, "caption": ["green one", "red and blue"]},
    ]
    return array(folder / "retrieval.json", rows)


def cvqa(folder: Path, labels=(1, 3)) -> Path:
    picture(folder / "pictures" / "5919991144272485961.jpg", RED)
    picture(folder / "pictures" / "6.jpg", GREEN)
    rows = [
        {
            "ID": "5919991144272485961_0",
            "Subset": "('Japanese', 'Japan')",
            "Question": "写真のキャラクターの名前は?",
            "Translated Question": "What is the character called?",
            "Options": ["コスモ星丸", "red ミャクミャク", "フリービー", "ハイバオ"],
            "Translated Options": ["Cosmo", "red Myaku-Myaku", "Freebie", "Haibao"],
            "Label": labels[0],
            "Category": "Brands",
            "Image Type": "Self",
        },
        {
            "ID": "6_0",
            "Subset": "('Chinese', 'China')",
            "Question": "这是什么？",
            "Translated Question": "What is this?",
            "Options": ["瓶", "碗", "盘", "green 灯"],
            "Translated Options": ["vase", "bowl", "plate", "green lamp"],
            "Label": labels[1],
            "Category": "Sports",
            "Image Type": "External",
        },
    ]
    return lines(folder / "cvqa.jsonl", rows)


def tcc(folder: Path, answers="BCA", first: int = 1) -> Path:
    rows = []
    for i, answer in enumerate(answers, first):
        picture(folder / "pictures" / f"{(i + 1) // 2}.jpg", (i // 2 * 40 % 256, 90, 90))
        rows.append(
            {
                "id": str(i),
                "Image": f"{(i + 1) // 2}.jpg",
                "Category": "Diet" if i % 2 else "Music",
                "Question": f"第{i}题？",
                **{letter: f"选项{i}{letter}" for letter in "ABCD"},
                "Answer": answer,
                "Explanation": f"解释{i}",
                "Question_en": f"Question {i}?",
                **{f"{letter}_en": f"option {i}{letter}" for letter in "ABCD"},
                "Explanation_en": f"explanation {i}",
            }
        )
    return table(folder / f"VQA{first}.csv", rows)


def cmmu(folder: Path, right="B", file: str = "cmmu.jsonl") -> Path:
    """A question of each type; another file has other questions and pictures."""
    other = "" if file == "cmmu.jsonl" else f"{file}-"
    for i, name in enumerate(("x", "m", "f")):
        picture(folder / "pictures" / f"{other}{name}.png", (len(other), 80 * i, 7))
    common = {"grade_band": "high", "difficulty": "normal", "sub_questions": []}
    rows = [
        {
            **common,
            "id": f"{other}physics_1",
            "type": "multiple-choice",
            "subject": "physics",
            "question_info": "光是什么？",
            "options": ["粒", "波", "热", "声"],
            "answer": right,
            "images": [f"{other}x.png"],
            "solution_info": "解析一",
        },
        {
            **common,
            "id": f"{other}history_2",
            "type": "multiple-response",
            "subject": "history",
            "question_info": "哪些对？",
            "options": ["一", "二", "三", "四"],
            "answer": "AC",
            "images": [f"{other}m.png"],
            "solution_info": "解析二",
        },
        {
            **common,
            "id": f"{other}physics_3",
            "type": "fill-in-the-blank",
            "subject": "physics",
            "question_info": "填空：",
            "options": [],
            "answer": ["粒子性", "二十五牛顿"],
            "images": [f"{other}f.png"],
            "sub_questions": ["光具有______", "力是______"],
            "solution_info": "解析三",
        },
    ]
    return lines(folder / file, rows)


def vistai(folder: Path, file: str = "test.jsonl", answers="ABC", first: int = 1) -> Path:
    rows = []
    for i, answer in enumerate(answers, first):
        subject = "music" if i % 2 else "physics"
        picture(folder / "pictures" / f"{i}.png", (i * 20 % 256, 10, 10), (64, 48))
        options = {letter: f"選項{i}{letter}" for letter in "ABCD"}
        rows.append(
            {
                "qid": str(i),
                "subject": subject,
                "question": f"第{i}題？",
                **options,
                "answer": answer,
                "image": f"{i}.png",
            }
        )
    return lines(folder / file, rows)


def vistai_dialogue(folder: Path) -> Path:
    picture(folder / "pictures" / "1298207433180839936.png", (1, 2, 3), (80, 64))
    row = {
        "thread_id": "1298207433180839936",
        "question": "請問兩種顏色的椅子各自代表什麼？",
        "ground_truth": ": 深藍色椅子代表博愛座",
    }
    return lines(folder / "dialogue.jsonl", [row])


def of_suite(suite: str, folder: Path) -> Path:
    """The gold file of a suite with its pictures in ``pictures``, and beside it that of dialogues' texts."""
    cvlue_pictures(folder / "pictures")
    make = {
        "dialogue": lambda folder: cvlue_dialogue(folder)[0],
        "vqa": cvlue_vqa,
        "grounding": cvlue_grounding,
        "cvqa": cvqa,
        "tcc": tcc,
        "cmmu": cmmu,
        "vistai": vistai,
        "vistai-dialogue": vistai_dialogue,
    }
    return make[suite](folder)


# Other right answers for each row of a suite's file.
VARIED: dict[str, dict[str, list[Any]]] = {
    "vqa": {"answer": ["GOLD-1", "GOLD-2", "GOLD-3"]},
    "grounding": {"bbox": [[1.0, 2.0, 3.0, 4.0]] * 3},
    "cvqa": {"Label": [0, 2]},
    "vistai": {"answer": ["D", "D", "D"]},
    "cmmu": {"answer": ["D", "BD", ["GOLD-1", "GOLD-2"]], "solution_info": ["GOLD"] * 3},
    "vistai-dialogue": {"ground_truth": ["GOLD"]},
}


# How files of hidden splits leave right answers out.
WITHHELD: dict[str, dict[str, list[Any]]] = {
    "vqa": {"answer": ["", "", ""]},
    "grounding": {"bbox": [[], [], []]},
    "cvqa": {"Label": [-1, -1]},
    "vistai": {"answer": ["", None, " "]},
    "cmmu": {"answer": ["", None, []], "solution_info": ["", "", ""]},
}


def with_other_answers(suite: str, gold: Path, answers: dict[str, dict[str, list[Any]]] = VARIED) -> Path:
    """Replace the right answers of a file of JSON."""
    content = gold.read_text()
    rows = json.loads(content) if content.startswith("[") else [json.loads(line) for line in content.splitlines()]
    for field, values in answers[suite].items():
        for row, value in zip(rows, values, strict=True):
            row[field] = value
    return lines(gold, rows)


def parquet(gold: Path, pictures: Path, names: list[str], *, inside: bool = True) -> Path:
    """Write a file of JSON lines as a model hub has it: Parquet with column ``image``, its pictures inside or named."""
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    for row, name in zip(rows, names, strict=True):
        content = (pictures / name).read_bytes() if inside else None
        row["image"] = {"bytes": content, "path": None if inside else name}
    file = gold.with_suffix(".parquet")
    pq.write_table(pa.Table.from_pylist(rows), file, row_group_size=1)
    return file
