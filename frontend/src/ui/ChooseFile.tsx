/** Chooses one file by dialogue or drag and drop, and shows its name and size. */
import { useImperativeHandle, useRef, useState, type Ref } from "react";
import { useFormat } from "@/i18n/format";
import { Button } from "./Button";
import "./choose-file.css";

/** Opens the file dialogue; the screen's key calls it. */
export interface FileChooser {
  choose: () => void;
}

interface ChooseFileProps {
  ref?: Ref<FileChooser>;
  file: File | null;
  onFile: (file: File) => void;
  /** The accessible name. */
  label: string;
  /** Shown while no file is chosen. */
  ask: string;
  /** The accepted formats and size, where `ask` does not say them. */
  formats?: string;
  choose: string;
  /** The key that the screen binds to choosing. */
  keys?: string;
  /** As in the `accept` of an input. */
  accept: string;
  /** Begins the test ids: `x-drop`, `x-chosen`, `x-choose`, `x-file`. */
  testId: string;
}

export function ChooseFile({ ref, file, onFile, label, ask, formats, choose, keys, accept, testId }: ChooseFileProps) {
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const open = () => input.current?.click();
  useImperativeHandle(ref, () => ({ choose: open }), []);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first) onFile(first);
  };
  return (
    <section
      className={isOver ? "choose-file choose-file-over" : "choose-file"}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files);
      }}
      data-testid={`${testId}-drop`}
    >
      <div>
        {file === null ? (
          <p>
            <b>{ask}</b>
          </p>
        ) : (
          <p aria-live="polite" data-testid={`${testId}-chosen`}>
            <b className="choose-file-name">{file.name}</b> <span className="dim">{format.bytes(file.size)}</span>
          </p>
        )}
        {formats !== undefined && <p className="dim">{formats}</p>}
      </div>
      <Button keys={keys} onClick={open} data-testid={`${testId}-choose`}>
        {choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={choose}
        onChange={(event) => {
          take(event.target.files);
          // Without this, choosing the same file again after correcting it fires no event.
          event.target.value = "";
        }}
        data-testid={`${testId}-file`}
      />
    </section>
  );
}
