/** What second people answered to the texts of an item: a list by round, and their clicks on the picture beside. */
import { useContext, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { Click, ClickRound, PeerItem } from "@/api/types";
import { BaseContext } from "@/kinds/base";
import type { KindView } from "@/kinds/kind";
import { languageOf } from "@/kinds/tree";
import { OnPicture } from "@/picture/PictureSpace";
import { PointMark } from "@/picture/PointMark";
import { Loaded } from "@/ui/Loaded";
import styles from "./clicks.module.css";

interface ClickRoundsProps {
  item: Pick<PeerItem, "id" | "image" | "rules" | "content">;
  view: KindView;
  /** Shows the newest round alone. */
  onlyLast?: boolean;
}

export function ClickRounds({ item, view, onlyLast = false }: ClickRoundsProps) {
  const { t } = useTranslation("item");
  const read = useRead("item_clicks", { path: { id: item.id } });
  const base = useContext(BaseContext);
  const about = { rules: item.rules, base, category: item.image.category?.slug ?? null };
  const numberOf = (key: string) => view.numberOf?.(key, item.content ?? {}, about) ?? null;
  return (
    <Loaded of={read}>
      {({ rounds: all }) => {
        const rounds = onlyLast ? all.slice(0, 1) : all;
        return (
          <section className={styles.clicks} aria-label={t("clicks.title")} data-testid="click-rounds">
            {rounds.map((round) => (
              <Round key={round.no} round={round} numberOf={numberOf} lang={languageOf(item.rules.content)} />
            ))}
            <OnPicture>
              {/* The newest on top. */}
              {[...rounds].reverse().map((round) => (
                <RoundMarks key={round.no} round={round} isAlone={rounds.length === 1} numberOf={numberOf} picture={item.image} />
              ))}
            </OnPicture>
          </section>
        );
      }}
    </Loaded>
  );
}

type NumberOf = (key: string) => number | null;

/** By the numbers on the picture, as the texts are listed. */
function inOrder(round: ClickRound, numberOf: NumberOf): Click[] {
  const place = ({ key, position }: Click) => numberOf(key) ?? 1_000 + position;
  return [...round.clicks].sort((a, b) => place(a) - place(b));
}

function Round({ round, numberOf, lang }: { round: ClickRound; numberOf: NumberOf; lang: string }) {
  const { t } = useTranslation("item");
  return (
    <>
      <h2 className={styles.round}>
        {t("clicks.round", { no: round.no })}{" "}
        <span className="tiny">
          {[t("clicks.version", { no: round.revision_no }), round.by?.name].filter(Boolean).join(" · ")}
        </span>
      </h2>
      <ol className={styles.list}>
        {inOrder(round, numberOf).map((click) => (
          <li key={click.key} data-correct={click.correct} data-testid={`click-${click.position}`}>
            <span className="number">{numberOf(click.key) ?? "–"}</span>
            <span>
              <bdi lang={lang}>{click.text}</bdi>
              <br />
              <span className={click.correct ? styles.right : styles.wrong}>
                {click.correct ? "✓" : "✗"} <Answer click={click} number={numberOf(click.hit)} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Answer({ click, number }: { click: Click; number: number | null }) {
  const { t } = useTranslation("item");
  if (click.answer === "not_found") return t("clicks.not_found");
  if (click.answer === "several") return t("clicks.several");
  if (click.correct) return t("clicks.right");
  if (click.hit === "") return t("clicks.beside");
  return number === null ? t("clicks.other") : t("clicks.onObject", { number });
}

interface RoundMarksProps {
  round: ClickRound;
  /** Whether no other round is on the picture. */
  isAlone: boolean;
  numberOf: NumberOf;
  picture: PeerItem["image"];
}

function RoundMarks({ round, isAlone, numberOf, picture }: RoundMarksProps) {
  const { t } = useTranslation("item");
  return (
    <g role="group" aria-label={t("clicks.round", { no: round.no })}>
      {round.clicks.map(({ key, x, y, correct }) => {
        if (x === null || y === null) return null;
        const values = { number: numberOf(key) ?? "–", sign: correct ? "✓" : "✗", no: round.no };
        return (
          <g key={key} style={COLOURS[correct ? "right" : "wrong"]} data-testid="click-mark" data-correct={correct}>
            <PointMark at={{ x, y }} label={t(isAlone ? "clicks.mark" : "clicks.markOf", values)} picture={picture} />
          </g>
        );
      })}
    </g>
  );
}

const COLOURS = {
  right: { "--mark": "#6fe0a8" } as CSSProperties,
  wrong: { "--mark": "#ff8a80" } as CSSProperties,
};
