/** The controls of a run, for the buttons of a list and the keys of a page. */
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { Run } from "@/api/types";

const CONTROLS = ["pause", "resume", "retry", "cancel"] as const;
type Control = (typeof CONTROLS)[number];

export interface RunControls {
  can: (control: Control) => boolean;
  perform: (control: Control) => void;
  busy: Control | null;
  error: ApiError | null;
}

export function useRunControls(run: Pick<Run, "id" | "available_actions" | "status" | "release" | "set">): RunControls {
  const writes = {
    pause: useWrite("run_pause"),
    resume: useWrite("run_resume"),
    retry: useWrite("run_retry"),
    cancel: useWrite("run_cancel"),
  };
  // A run over a release or a set ends by itself; until the worker has closed it there is nothing left to hold or stop.
  const isOver = run.set.origin !== "rolling" && run.status === "done";
  const busy = CONTROLS.find((control) => writes[control].isPending) ?? null;
  // A new attempt resets the others, so that at most one error is shown.
  const failed = CONTROLS.map((control) => writes[control]).filter((write) => write.error !== null);
  return {
    can: (control) => run.available_actions.includes(`run_${control}`) && !(isOver && (control === "pause" || control === "cancel")),
    perform: (control) => {
      for (const one of CONTROLS) writes[one].reset();
      writes[control].mutate({ path: { id: run.id } });
    },
    busy,
    error: failed[0]?.error ?? null,
  };
}
