/** The concepts of a question's picture, on the page of an item: where a release's check leads that found one in a question. */
import type { WorkRules } from "@/api/types";
import { Concepts } from "../concepts/Concepts";
import { rulesOf } from "../kind";
import { rowsOf } from "./rows";
import { useRowName } from "./useRowName";
import styles from "./multipleChoice.module.css";

export function PictureConcepts({ imageId, rules }: { imageId: number; rules: WorkRules }) {
  const { sideName } = useRowName();
  const own = rulesOf(rules, "multiple_choice");
  if (own.concept_in_question !== "forbidden") return null;
  const sides = (rowsOf(own)[0]?.sides ?? []).map((side) => ({ lang: side.node.lang, dir: side.node.dir, name: sideName(side) }));
  return (
    <div className={`card ${styles.choiceConcepts}`}>
      <Concepts isCard imageId={imageId} sides={sides} onReplace={null} drafting={null} onChanged={() => undefined} />
    </div>
  );
}
