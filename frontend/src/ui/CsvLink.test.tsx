import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { CsvLink } from "./CsvLink";

it.each([
  [{}, "/api/v1/benchmarks/x/items.csv"],
  [{ state: "todo", kind: undefined, search: "灯 笼&" }, "/api/v1/benchmarks/x/items.csv?state=todo&search=%E7%81%AF+%E7%AC%BC%26"],
])("downloads the rows of the list with its filters: %j", (query, href) => {
  render(<CsvLink slug="x" file="items" query={query} />);
  const link = screen.getByTestId("items-csv");
  expect(link.getAttribute("href")).toBe(href);
  expect(link.hasAttribute("download")).toBe(true);
});
