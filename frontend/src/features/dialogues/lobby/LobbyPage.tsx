/** Where people wait for a partner: which part they take, who else waits, and their dialogues that are not over. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useLive } from "@/api/live/useLive";
import { useRead } from "@/api/queries";
import type { Dialogue, Lobby } from "@/api/types";
import { Button } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { lobbyActions } from "../actions";
import { GuidelineFirst, useGuideline, type GuidelineState } from "./GuidelineFirst";
import { Unfinished } from "./Unfinished";
import { useWaiting } from "./useLobby";
import styles from "./lobby.module.css";

type Part = Dialogue["part"];
type Choice = Part | "both";

export function LobbyPage() {
  const { t } = useTranslation("dialogues");
  const slug = useSlug();
  const lobby = useRead("lobby_show", { path: { b: slug } }, { fresh: true });
  return (
    <Page title={t("lobby.title")} lead={t("lobby.lead")} narrow>
      <Loaded of={lobby}>{(data) => <LobbyOf slug={slug} lobby={data} onChange={() => void lobby.refetch()} />}</Loaded>
    </Page>
  );
}

function LobbyOf({ slug, lobby, onChange }: { slug: string; lobby: Lobby; onChange: () => void }) {
  const { t } = useTranslation("dialogues");
  const navigate = useNavigate();
  const guideline = useGuideline(slug, lobby.kind);
  const [chosen, setChosen] = useState<Choice>("both");
  const waiting = useWaiting(slug, lobby, (id) => void navigate(`/b/${slug}/write/dialogue/${id}`));
  useLive("lobby", lobby.benchmark_id, onChange);
  const { parts } = lobby;
  const chosenParts = parts.length > 1 && chosen !== "both" ? [chosen] : parts;
  const isInOne = lobby.dialogues.some(({ state }) => state === "open");
  const mayWait = parts.length > 0 && !isInOne && waiting.parts === null && !waiting.isBusy && guideline.isReady;
  const wait = mayWait ? () => waiting.wait(chosenParts) : null;
  useActions(lobbyActions, {
    wait,
    stop: waiting.parts === null ? null : waiting.stop,
    acknowledge: guideline.acknowledge,
    leave: () => void navigate(`/b/${slug}`),
  });
  return (
    <>
      {waiting.error && <Problem error={waiting.error} />}
      <Unfinished dialogues={lobby.dialogues} slug={slug} />
      {waiting.parts !== null ? (
        <WaitingNow parts={waiting.parts} others={lobby.others} onStop={waiting.stop} />
      ) : parts.length === 0 ? (
        <Empty title={t("lobby.none.title")}>{t("lobby.none.text")}</Empty>
      ) : (
        !isInOne && <Choose lobby={lobby} chosen={chosen} onChoose={setChosen} wait={wait} isBusy={waiting.isBusy} guideline={guideline} />
      )}
    </>
  );
}

interface ChooseProps {
  lobby: Lobby;
  chosen: Choice;
  onChoose: (chosen: Choice) => void;
  wait: (() => void) | null;
  isBusy: boolean;
  guideline: GuidelineState;
}

function Choose({ lobby: { parts, others }, chosen, onChoose, wait, isBusy, guideline }: ChooseProps) {
  const { t } = useTranslation("dialogues");
  const [only] = parts;
  return (
    <section className={styles.choose} aria-label={t("lobby.choose")} data-testid="choose-part">
      {parts.length > 1 ? (
        <ChoiceChips<Choice>
          className={styles.parts}
          label={t("lobby.choose")}
          showsLabel
          value={chosen}
          onChoose={onChoose}
          choices={(["both", ...parts] as const).map((value) => ({ value, text: t(`part.${value}`), testId: `part-${value}` }))}
        />
      ) : (
        only !== undefined && <p>{t(`lobby.only.${only}`)}</p>
      )}
      <ul className={`dim ${styles.what}`}>
        {parts.map((part) => (
          <li key={part}>{t(`lobby.what.${part}`)}</li>
        ))}
      </ul>
      <GuidelineFirst state={guideline} />
      <p className={styles.others} data-testid="others">
        {others === 0 ? t("lobby.empty") : t("lobby.others", { count: others })}
      </p>
      <Button look="primary" keys="Enter" busy={isBusy} disabled={wait === null} onClick={() => wait?.()} data-testid="wait">
        {t("lobby.wait")}
      </Button>
    </section>
  );
}

function WaitingNow({ parts, others, onStop }: { parts: readonly Part[]; others: number; onStop: () => void }) {
  const { t } = useTranslation("dialogues");
  const part: Choice = parts.length > 1 ? "both" : (parts[0] ?? "both");
  return (
    <section className={`card ${styles.waiting}`} data-testid="waiting">
      <div role="status">
        <h2>
          <span className="spinner" aria-hidden="true" /> {t("lobby.waiting", { part: t(`part.${part}`) })}
        </h2>
        <p data-testid="others">{others === 0 ? t("lobby.alone") : t("lobby.noPair", { count: others })}</p>
        <p className="dim">{t("lobby.keepOpen")}</p>
      </div>
      <div className="row-actions">
        <Button keys="x" onClick={onStop} data-testid="stop-waiting">
          {t("lobby.stop")}
        </Button>
      </div>
    </section>
  );
}
