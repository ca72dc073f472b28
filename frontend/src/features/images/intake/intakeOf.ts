import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { UploadDetails, UploadRow } from "@/api/types";
import { sendFile } from "@/api/upload";
import type { IntakeView } from "./cards";
import { Intake } from "./intake";
import type { IntakeServer } from "./server";
import { browserMemory } from "./memory";

/** States of uploads that still need someone. */
const OPEN = ["receiving", "checking", "ready", "refused", "failed"] as const;
const PAGE = 100;

function server(slug: string): IntakeServer {
  const path = { b: slug };
  const all = async (state: UploadRow["state"]): Promise<{ rows: UploadRow[]; worker: IntakeView["worker"] }> => {
    const rows: UploadRow[] = [];
    let cursor: string | null = null;
    let worker: IntakeView["worker"];
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ state, page_size: PAGE, cursor });
      rows.push(...page.results);
      worker = { alive: page.worker_alive, waiting: page.waiting };
      cursor = page.next;
    } while (cursor !== null);
    return { rows, worker };
  };
  const list = (query: { state?: UploadRow["state"]; ids?: string; page_size?: number; cursor?: string | null }) => call("upload_list", { path, query });
  return {
    open: async () => {
      const parts = await Promise.all(OPEN.map(all));
      return { rows: parts.flatMap((part) => part.rows), worker: parts[0]?.worker ?? { alive: true, waiting: 0 } };
    },
    rows: async (ids) => {
      const page = await list({ ids: ids.join(","), page_size: PAGE });
      return { rows: page.results, worker: { alive: page.worker_alive, waiting: page.waiting } };
    },
    describe: (ids, details) => call("upload_describe", { path, body: { ids: [...ids], details } }),
    take: async (ids, client_key) => (await call("upload_take", { path, body: { ids: [...ids], client_key } })).results,
    drop: async (id) => {
      await call("upload_drop", { path: { uuid: id } });
    },
  };
}

const intakes = new Map<string, Intake>();
let owner: number | null = null;

/** Ends the uploads of everyone who worked in this tab. */
export function stopIntakes(): void {
  for (const intake of intakes.values()) intake.stop();
  intakes.clear();
}

/** A benchmark's uploads continue while the person looks at other pages, so they live until someone else signs in. */
export function intakeOf(slug: string, person: number, client: QueryClient, missing: (details: UploadDetails) => string[]): Intake {
  if (owner !== person) stopIntakes();
  owner = person;
  let intake = intakes.get(slug);
  if (!intake) {
    const made = new Intake({
      slug,
      send: sendFile,
      server: server(slug),
      memory: browserMemory(person, slug),
      missing,
      onAccepted: () => {
        for (const stale of ["image_list", "image_counts", "waiting_show"]) void client.invalidateQueries({ queryKey: [stale] });
      },
    });
    // Bytes continue while other pages of the application are looked at, so leaving any of them warns.
    window.addEventListener("beforeunload", (event) => {
      if (intakes.get(slug) === made && made.isBusy) event.preventDefault();
    });
    intakes.set(slug, made);
    intake = made;
  }
  return intake;
}
