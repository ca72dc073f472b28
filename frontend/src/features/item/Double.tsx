/** What another person made of the same picture independently, beside this item: both on the picture, and how far they agree. */
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import type { KindView } from "@/kinds/kind";
import { VersionMarks } from "@/kinds/Marks";
import { VersionName } from "@/picture/MarkVersion";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";

type Compared = Answer<"item_double">;
type Version = Compared["one"];

interface DoubleProps {
  item: Pick<Answer<"item_show">, "id" | "double">;
  view: KindView;
  slug: string;
}

export function Double({ item, view, slug }: DoubleProps) {
  const { t } = useTranslation("item");
  const compared = useRead("item_double", { path: { id: item.id } });
  return (
    <section className="card" data-testid="double">
      <h2>{t("double.title")}</h2>
      {item.double && (
        <p>
          {t("double.other")}
          <Gap />
          <Link to={`/b/${slug}/items/${item.double.id}`}>{item.double.label}</Link>
        </p>
      )}
      <Loaded of={compared}>{(data) => <Both compared={data} view={view} />}</Loaded>
    </section>
  );
}

function Both({ compared, view }: { compared: Compared; view: KindView }) {
  const { t } = useTranslation("item");
  const format = useFormat();
  const localised = useLocalised();
  const [isShown, setShown] = useState(false);
  const { one, other, rules, matches } = compared;
  const nameOf = (version: Version) => version.author?.name ?? version.label;
  const only = (version: Version, side: "one" | "other") => boxesOf(version).filter((key) => !matches.some((match) => match[side] === key));
  const name = (version: Version, key: string) => (
    <>
      <view.FieldName rules={rules} path={`boxes.${key}`} content={version.content} /> {categoryName(compared, categoryOf(version, key), localised)}
    </>
  );
  const show = () => {
    setShown(!isShown);
    // The picture is above, often outside the window.
    if (!isShown) document.querySelector(".stage")?.scrollIntoView({ block: "center" });
  };
  return (
    <>
      <dl className="facts">
        {compared.measures.map((measure) => (
          <Fragment key={measure.name}>
            <dt>{t(`statistics:measure.${measure.name}`)}</dt>
            <dd className="number">{measure.value === null ? "—" : format.number(measure.value, 2, 2)}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="row-actions">
        <Button small aria-pressed={isShown} onClick={show} data-testid="show-double">
          {t("double.onPicture")}
        </Button>
        {isShown && (
          <span className="tiny" data-testid="double-legend">
            <VersionName side="mine">{nameOf(one)}</VersionName> <VersionName side="theirs">{nameOf(other)}</VersionName>
          </span>
        )}
      </div>
      {isShown && (
        <>
          <VersionMarks view={view} content={one.content} rules={rules} name={nameOf(one)} side="mine" />
          <VersionMarks view={view} content={other.content} rules={rules} name={nameOf(other)} side="theirs" />
        </>
      )}
      <WideTable label={t("double.title")}>
        <table className="table">
          <TableHead columns={[nameOf(one), nameOf(other), { number: t("double.iou") }]} />
          <tbody>
            {matches.map((match) => (
              <tr key={match.one}>
                <td>{name(one, match.one)}</td>
                <td>{name(other, match.other)}</td>
                <td className="number">{format.number(match.iou, 2, 2)}</td>
              </tr>
            ))}
            {only(one, "one").map((key) => (
              <tr key={`one-${key}`}>
                <td>{name(one, key)}</td>
                <td className="faint">—</td>
                <td className="number faint">—</td>
              </tr>
            ))}
            {only(other, "other").map((key) => (
              <tr key={`other-${key}`}>
                <td className="faint">—</td>
                <td>{name(other, key)}</td>
                <td className="number faint">—</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

interface Drawn {
  readonly key: string;
  readonly category: string;
}

function drawnIn({ content }: Version): readonly Drawn[] {
  return Array.isArray(content.boxes) ? (content.boxes as Drawn[]) : [];
}

function boxesOf(version: Version): string[] {
  return drawnIn(version).map(({ key }) => key);
}

function categoryOf(version: Version, key: string): string {
  return drawnIn(version).find((box) => box.key === key)?.category ?? "";
}

/** The name of a category in the reader's language. */
function categoryName({ rules }: Compared, code: string, localised: ReturnType<typeof useLocalised>): string {
  const list = rules.content.fields.boxes;
  const category = list?.type === "keyed" ? list.of.fields.category : undefined;
  const choice = category?.type === "code" ? category.choices.find((one) => one.code === code) : undefined;
  return choice ? localised(choice.name) : code;
}
