/** A picture of the team with its items, and room for another one. */
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useWrite } from "@/api/queries";
import type { TeamBoard, TeamItem, TeamPicture } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { boardDeskOf, checkAllOf, type BoardTrack } from "@/item/desk";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Problem } from "@/ui/Problem";
import styles from "./team.module.css";

const TONES: Readonly<Record<string, Tone>> = { accepted: "good", returned: "warn" };

interface PictureRowProps {
  picture: TeamPicture;
  board: Pick<TeamBoard, "kind" | "maximum" | "team" | "available_actions">;
  slug: string;
  track: BoardTrack;
}

export function PictureRow({ picture, board, slug, track }: PictureRowProps) {
  const { t } = useTranslation("team");
  const navigate = useNavigate();
  const name = useLocalised();
  const create = useWrite("item_create");
  const { image, items } = picture;
  const hasRoom = items.length < board.maximum && board.available_actions.includes("item_create");
  return (
    <li className={styles.picture} data-testid={`picture-${image.label}`}>
      <Link to={`/b/${slug}/pictures/${image.id}`} className={styles.thumb} aria-label={t("openPicture", { label: image.label })}>
        <img src={image.thumb_url} alt="" width={160} height={120} loading="lazy" decoding="async" />
      </Link>
      <div className={styles.pictureText}>
        <p className={styles.pictureHead}>
          <b>{image.label}</b>
          {image.category && <span className="dim">{name(image.category.name)}</span>}
          <span className="chip number" data-testid="of-maximum">
            <span className="visually-hidden">{t("written", { count: items.length, maximum: board.maximum })}</span>
            <span aria-hidden="true">{t("ofMaximum", { number: items.length, maximum: board.maximum })}</span>
          </span>
        </p>
        {items.length > 0 && (
          <ol className={styles.items}>
            {items.map((item) => (
              <ItemLine key={item.id} item={item} slug={slug} board={board} track={track} />
            ))}
          </ol>
        )}
        {create.error && <Problem error={create.error} />}
        {hasRoom && (
          <div className="row-actions">
            <Button
              small
              busy={create.isPending}
              aria-label={t("createOn", { label: image.label })}
              onClick={() =>
                create.mutate(
                  { path: { b: slug }, body: { kind: board.kind, image: image.id } },
                  { onSuccess: (item) => void navigate(boardDeskOf(slug, track, item.id)) },
                )
              }
              data-testid={`create-${image.label}`}
            >
              {t("create")}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function ItemLine({ item, slug, board, track }: Pick<PictureRowProps, "slug" | "board" | "track"> & { item: TeamItem }) {
  const { t } = useTranslation("team");
  const format = useFormat();
  // Whether an item waits for one's own verdict in a panel only the page of judging knows.
  const check = item.state === "made" && !item.mine && track === "peer" ? checkAllOf(slug, track, board) : null;
  const isToCheck = check !== null;
  const isOwn = item.mine || item.reader_drafted || item.first_text !== "";
  const isUnwritten = item.revision_no === 0 && !item.is_drafted;
  // Others' items of a pair are not opened by those who may be the second person.
  const isHidden = track === "pair" && !isOwn && !isUnwritten && !board.available_actions.includes("item_decide");
  const to = isToCheck ? `${check}&item=${item.id}` : boardDeskOf(slug, track, item.id);
  return (
    <li data-testid={`item-${item.label}`}>
      <Chip tone={isToCheck ? "accent" : TONES[item.state]}>{isToCheck ? t("toCheck") : t(track !== "peer" && item.state === "made" ? `${track}.made` : `state.${item.state}`)}</Chip>
      {isHidden ? (
        <span className="faint">{item.label}</span>
      ) : (
        <Link to={to} aria-label={item.first_text === "" ? t("openItem", { label: item.label }) : undefined}>
          {item.first_text === "" ? (
            <span className="faint">{item.label}</span>
          ) : (
            <bdi lang={item.language?.lang} dir={item.language?.dir}>
              {item.first_text}
            </bdi>
          )}
        </Link>
      )}
      <span className="tiny">
        {[
          item.mine ? t("mine") : item.author?.name,
          item.reader_drafted && t("draftedByReader"),
          item.is_drafted && (item.drafted_by ? t("draftedBy", { name: item.drafted_by.name }) : t("draftedByColleague")),
          item.held_until !== null && t("heldUntil", { time: format.time(item.held_until) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </li>
  );
}
