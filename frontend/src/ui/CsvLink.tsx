import { useTranslation } from "react-i18next";

interface CsvLinkProps {
  slug: string;
  /** The file's name in the address, without its ending. */
  file: "audit" | "credit" | "items" | "packages" | "pictures";
  /** The list's filters and order; the file has the same rows. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Downloads all rows of a list as CSV. */
export function CsvLink({ slug, file, query = {} }: CsvLinkProps) {
  const { t } = useTranslation("ui");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const filters = search.toString();
  return (
    <a className="button" href={`/api/v1/benchmarks/${slug}/${file}.csv${filters && `?${filters}`}`} download data-testid={`${file}-csv`}>
      {t("csv")}
    </a>
  );
}
