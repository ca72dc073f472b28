/** A dialogue of two people: the caption, what was said, and a field for the next turn; the picture for the answerer alone. */
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Dialogue } from "@/api/types";
import { useStore } from "@/store/useStore";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { chatActions } from "../actions";
import { isOver } from "../talk";
import { useTalk } from "../useTalk";
import { ChatHead } from "./ChatHead";
import { Composer } from "./Composer";
import { LeaveForm } from "./LeaveForm";
import { Over } from "./Over";
import { Paused, useReturn } from "./Paused";
import { PictureSide } from "./PictureSide";
import { Transcript } from "./Transcript";
import { useFilledHeight } from "./useFilledHeight";
import styles from "./chat.module.css";

export function ChatPage() {
  const { dialogueId } = useParams();
  const id = Number(dialogueId);
  const dialogue = useRead("dialogue_show", { path: { id: Number.isSafeInteger(id) ? id : 0 } }, { fresh: true });
  return <Loaded of={dialogue}>{(data) => <Chat key={data.id} dialogue={data} />}</Loaded>;
}

function Chat({ dialogue }: { dialogue: Dialogue }) {
  const { t } = useTranslation("dialogues");
  const slug = useSlug();
  const navigate = useNavigate();
  const talk = useTalk(dialogue);
  const { sender } = talk;
  const unsent = useStore(sender);
  const pause = useWrite("dialogue_pause");
  const back = useReturn(dialogue);
  const [isLeaving, setLeaving] = useState(false);
  const [hasPicture, showPicture] = useState(true);
  const field = useRef<HTMLTextAreaElement>(null);
  const page = useRef<HTMLElement>(null);
  useFilledHeight(page);
  useTitle(t(dialogue.is_my_turn ? "title.yourTurn" : "title.talk"));
  const may = (operation: string) => dialogue.available_actions.includes(operation);
  const { id, image } = dialogue;
  const maySend = dialogue.is_my_turn && unsent.sent === null && unsent.isLoaded && unsent.text.trim() !== "";
  const send = maySend ? () => sender.submit(dialogue.turn_no + 1) : null;
  const takePause = may("dialogue_pause") && !pause.isPending ? () => pause.mutate({ path: { id } }) : null;
  const leave = may("dialogue_leave") ? () => setLeaving(true) : null;
  const isOpen = dialogue.state === "open";
  const write = () => field.current?.focus();
  // Where nothing can be sent now, Enter begins no line either.
  const enter = () => (document.activeElement === field.current ? send?.() : write());
  useActions(chatActions, {
    send: isOpen ? enter : null,
    write: isOpen ? write : null,
    pause: takePause,
    resume: back.resume,
    leave,
    toLobby: () => void navigate(`/b/${slug}/write/dialogue`),
  });
  const error = pause.error ?? back.error ?? unsent.error;
  return (
    <main ref={page} className={styles.talk} data-testid="talk" data-state={dialogue.state} data-part={dialogue.part}>
      <h1 className="visually-hidden">{t("title.talk")}</h1>
      {image !== null && hasPicture && <PictureSide image={image} />}
      <div className={styles.chat}>
        <ChatHead
          dialogue={dialogue}
          pause={takePause}
          leave={leave}
          picture={image === null ? null : { isShown: hasPicture, toggle: () => showPicture(!hasPicture) }}
        />
        <Transcript dialogue={dialogue} unsent={unsent} onRetry={sender.retry} partnerTypes={talk.partnerTypes} />
        {error && <Problem error={error} />}
        {dialogue.state === "paused" && <Paused dialogue={dialogue} back={back} unsent={unsent.text} />}
        {isOver(dialogue) && <Over dialogue={dialogue} slug={slug} unsent={unsent.text} />}
        {isOpen && (
          <Composer
            ref={field}
            dialogue={dialogue}
            text={unsent.text}
            isWrong={unsent.error !== null}
            onText={(text) => {
              sender.write(text);
              talk.noteTyping(text);
            }}
            send={send}
          />
        )}
      </div>
      {isLeaving && <LeaveForm dialogue={dialogue} onClose={() => setLeaving(false)} />}
    </main>
  );
}
