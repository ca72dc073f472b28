"""Lists of addresses: tables as spreadsheets and people write them, with the errors of each line."""

import pytest

from curation.benchmarks.queries import preset
from curation.benchmarks.rules import Images
from curation.url_lists.rules import MOST_LINES, ListRefused, filename_of, read_lines

CATEGORIES = {"lantern": "lantern", "花灯": "lantern", "tea": "tea"}


def limits(protocol="cvlue", **changes):
    return Images.model_validate(preset(protocol).content["images"] | changes)


def read(text, **options):
    return read_lines(text, limits(**options), categories=CATEGORIES)


def faults(text, **options):
    return [(line.number, [(fault.code, fault.params) for fault in line.faults]) for line in read(text, **options)]


def refusal(text):
    with pytest.raises(ListRefused) as refused:
        read(text)
    return refused.value.code, refused.value.params


def test_a_line_has_address_licence_and_author():
    (line,) = read("https://photos.example/1.jpg,CC0-1.0,Li Lei")
    details = {"source": "external", "url": "https://photos.example/1.jpg", "author": "Li Lei", "licence": "CC0-1.0"}
    assert (line.number, line.url, line.details, line.faults) == (1, details["url"], details, [])


def test_category_and_source_page_may_follow():
    text = "https://i.example/1.jpg,cc0-1.0,李雷,花灯,https://photos.example/page/1"
    (line,) = read(text)
    assert line.url == "https://i.example/1.jpg"
    assert line.details == {
        "source": "external",
        "url": "https://photos.example/page/1",
        "author": "李雷",
        "licence": "CC0-1.0",
        "category": "lantern",
    }


@pytest.mark.parametrize(
    "text",
    [
        "url,licence,author\nhttps://a.example/1,MIT,A\n\nhttps://a.example/2,MIT,B\n",
        "\ufeffAuthor,URL,License\r\nA,https://a.example/1,MIT\r\n\r\nB,https://a.example/2,MIT\r\n",
        "作者\t网址\t许可\nA\thttps://a.example/1\tMIT\n\t\t\nB\thttps://a.example/2\tMIT",
        "網址\t授權\t作者\nhttps://a.example/1\tMIT\tA\n \nhttps://a.example/2\tMIT\tB",
        '"url","licence","author"\n"https://a.example/1","MIT","A"\n\n"https://a.example/2","MIT","B"',
    ],
)
def test_columns_may_be_named_in_three_languages_and_any_order(text):
    lines = read(text)
    assert [(line.number, line.url, line.details["author"]) for line in lines] == [
        (2, "https://a.example/1", "A"),
        (4, "https://a.example/2", "B"),
    ]


def test_commas_within_quotation_marks_and_line_breaks_stay_in_their_cell():
    lines = read('https://a.example/1,MIT,"Lei, ""Li""\nBeijing"\nhttps://a.example/2,MIT,B')
    assert [(line.number, line.details["author"]) for line in lines] == [(1, 'Lei, "Li" Beijing'), (3, "B")]


def test_each_line_has_its_own_errors():
    text = "\n".join(
        [
            "https://a.example/1,CC0-1.0,A",
            "https://a.example/1#top,CC0-1.0,A",
            "ftp://a.example/3,CC0-1.0,A",
            "https://a.example/4,,",
            ",CC0-1.0,A",
            "https://a.example/6,GPL,A",
            "https://a.example/7,MIT,A,dragon",
            "https://a.example/8,MIT,A,tea,page.html",
            "https://a.example/9,MIT,A,tea,https://a.example/page,more",
            f"https://a.example/10,MIT,{'A' * 201}",
            "https://me:secret@a.example/11,MIT,A",
            "https://a.example/12,MIT,A\u202eB",
            "https://a.example/13,MIT,A,tea",
        ]
    )
    allowed = [entry.code for entry in limits().licences]
    assert faults(text) == [
        (1, []),
        (2, [("url_repeated", {"line": 1})]),
        (3, [("url_not_web", {"scheme": "ftp"})]),
        (4, [("url_line_incomplete", {"columns": ["licence", "author"]})]),
        (5, [("url_line_incomplete", {"columns": ["url"]})]),
        (6, [("licence_not_allowed", {"licence": "GPL", "allowed": allowed})]),
        (7, [("category_unknown", {"category": "dragon"})]),
        (8, [("url_not_web", {"scheme": ""})]),
        (9, [("url_line_too_wide", {"columns": 6, "maximum": 5})]),
        (10, [("url_author_too_long", {"maximum": 200})]),
        (11, [("url_has_password", {})]),
        (12, [("text_refused", {"reason": "direction_control"})]),
        (13, []),
    ]


def test_an_open_quotation_mark_ends_the_list_at_its_line():
    text = 'https://a.example/1,MIT,A\nhttps://a.example/2,MIT,"B\nhttps://a.example/3,MIT,C'
    assert faults(text) == [(1, []), (2, [("url_line_unreadable", {})])]


def test_the_site_follows_from_the_source_page():
    sites = {"protocol": "cvqa"}
    page = "https://www.flickr.com/photos/1"
    (line,) = read(f"https://live.staticflickr.com/1.jpg,CC-BY-4.0,A,,{page}", **sites)
    assert (line.details["site"], line.details["url"], line.faults) == ("flickr", page, [])
    (line,) = read("https://upload.wikimedia.org/1.jpg,CC-BY-4.0,A", **sites)
    assert (line.details["site"], line.faults) == ("wikimedia_commons", [])
    codes = [site.code for site in limits("cvqa").sites]
    assert faults("https://a.example/1.jpg,CC-BY-4.0,A", **sites) == [
        (1, [("site_not_allowed", {"host": "a.example", "sites": codes})])
    ]
    [(_, [(code, params)])] = faults("https://unsplash.com/1.jpg,CC-BY-4.0,A", **sites)
    assert (code, params["site"], params["allowed"]) == ("site_licence_not_allowed", "unsplash", ["unsplash"])


def test_a_protocol_without_pictures_from_elsewhere_has_none_by_address():
    [(_, [(code, params)])] = faults("https://a.example/1.jpg,MIT,A", sources=["own"])
    assert (code, params) == ("source_not_allowed", {"source": "external", "allowed": ["own"]})


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("", "url_list_empty", {}),
        (" \n\n", "url_list_empty", {}),
        ("url,licence,author\n", "url_list_empty", {}),
        ("url,licence,author,colour\nx", "url_column_unknown", {"column": "colour"}),
        ("url,licence,author,url\nx", "url_column_unknown", {"column": "url"}),
        ("url,author\nx", "url_column_missing", {"columns": ["licence"]}),
        ("x" * 500_001, "url_list_too_long", {"maximum": MOST_LINES}),
        ("https://a.example/1,MIT,A\n" * (MOST_LINES + 1), "url_list_too_long", {"maximum": MOST_LINES}),
    ],
)
def test_a_list_is_refused_as_a_whole(text, code, params):
    refused = refusal(text)
    assert (refused[0], {name: refused[1][name] for name in params}) == (code, params)


def test_a_list_may_have_just_so_many_lines():
    assert len(read("".join(f"https://a.example/{n},MIT,A\n" for n in range(MOST_LINES)))) == MOST_LINES


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/photos/1.JPG?size=large", "1.JPG"),
        ("https://a.example/%E5%9B%BE%E7%89%87.png", "图片.png"),
        ("https://a.example/图片.webp", "图片.webp"),
        ("https://a.example/photo", "photo"),
        ("https://a.example/photo.php.jpg", "picture"),
        ("https://a.example/photo.php", "photo"),
        ("https://a.example/photos.zip", "photos"),
        ("https://a.example/..%2F..%2Fetc%2Fpasswd", "picture"),
        ("https://a.example/%00.jpg", "picture"),
        ("https://a.example/%FF%FE.jpg", "\ufffd\ufffd.jpg"),
        ("https://a.example/%E2%80%AEgpj.exe", "picture"),
        ("https://a.example/", "picture"),
        ("https://a.example/" + "a" * 300 + ".jpg", "picture"),
    ],
)
def test_pictures_are_called_by_the_end_of_their_address(url, name):
    assert filename_of(url) == name
