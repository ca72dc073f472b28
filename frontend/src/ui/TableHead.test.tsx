import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { sortedBy, TableHead } from "./TableHead";
import { useFilters } from "./useFilters";

function List() {
  const filters = useFilters();
  const order = { sort: filters.get("sort") ?? "number", onSort: filters.set };
  return (
    <table>
      <TableHead columns={["State", sortedBy("number", "Item", order), sortedBy("since", "Since", order)]} />
    </table>
  );
}

test("a heading sorts by its column, then in reverse, and says so", async () => {
  const { router } = await renderScreen(<List />, { at: "/?state=made" });
  const orders = () => screen.getAllByRole("columnheader").map((one) => one.getAttribute("aria-sort"));
  expect(orders()).toEqual([null, "ascending", null]);
  await userEvent.click(screen.getByRole("button", { name: "Item" }));
  expect(router.state.location.search).toBe("?state=made&sort=-number");
  expect(orders()).toEqual([null, "descending", null]);
  await userEvent.click(screen.getByRole("button", { name: "Since" }));
  expect(router.state.location.search).toBe("?state=made&sort=since");
  expect(orders()).toEqual([null, null, "ascending"]);
  await userEvent.click(screen.getByRole("button", { name: "Since" }));
  expect(router.state.location.search).toBe("?state=made&sort=-since");
});
