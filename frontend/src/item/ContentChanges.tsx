/** What differs between two versions of a content, field by field; what is the same is left out. */
import type { WorkRules } from "@/api/types";
import type { Content, KindView } from "@/kinds/kind";
import { PartValue } from "@/kinds/PartValue";
import type { Part } from "@/kinds/tree";
import { changesOf } from "./changes";
import { TextDiff } from "./TextDiff";
import styles from "./diff.module.css";

interface ContentChangesProps {
  before: Content;
  after: Content;
  view: KindView;
  rules: WorkRules;
}

export function ContentChanges({ before, after, view, rules }: ContentChangesProps) {
  return (
    <>
      {view.Changes && <view.Changes before={before} after={after} rules={rules} />}
      <ol className={styles.contentChanges}>
        {changesOf(rules, before, after).changed.map((part) => (
          <li key={part.path}>
            <span className="tiny">
              <view.FieldName rules={rules} path={part.path} content={part.theirs === undefined ? before : after} />
            </span>
            <Change part={part} view={view} rules={rules} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** A part as it was and as it became: texts by what differs in them, other values whole. */
function Change({ part, view, rules }: { part: Part; view: KindView; rules: WorkRules }) {
  const { node, path, base, theirs } = part;
  if (node.type === "text") {
    return <TextDiff before={String(base)} after={String(theirs)} lang={node.lang} dir={node.dir} />;
  }
  const valueOf = (value: unknown) => <PartValue view={view} rules={rules} path={path} node={node} value={value} />;
  return (
    <p>
      <del>{valueOf(base)}</del> → <ins>{valueOf(theirs)}</ins>
    </p>
  );
}
