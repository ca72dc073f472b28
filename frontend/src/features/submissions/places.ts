/** Where the pages of submissions are: below the benchmark for members, below /submit for people outside the team. */
import { useMatch } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import { useInterfaceLanguage } from "@/i18n/localised";

export function useSubmissionPlaces() {
  const slug = useSlug();
  const isOutside = useMatch("/submit/*") !== null;
  const may = useMay(slug);
  const language = useInterfaceLanguage();
  return {
    isOutside,
    /** The submissions for a release. */
    list: (release: number) => (isOutside ? `/submit/${slug}/releases/${release}` : `/b/${slug}/releases/${release}/submissions`),
    /** The public board of a release, a page without the application's frame. */
    publicBoard: (label: string) => `/p/${slug}/${language}/${label}/board`,
    mayCreate: isOutside || may("submission_create"),
  };
}
