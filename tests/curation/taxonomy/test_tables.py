"""Lists of categories as CSV and YAML: what is filled in, and every fault by line and column."""

import pytest

from curation.taxonomy.queries import category_list
from curation.taxonomy.rules import COLUMNS, LONGEST_LIST, content_sha256, missing_script, read_text, rows_of

HEADER = "name_zh-Hans,name_en,field_zh-Hans,field_en,group\n"
GOOD = (
    HEADER
    + "花灯,lantern,节庆,Celebrations,moderate\n舞狮,lion dance,节庆,Celebrations,closest\n面条,noodles,食物,Food,\n"
)


def faults(text, form="csv"):
    return [(f.line, f.column, f.code, dict(f.params)) for f in read_text(text, form=form, name="mine").faults]


def test_a_table_becomes_a_list_with_slugs_and_traditional_characters():
    made = read_text(GOOD, form="csv", name="mine").categories
    assert [(f.slug, f.name.en, len(f.categories)) for f in made.fields] == [
        ("celebrations", "Celebrations", 2),
        ("food", "Food", 1),
    ]
    assert [(e.number, e.slug, e.name.zh_hant, e.group) for _, e in made.entries()] == [
        (1, "lantern", "花燈", "moderate"),
        (2, "lion_dance", "舞獅", "closest"),
        (3, "noodles", "麵條", ""),
    ]


def test_a_list_has_the_order_of_its_rows_also_where_fields_alternate():
    text = "zh,en,field_zh-Hans,field_en\n鼓,drum,音乐,Music\n面条,noodles,食物,Food\n锣,gong,音乐,Music\n"
    made = read_text(text, form="csv", name="mine")
    assert [(e.number, e.slug) for _, e in made.categories.entries()] == [(1, "drum"), (2, "noodles"), (3, "gong")]
    assert [row["slug"] for row in made.rows] == ["drum", "noodles", "gong"]
    more = read_text(text + "茶,tea,食物,Food\n笛,flute,音乐,Music\n", form="csv", name="mine").categories
    assert [e.slug for _, e in more.with_facts_of(made.categories).entries()][3:] == ["tea", "flute"]


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        ({"zh-Hans": "软件包", "en": "package"}, {"zh-Hant": "軟體包"}),
        ({"zh-Hant": "滑鼠"}, {"zh-Hans": "鼠标"}),
        ({"zh-Hans": "鼓", "zh-Hant": "大鼓"}, {}),
        ({"en": "drum"}, {}),
    ],
)
def test_a_name_in_one_chinese_script_is_converted_to_the_other(names, missing):
    assert missing_script(names) == missing


def test_a_list_in_one_chinese_script_gets_the_other_in_a_table_and_in_a_file():
    table = "名称（繁體）,英文,領域（繁體）,領域（英文）\n滑鼠,mouse,軟體,Software\n"
    file = """
name: mine
source: ""
fields:
- slug: software
  name: {zh-Hant: 軟體, en: Software}
  categories:
  - {slug: mouse, number: 1, name: {zh-Hant: 滑鼠, en: mouse}, definition: {zh-Hans: 硬件, en: hardware}}
"""
    for text, form in ((table, "csv"), (file, "yaml")):
        made = read_text(text, form=form, name="mine").categories
        assert (made.fields[0].name.zh_hans, made.fields[0].categories[0].name.zh_hans) == ("软件", "鼠标")
    assert made.fields[0].categories[0].definition.zh_hant == "硬體"


def test_a_corrected_group_needs_a_reason():
    text = "zh,en,group,reason\n琵琶,pipa,closest,\n鼎,ding,closest,only a sound in WordNet\n"
    assert faults(text) == [(2, "reason", "reason_missing", {"computed": "moderate"})]
    rows = read_text(text.replace("closest,\n", "moderate,\n"), form="csv", name="mine").rows
    assert [(row["group"], row["computed_group"], row["reason"]) for row in rows] == [
        ("moderate", "moderate", ""),
        ("closest", "moderate", "only a sound in WordNet"),
    ]


def test_headings_may_be_chinese_and_cells_separated_by_tabs():
    headings = "類別（簡體）\t类别（英文）\t领域（简体）\t领域（英文）\t定义（简体）\t定义（英文）"
    text = f"{headings}\n花灯\tlantern\t节庆\tFestivals\t挂的灯\tA lamp\n"
    made = read_text("\ufeff" + text, form="csv", name="mine").categories
    entry = made.fields[0].categories[0]
    assert (entry.name.en, entry.definition.zh_hant, made.fields[0].name.zh_hans) == ("lantern", "掛的燈", "节庆")


def test_a_list_without_fields_has_one():
    made = read_text("zh,en\n鼓,drum\n", form="csv", name="mine").categories
    assert [(f.slug, f.name.en) for f in made.fields] == [("categories", "Categories")]


def test_every_fault_names_its_line_and_column():
    text = HEADER + (
        "花灯,lantern,节庆,Celebrations,moderate\n"
        "花燈,lamp,节庆,Festivals,far\n"  # the same name in other characters, another English field, an unknown group
        "\n"
        "鼓,,乐器,Instruments,\n"
    )
    assert faults(text) == [
        (3, "name_zh-Hans", "name_twice", {"first": 2}),
        (3, "name_zh-Hant", "name_twice", {"first": 2}),
        (3, "group", "group_unknown", {"got": "far"}),
        (3, "field_en", "field_differs", {"known": "Celebrations"}),
        (5, "name_en", "cell_missing", {}),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", (1, "", "list_empty", {})),
        (HEADER, (1, "", "list_empty", {})),
        ("colour,name_en\nred,x\n", (1, "colour", "column_unknown", {"column": "colour"})),
        ("en,name_en\nx,x\n", (1, "en", "column_unknown", {"column": "en"})),
        ("group\ncoco\n", (1, "name_zh-Hans", "column_missing", {})),
        ('zh,en\n鼓,"drum\n', (2, "", "line_unreadable", {})),
        ("zh,en\n鼓,drum,more\n", (2, "", "line_too_wide", {})),
        ("zh,en,slug\n鼓,drum,Drum!\n", (2, "slug", "slug_form", {"got": "Drum!"})),
        ("zh,en,slug\n鼓,drum,d\n锣,gong,d\n", (3, "slug", "slug_twice", {"first": 2})),
        (f"zh,en\n鼓,{'x' * 121}\n", (2, "name_en", "too_long", {"maximum": 120})),
        ("zh,en\n鼓\u202e,drum\n", (2, "name_zh-Hans", "text_refused", {"reason": "direction_control"})),
    ],
)
def test_a_fault_is_found(text, fault):
    assert fault in faults(text)


def test_a_list_that_is_too_long_is_refused():
    lines = "".join(f"类{n},category {n}\n" for n in range(LONGEST_LIST + 1))
    assert faults("zh,en\n" + lines) == [(1, "", "list_too_long", {"maximum": LONGEST_LIST})]


def test_yaml_gives_line_and_key():
    text = "name: mine\nsource: x\nfields:\n- slug: a\n  name: {zh-Hans: 甲}\n  categories:\n  - slug: B\n"
    assert [f[:3] for f in faults(text, form="yaml")] == [
        (5, "fields.0.name.en", "key_missing"),
        (7, "fields.0.categories.0.name", "key_missing"),
        (7, "fields.0.categories.0.number", "key_missing"),
        (7, "fields.0.categories.0.slug", "wrong_form"),
    ]


def test_yaml_has_the_rules_of_a_table():
    def entry(slug, number, zh, more=""):
        return f"  - {{slug: {slug}, number: {number}, name: {{zh-Hans: {zh}, zh-Hant: {zh}, en: {slug}}}{more}}}\n"

    head = "name: x\nsource: y\nfields:\n- slug: a\n  name: {zh-Hans: 甲, zh-Hant: 甲, en: A}\n  categories:\n"
    text = head + entry("drum", 4, "鼓", ", group: coco") + entry("gong", 2, "鼓")
    assert [(f[0], f[1], f[2]) for f in faults(text, form="yaml")] == [
        (7, "reason", "reason_missing"),
        (8, "name_zh-Hans", "name_twice"),
        (8, "name_zh-Hant", "name_twice"),
    ]
    good = head + entry("drum", 4, "鼓", ", group: coco, reason: 有") + entry("gong", 2, "锣")
    made = read_text(good, form="yaml", name="mine").categories
    assert (made.source, [(e.slug, e.number) for _, e in made.entries()]) == ("y", [("gong", 2), ("drum", 4)])


def test_a_shipped_list_survives_the_way_through_a_table():
    cvlue = category_list("cvlue")
    rows = rows_of(cvlue)
    quoted = [",".join('"' + row[column].replace('"', '""') + '"' for column in COLUMNS) for row in rows]
    again = read_text("\n".join([",".join(COLUMNS), *quoted]), form="csv", name="cvlue").categories
    assert again.fields == cvlue.fields
    assert content_sha256(again.content() | {"source": cvlue.source}) == content_sha256(cvlue.content())
