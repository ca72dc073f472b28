import type { QueryClient } from "@tanstack/react-query";
import { Uploads } from "./uploads";

const perBenchmark = new Map<string, Uploads>();

/** A benchmark's uploads go on while the person looks at other pages, so they live as long as the tab. */
export function uploadsOf(slug: string, client: QueryClient): Uploads {
  let uploads = perBenchmark.get(slug);
  if (!uploads) {
    uploads = new Uploads(slug, undefined, () => {
      void client.invalidateQueries({ queryKey: ["image_list"] });
      void client.invalidateQueries({ queryKey: ["waiting_show"] });
    });
    perBenchmark.set(slug, uploads);
  }
  return uploads;
}
