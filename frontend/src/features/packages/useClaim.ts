/** Claims a package and shows which one it is, that the person already has one, or why there is none. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useWrite } from "@/api/queries";
import { toasts } from "@/ui/toasts";

export function useClaim(slug: string) {
  const { t } = useTranslation("packages");
  const navigate = useNavigate();
  const claim = useWrite("package_claim");
  return {
    ...claim,
    claim: (kind: string) =>
      claim.mutate(
        { path: { b: slug }, body: { kind } },
        {
          onSuccess: (claimed) => {
            toasts.show(t(claimed.already_held ? "claim.already" : "claim.done", { label: claimed.label }));
            void navigate(`/b/${slug}/work/${claimed.id}`);
          },
        },
      ),
  };
}
