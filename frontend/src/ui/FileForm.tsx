/** A form that sends one file with some fields: choosing the file, the refusal, the button and the keys for both. */
import { useRef, type ReactNode, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import { ChooseFile, type FileChooser } from "./ChooseFile";
import type { FileFormContext } from "./fileFormKeys";
import { useActions, type Action } from "./keys";
import { Problem, type CodedError } from "./Problem";

interface FileFormProps {
  /** The namespace whose `form.…` texts the form shows. */
  texts: string;
  actions: readonly Action<FileFormContext>[];
  file: File | null;
  onFile: (file: File) => void;
  /** Which files may be chosen, in words and as in the `accept` of an input. */
  formats: string;
  accept: string;
  isSending: boolean;
  /** Null while something is missing. */
  onSend: (() => void) | null;
  error: CodedError | null;
  className: string | undefined;
  testId: string;
  children: ReactNode;
}

export function FileForm({ texts, actions, file, onFile, formats, accept, isSending, onSend, error, className, testId, children }: FileFormProps) {
  const { t } = useTranslation(texts);
  const chooser = useRef<FileChooser>(null);
  useActions(actions, { choose: () => chooser.current?.choose(), send: onSend });
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSend?.();
  };
  return (
    <form className={`card form ${className}`} onSubmit={onSubmit} aria-label={t("form.title")} data-testid={`new-${testId}`}>
      <ChooseFile
        ref={chooser}
        file={file}
        onFile={onFile}
        label={t("form.file")}
        ask={t("form.drop")}
        formats={formats}
        choose={t("form.choose")}
        keys="o"
        accept={accept}
        testId={testId}
      />
      {children}
      {error && <Problem error={error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" keys="Mod+Enter" busy={isSending} disabled={onSend === null} data-testid={`${testId}-send`}>
          {t("form.send")}
        </Button>
      </div>
    </form>
  );
}

/** The fields and the file as one request body. */
export function fileBody(file: File, fields: Readonly<Record<string, string>>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", file, file.name);
  return body;
}
