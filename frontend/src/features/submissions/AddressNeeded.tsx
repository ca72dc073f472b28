import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useSessionBenchmark } from "@/api/session";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { useSubmissionPlaces } from "./places";
import styles from "./submissions.module.css";

/** Says before a file is sent that people outside the team need a confirmed address, where the site sends mail. */
export function AddressNeeded() {
  const { t } = useTranslation("submissions");
  const isMember = useSessionBenchmark(useSlug()) !== undefined;
  const isOutsider = useSubmissionPlaces().isOutside && !isMember;
  const mailbox = useRead("mail_show", {}, { enabled: isOutsider }).data;
  if (!isOutsider || mailbox?.available !== true || mailbox.address !== "") return null;
  return (
    <div className={styles.submissionAddress}>
      <Notice
        tone="warn"
        action={
          <ButtonLink small to="/account">
            {t("outside.toAccount")}
          </ButtonLink>
        }
      >
        <span data-testid="address-needed">{t(mailbox.pending === "" ? "outside.addressNeeded" : "outside.addressPending", { address: mailbox.pending })}</span>
      </Notice>
    </div>
  );
}
