/** Ticking items of a package: the newest tick counts, whether the server has it or it is being sent. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { queryKey } from "@/api/queries";
import type { Package, WorkItem } from "@/api/types";
import { useStore } from "@/store/useStore";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import { TickQueue } from "./tickQueue";

export function useTicks(pkg: Package) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [queue] = useState(
    () =>
      new TickQueue({
        revision: pkg.revision,
        send: async (revision, items, key) => {
          try {
            const answer = await call("package_self_check", { path: { id: pkg.id }, body: { revision, items: [...items], client_key: key } });
            setProblem(null);
            queries.setQueryData(queryKey("package_show", { path: { id: pkg.id } }), answer);
            return answer.revision;
          } catch (error) {
            setProblem(toApiError(error));
            void queries.invalidateQueries({ queryKey: ["package_show"] });
            throw error;
          }
        },
      }),
  );
  const { entries } = useStore(queue);
  useEffect(() => queue.rebase(pkg.revision), [pkg.revision, queue]);
  useFlushOnLeaving(queue);
  return {
    queue,
    problem,
    isTicked: (item: WorkItem) => {
      const unsent = entries.findLast(({ subject }) => subject === item.id);
      return unsent === undefined ? item.checked : unsent.work.revision_no > 0;
    },
  };
}
