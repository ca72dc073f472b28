import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { MetricTable, useIntervalText } from "./MetricTable";
import { useMetric } from "./metrics";

const figures = [
  { scope: "", metric: "MRR", value: 0.25, low: 0.2, high: 0.3 },
  { scope: "", metric: "mean rank", value: 12.5, low: 11, high: 14.04 },
];

function Table() {
  const metric = useMetric();
  const interval = useIntervalText();
  return (
    <MetricTable
      label="All"
      headings={["System"]}
      rows={[{ key: 1, head: "seer", figures, counts: [] }]}
      show={(figure) => figure && `${metric.value(figure.metric, figure.value)} (${interval(figure)})`}
    />
  );
}

test("a rank is no share: it has no percent, nor have the ends of its interval", async () => {
  await renderScreen(<Table />, { at: "/", path: "/" });
  const headings = screen.getAllByRole("columnheader").map((cell) => cell.textContent);
  expect(headings).toEqual(["System", "MRR", "Mean rank"]);
  const cells = within(screen.getByRole("table")).getAllByRole("cell").map((cell) => cell.textContent);
  expect(cells).toEqual(["25.0% (20.0 – 30.0)", "12.5 (11.0 – 14.0)"]);
});
