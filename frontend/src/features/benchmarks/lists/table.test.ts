import { describe, expect, it } from "vitest";
import { byCell, filled, pasted, rowOf, searchOf, textOf, toCsv, type Row } from "./table";

const rows: Row[] = [{ "name_zh-Hans": "花灯", name_en: 'a "lantern", lit' }, {}, { "name_zh-Hans": "鼓", name_en: "", reason: "r\nr" }];

describe("the table of a list", () => {
  it("is searched by names as they are typed, and by the pinyin that the server computed", () => {
    const row = { "name_zh-Hans": "舞狮", name_en: "Lion dance" };
    expect(searchOf(row, undefined)).toEqual(["舞狮", "", "lion dance", ""]);
    expect(searchOf(row, { search: "舞狮\nlion dance\nwushi\nws" }).slice(3)).toEqual(["舞狮", "lion dance", "wushi", "ws"]);
  });

  it("is written as CSV without its empty rows, and only the columns that are used", () => {
    expect(toCsv(rows).split("\n")).toEqual([
      "name_zh-Hans,name_zh-Hant,name_en,field_zh-Hans,field_zh-Hant,field_en,group,reason",
      '花灯,,"a ""lantern"", lit",,,,,',
      "鼓,,,,,,,r r",
    ]);
    expect(filled(rows)).toHaveLength(2);
  });

  it("takes cells from a spreadsheet, adds rows for them, and drops what is beyond the last column", () => {
    const columns = ["name_zh-Hans", "name_en"];
    expect(pasted([{ "name_zh-Hans": "花灯" }], columns, { row: 0, column: 1 }, "lantern\tmore\r\ndrum\n")).toEqual([
      { "name_zh-Hans": "花灯", name_en: "lantern" },
      { name_en: "drum" },
    ]);
    expect(pasted([], columns, { row: 0, column: 0 }, "one cell")).toBeNull();
  });

  it("is read from files in UTF-8 and in GB 18030", () => {
    const bytes = (...values: number[]) => new Uint8Array(values).buffer;
    expect(textOf(bytes(0xe7, 0x81, 0xaf))).toBe("灯");
    expect(textOf(bytes(0xb5, 0xc6, 0x2c, 0x95, 0x34, 0xb2, 0x35))).toBe("灯,𠮷");
  });

  it("shows a fault at the row as it is counted on the page", () => {
    const fault = { line: 3, column: "name_en", code: "cell_missing", params: {}, message: "" };
    expect([...byCell(rows, [fault])]).toEqual([["2 name_en", fault]]);
    expect(rowOf(rows, 3)).toBe(3);
  });
});
