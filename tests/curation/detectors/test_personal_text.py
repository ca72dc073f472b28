"""Which lines are proposed to be covered: lines as they stand on signs, cars, walls and packages."""

import pytest

from curation.detectors.personal_text import is_password_label, personal

PLATES = [
    "京A·12345",
    "沪A D12345",
    "沪AD12345",
    "粤B·F8888",
    "粵Z 1234港",
    "川A1234警",
    "蒙K·2739挂",
    "津 A 98765",
    "AB 1234",
    "HK123",
    "MA-12-34",
    "ABC-1234",
    "ABC1234",
    "1234-AB",
    "AB-1234",
    "MWR-589",
    "123-ABC",
    "KA 01 AB 1234",
    "TS09EA1234",
    "AB12 CDE",
    "AB-123-CD",
    "M-XY 123",
    "B AB 1234E",
    "7ABC123",
    "SBA 1234 A",
    "WXY 1234",
    "品川300 あ12-34",
    "123가 4567",
    "12가3456",
]
TELEPHONES = [
    "13800138000",
    "138 0013 8000",
    "138-0013-8000",
    "电话：138 00138000",
    "手机 +86 138 0013 8000",
    "联系人：王先生 15912345678",
    "订餐热线：87654321",
    "全国统一热线 400-820-8820",
    "010-12345678",
    "0571-87654321",
    "電話：(02) 2345-6789",
    "(02)2345-6789",
    "0912-345-678",
    "0912 345 678",
    "電話 2345 6789",
    "2345 6789",
    "9123-4567",
    "Tel. +852 2345 6789",
    "Tel: 555-01999",
    "(415) 555-0123",
    "415-555-0123",
    "+44 20 7946 0123",
    "020 7946 0123",
    "微信：13800138000",
    "QQ: 12345678",
    "WhatsApp +20 100 123 4567",
    "１３８００１３８０００",
]
EMAILS = ["someone@example.com", "Email: li.na@example.edu.cn", "contact @ example.org", "INFO@EXAMPLE.COM.TW"]
PASSWORDS = [
    "Wi-Fi 密码: lantern2026",
    "密码：88888888",
    "WiFi密碼：abc12345",
    "无线密码是 shop6688",
    "Password: Tea-House-1",
    "password lantern2026",
    "WIFI：Lantern_Guest",
    "WiFi: TeaHouse 5G",
    "密码12345678",
    "PIN: 4711",
]
ADDRESSES = [
    "上海市浦东新区世纪大道100号",
    "中山路 12 号",
    "北京市东城区南锣鼓巷 23 号",
    "弥敦道132-134号",
    "台北市信義區松仁路100號5樓",
    "中山北路二段12巷3弄5號",
    "臺南市中西區民權路二段 64 巷 56 號",
    "人民路一百二十号",
    "阳光小区3栋2单元501室",
    "12樓B室",
    "No. 12, Zhongshan Road",
    "221B Baker Street",
    "1600 Pennsylvania Ave",
    "100 Queen's Road Central",
    "Flat 3A, 12/F, Block B",
    "P.O. Box 1234",
]
IDENTITIES = ["身份证 11010119900307123X", "A123456(7)", "A123456789"]
#: What stands on the same signs, walls and packages and names nobody.
HARMLESS = [
    "欢迎光临 Welcome",
    "福",
    "恭喜发财",
    "豆浆 3元",
    "¥ 38.00",
    "NT$ 120",
    "营业时间 09:00-21:00",
    "2019-2020",
    "1911 1949",
    "2008 2010",
    "1949年10月1日",
    "2026-11-25",
    "净含量 500 g",
    "生产许可证编号 SC10644011300001",
    "GB/T 20977",
    "6901234567892",
    "3号线 2号口",
    "地铁2号线",
    "长安街1号线",
    "Room 101",
    "EXIT",
    "Free Wi-Fi",
    "免费无线网络",
    "忘记密码",
    "密码锁",
    "NO. 1",
    "No 1234",
    "TOP 10",
    "AD 2020",
    "南京东路",
    "Nathan Road",
    "Wall Street",
    "100%",
    "5000 m",
    "第15届",
    "12:30 14:45",
    "麻婆豆腐 42",
    "A4",
    "B2",
    "iPhone 15",
    "CCTV",
    "3.14159265",
    "1,234,567,890",
    "@lantern",
    "小心地滑 CAUTION WET FLOOR",
    "",
]


def _cases() -> list[tuple[str, str]]:
    lists = {
        "plate": PLATES,
        "telephone": TELEPHONES,
        "email": EMAILS,
        "password": PASSWORDS,
        "address": ADDRESSES,
        "identity": IDENTITIES,
    }
    return [(sort, line) for sort, lines in lists.items() for line in lines]


@pytest.mark.parametrize(("sort", "line"), _cases())
def test_lines_that_name_someone_are_found(sort: str, line: str) -> None:
    assert personal(line) == sort


@pytest.mark.parametrize("line", HARMLESS)
def test_other_lines_are_left_alone(line: str) -> None:
    assert personal(line) is None


@pytest.mark.parametrize("line", ["密码", "WiFi 密码：", "Password:", "無線網路密碼"])
def test_a_line_may_announce_a_password(line: str) -> None:
    assert is_password_label(line)
    assert personal(line) is None


@pytest.mark.parametrize("line", ["密码锁", "Password: abc123", "passport"])
def test_no_other_line_announces_one(line: str) -> None:
    assert not is_password_label(line)
