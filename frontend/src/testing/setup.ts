import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { toasts } from "@/ui/toasts";

configure({ asyncUtilTimeout: 10_000 });

const missing: string[] = [];

beforeEach(() => {
  const print = console.error;
  vi.spyOn(console, "error").mockImplementation((...message: unknown[]) => {
    if (String(message[0]).startsWith("no text for ")) missing.push(String(message[0]));
    else print(...message);
  });
});
afterEach(() => expect(missing.splice(0)).toEqual([]));

// Files share their modules, and so whatever one leaves in a store of the page.
afterEach(() => {
  cleanup();
  for (const { id } of toasts.snapshot()) toasts.dismiss(id);
  sessionStorage.clear();
  localStorage.clear();
});
