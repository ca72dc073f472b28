import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { SearchField } from "./SearchField";

const onSearch = vi.fn();

function List() {
  const [search, setSearch] = useState("灯笼");
  return (
    <>
      <SearchField
        label="Search"
        value={search}
        onSearch={(text) => {
          onSearch(text);
          setSearch(text);
        }}
      />
      <button type="button" onClick={() => setSearch("")}>
        clear
      </button>
    </>
  );
}

test("asks once typing pauses, and not for what is shown already", async () => {
  onSearch.mockClear();
  await renderScreen(<List />);
  const box = screen.getByRole("searchbox", { name: "Search" });
  await userEvent.type(box, " 红");
  await waitFor(() => expect(onSearch).toHaveBeenCalledOnce());
  expect(onSearch).toHaveBeenCalledWith("灯笼 红");
  await userEvent.type(box, " ");
  await new Promise((done) => setTimeout(done, 400));
  expect(onSearch).toHaveBeenCalledOnce();
});

test("keys of an input method are not asked for before the word is chosen", async () => {
  onSearch.mockClear();
  await renderScreen(<List />);
  const box = screen.getByRole("searchbox");
  fireEvent.compositionStart(box);
  fireEvent.change(box, { target: { value: "deng long" } });
  await new Promise((done) => setTimeout(done, 400));
  expect(onSearch).not.toHaveBeenCalled();
  fireEvent.change(box, { target: { value: "燈籠" } });
  fireEvent.compositionEnd(box);
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith("燈籠"));
});

test("follows the address when the page clears its filters", async () => {
  onSearch.mockClear();
  await renderScreen(<List />);
  await userEvent.click(screen.getByText("clear"));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
  await new Promise((done) => setTimeout(done, 400));
  expect(onSearch).not.toHaveBeenCalled();
});
