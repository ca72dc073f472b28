/** Deciding about items that as many second people did not find as the protocol lets try, one after the other. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { boardOf } from "@/item/desk";
import { kindView } from "@/kinds/registry";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { useFilters } from "@/ui/useFilters";
import { DecideItem } from "./DecideItem";

export function DecidePage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const filters = useFilters({ replace: true });
  const benchmark = useBenchmark(slug);
  const kinds = useTrackKinds(slug, "pair");
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  return (
    <Page title={t("decide.title")} lead={t(kind === undefined || kindView(kind)?.isClicked ? "decide.lead" : "decide.leadUnclicked")}>
      {kind === undefined ? (
        <Loaded of={benchmark}>{() => <Empty title={t("click.none.title")}>{t("click.none.text")}</Empty>}</Loaded>
      ) : (
        <Deciding key={kind} slug={slug} kind={kind} />
      )}
    </Page>
  );
}

function Deciding({ slug, kind }: { slug: string; kind: string }) {
  const { t } = useTranslation("quality");
  const navigate = useNavigate();
  const list = useList("team_board", { path: { b: slug }, query: { kind, show: "to_check" } });
  /** Items that were decided or left for later; these come again when nothing else is there. */
  const [passed, setPassed] = useState<readonly number[]>([]);
  const board = boardOf(slug, "pair", { kind });
  const waiting = list.rows.flatMap(({ items }) => items.filter(({ state }) => state === "made").map(({ id }) => id));
  const current = waiting.find((id) => !passed.includes(id));
  const pass = (id: number) => {
    const next = [...passed, id];
    setPassed(waiting.every((one) => next.includes(one)) ? [id] : next);
  };
  return (
    <Loaded of={list}>
      {() =>
        current === undefined ? (
          <Empty title={t("decide.empty.title")} actions={<ButtonLink to={board}>{t("panel.leave")}</ButtonLink>}>
            {t("decide.empty.text")}
          </Empty>
        ) : (
          <OneItem key={current} id={current} hasNext={waiting.length > 1} onPassed={() => pass(current)} onLeave={() => void navigate(board)} />
        )
      }
    </Loaded>
  );
}

interface OneItemProps {
  id: number;
  hasNext: boolean;
  onPassed: () => void;
  onLeave: () => void;
}

function OneItem({ id, hasNext, onPassed, onLeave }: OneItemProps) {
  const item = useRead("peer_item_show", { path: { id } }, { fresh: true });
  return <Loaded of={item}>{(data) => <DecideItem item={data} onDecided={onPassed} onNext={hasNext ? onPassed : null} onLeave={onLeave} />}</Loaded>;
}
