import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useChoice } from "./useChoice";

it("keeps what is chosen while the list grows, and chooses all that is shown or none", () => {
  const wrapper = ({ children }: { children: React.ReactNode }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;
  const { result, rerender } = renderHook(({ rows }) => useChoice(rows), { wrapper, initialProps: { rows: [{ id: 1 }, { id: 2 }] } });
  act(() => result.current.toggle(2));
  rerender({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  expect([result.current.ids, result.current.isWhole]).toEqual([[2], false]);
  act(() => result.current.toggleAll());
  expect([result.current.ids, result.current.isWhole]).toEqual([[1, 2, 3], true]);
  act(() => result.current.toggleAll());
  expect(result.current.ids).toEqual([]);
  act(() => result.current.toggle(3));
  rerender({ rows: [{ id: 1 }, { id: 2 }] });
  expect(result.current.ids).toEqual([]);
});
