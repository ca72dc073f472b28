import { useQueryClient } from "@tanstack/react-query";
import { queryKey, useWrite } from "@/api/queries";
import { LanguageSwitch } from "@/ui/LanguageSwitch";

/** The interface's language, kept with the person. */
export function LanguageMenu() {
  const client = useQueryClient();
  const update = useWrite("session_update");
  return (
    <LanguageSwitch
      onChoose={(language) =>
        update.mutate(
          { body: { language } },
          { onSuccess: (session) => client.setQueryData(queryKey("session_show", {}), session) },
        )
      }
    />
  );
}
