import type { useTranslation } from "react-i18next";

/** "cluster-bootstrap-percentile-1000" in words, with its number. */
export function methodText(t: ReturnType<typeof useTranslation<"statistics">>["t"], method: string): string {
  const [, name = method, times] = /^(.*?)(?:-(\d+))?$/.exec(method) ?? [];
  return t([`method.${name}`, "method.other"], { method, times: times ?? "" });
}
