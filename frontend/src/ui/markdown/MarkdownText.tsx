/**
 * Markdown as elements. The syntax tree becomes elements one by one and no markup of the text ever reaches the page as
 * markup: HTML in it is shown as the characters that were typed, and links go only where safeAddress lets them.
 */
import { Lexer, type Token, type Tokens } from "marked";
import { Fragment, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { WideTable } from "../WideTable";
import { safeAddress } from "./address";
import { isHeavy } from "./heavy";

export function MarkdownText({ text, under }: { text: string; under: number }) {
  const { t } = useTranslation("ui");
  const tokens = useMemo(() => (isHeavy(text) ? null : Lexer.lex(text, { gfm: true, breaks: true })), [text]);
  if (tokens === null) return <p className="markdown-plain">{text}</p>;
  return blocks(tokens, { under, table: t("table") });
}

interface Around {
  under: number;
  table: string;
}

function blocks(tokens: readonly Token[], around: Around): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token as MarkedToken, around)}</Fragment>);
}

type MarkedToken = Extract<
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Tag
  | Tokens.Text,
  { type: string }
>;

function block(token: MarkedToken, around: Around): ReactNode {
  switch (token.type) {
    case "heading": {
      const Heading = `h${Math.min(6, token.depth + around.under)}` as "h2";
      return <Heading>{inline(token.tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "blockquote":
      return <blockquote>{blocks(token.tokens, around)}</blockquote>;
    case "list":
      return list(token, around);
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "hr":
      return <hr />;
    case "table":
      return table(token, around);
    case "html":
      return <p className="markdown-plain">{token.raw.trimEnd()}</p>;
    case "space":
    case "def":
      return null;
    default:
      // A tight list's line and whatever else is in a block without being one.
      return inlineOne(token);
  }
}

function list(token: Tokens.List, around: Around): ReactNode {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <span aria-hidden="true">{item.checked === true ? "☑ " : "☐ "}</span>}
      {blocks(
        item.tokens.filter(({ type }) => type !== "checkbox"),
        around,
      )}
    </li>
  ));
  return token.ordered ? <ol start={token.start === "" ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table, around: Around): ReactNode {
  return (
    <WideTable label={around.table}>
      <table className="table">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} style={{ textAlign: cell.align ?? "left" }}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} style={{ textAlign: cell.align ?? "left" }}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => <Fragment key={index}>{inlineOne(token as MarkedToken)}</Fragment>);
}

function inlineOne(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token.href, inline(token.tokens));
    case "image":
      // Named, not fetched: a picture from elsewhere would reveal to that server who reads the page.
      return link(token.href, token.text === "" ? token.href : token.text);
    case "escape":
      return token.text;
    case "text":
      return "tokens" in token && token.tokens ? inline(token.tokens) : token.text;
    default:
      return token.raw;
  }
}

function link(written: string, children: ReactNode): ReactNode {
  const address = safeAddress(written);
  if (address === null) return children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
