/** Metrics of the profiles, as tables show them. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";

interface Shown {
  /** The key below `sets:metric`: names of metrics have characters that keys may not have. */
  text: string;
  /** Not a share of the questions, which is shown in percent. */
  isNumber?: boolean;
}

const METRICS: Readonly<Record<string, Shown>> = {
  accuracy: { text: "accuracy" },
  IoU: { text: "iou" },
  "IoU>0.5": { text: "iou_half" },
  MCQ: { text: "one" },
  "MCQ plain": { text: "one_plain" },
  MRQ: { text: "several" },
  "MRQ de-duplicated": { text: "several_once" },
  FBQ: { text: "blanks" },
  "bias rate": { text: "bias", isNumber: true },
  "bias rate, all answers": { text: "bias_all", isNumber: true },
  score: { text: "score", isNumber: true },
  votes: { text: "votes", isNumber: true },
  "mean rank": { text: "mean_rank", isNumber: true },
};

export function useMetric(): { name: (metric: string) => string; value: (metric: string, value: number) => string; isShare: (metric: string) => boolean } {
  const { t } = useTranslation("sets");
  const format = useFormat();
  return {
    isShare: (metric) => METRICS[metric]?.isNumber !== true,
    name: (metric) => {
      const shown = METRICS[metric];
      return shown === undefined ? metric : t(`metric.${shown.text}`);
    },
    value: (metric, value) => (METRICS[metric]?.isNumber === true ? format.number(value, 1, 1) : format.percent(value, 1, 1)),
  };
}
