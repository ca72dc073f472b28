/** Text in Markdown. The parser is loaded when the first text is shown. */
import { lazy, Suspense } from "react";
import type { Pictures, Places } from "./MarkdownText";
import "./markdown.css";

const MarkdownText = lazy(async () => ({ default: (await import("./MarkdownText")).MarkdownText }));

interface MarkdownProps {
  text: string;
  /** Language of the text: a BCP 47 tag. */
  lang: string;
  /** Level of the heading above: the text's own headings begin below it. */
  under?: 1 | 2 | 3;
  /** For the application's own documents: what their relative addresses stand for. Their line ends break no lines. */
  places?: Places;
  /** Addresses of the pictures that a text names; null for names of none. */
  pictures?: Pictures;
}

export function Markdown({ text, lang, under = 2, places, pictures }: MarkdownProps) {
  return (
    <div className="markdown" lang={lang} data-testid="markdown">
      <Suspense fallback={<p className="markdown-plain">{text}</p>}>
        <MarkdownText text={text} under={under} places={places} pictures={places?.picture ?? pictures} />
      </Suspense>
    </div>
  );
}
