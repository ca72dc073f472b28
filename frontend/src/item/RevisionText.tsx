/** A version of an item: the first one whole, later ones by what they changed. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import type { WorkRules } from "@/api/types";
import type { KindView } from "@/kinds/kind";
import { ContentChanges } from "./ContentChanges";
import { changesOf } from "./changes";

type Revision = Answer<"item_history">["revisions"][number];

interface RevisionTextProps {
  revision: Revision;
  before: Revision | undefined;
  view: KindView;
  rules: WorkRules;
}

export function RevisionText({ revision, before, view, rules }: RevisionTextProps) {
  const { t } = useTranslation("kinds");
  if (before === undefined) return <view.Reader content={revision.content} rules={rules} reasons={revision.reasons} />;
  const { changed, same } = changesOf(rules, before.content, revision.content);
  if (changed.length === 0) return <p className="dim">{t("changes.none")}</p>;
  return (
    <>
      <ContentChanges before={before.content} after={revision.content} view={view} rules={rules} />
      {same > 0 && <p className="tiny">{t("changes.rest", { count: same })}</p>}
    </>
  );
}
