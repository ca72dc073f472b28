import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { makeQueryClient, queryKey, useRead } from "@/api/queries";
import type { Package, WorkItem } from "@/api/types";
import { serve } from "@/testing/server";
import type { TickQueue } from "./tickQueue";
import { useTicks } from "./useTicks";

afterEach(cleanup);

type PackageItems = Package & { items: WorkItem[] };
const request = { path: { id: 2 } };
const sheet = (revision: number, checked: boolean) => ({ id: 2, revision, items: [{ id: 7, revision_no: 1, checked }] }) as PackageItems;

test("an item stays ticked while the server's answer takes the place of the unsent tick", async () => {
  serve({ "POST /api/v1/packages/2/self-check": { body: sheet(5, true) } });
  const shown: boolean[] = [];
  let queue: TickQueue | undefined;
  function Items({ pkg }: { pkg: PackageItems }) {
    const ticks = useTicks(pkg);
    queue = ticks.queue;
    shown.push(...pkg.items.map(ticks.isTicked));
    return null;
  }
  // As on the page, the package is read one component above the ticks.
  function Sheet() {
    const pkg = useRead("package_show", request).data;
    return pkg ? <Items pkg={pkg} /> : null;
  }
  const client = makeQueryClient();
  client.setQueryData(queryKey("package_show", request), sheet(4, false));
  render(
    <QueryClientProvider client={client}>
      <Sheet />
    </QueryClientProvider>,
  );
  act(() => queue?.tick({ id: 7, revision_no: 1 }));
  await waitFor(() => expect([queue?.unsent(), queue?.packageRevision]).toEqual([0, 5]));
  await waitFor(() => expect(shown.at(-1)).toBe(true));
  expect(shown.slice(shown.indexOf(true))).not.toContain(false);
});
