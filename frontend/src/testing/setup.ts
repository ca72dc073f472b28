import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { toasts } from "@/ui/toasts";

// Files share their modules, and so whatever one leaves in a store of the page.
afterEach(() => {
  cleanup();
  for (const { id } of toasts.snapshot()) toasts.dismiss(id);
  sessionStorage.clear();
  localStorage.clear();
});
