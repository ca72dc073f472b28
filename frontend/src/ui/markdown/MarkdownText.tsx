/**
 * Markdown as elements. The syntax tree becomes elements one by one and no markup of the text ever reaches the page as
 * markup: HTML in it is shown as the characters that were typed, and links go only where safeAddress lets them.
 */
import { Lexer, type Token, type Tokens } from "marked";
import { Fragment, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { WideTable } from "../WideTable";
import { safeAddress } from "./address";
import { isHeavy } from "./heavy";

/** What relative addresses of a document stand for; null for those that lead nowhere here. */
export interface Places {
  /** A page of the application. */
  link: (written: string) => string | null;
  /** A picture of this site. */
  picture: Pictures;
}

export type Pictures = (written: string) => string | null;

interface MarkdownTextProps {
  text: string;
  under: number;
  places?: Places | undefined;
  pictures?: Pictures | undefined;
}

export function MarkdownText({ text, under, places, pictures }: MarkdownTextProps) {
  const { t } = useTranslation("ui");
  const breaks = places === undefined;
  const tokens = useMemo(() => (isHeavy(text) ? null : Lexer.lex(text, { gfm: true, breaks })), [text, breaks]);
  if (tokens === null) return <p className="markdown-plain">{text}</p>;
  return blocks(tokens, { under, table: t("table"), places, pictures });
}

interface Around {
  under: number;
  table: string;
  places: Places | undefined;
  pictures: Pictures | undefined;
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
      return <Heading>{inline(token.tokens, around)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(token.tokens, around)}</p>;
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
      return inlineOne(token, around);
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
                {inline(cell.tokens, around)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} style={{ textAlign: cell.align ?? "left" }}>
                  {inline(cell.tokens, around)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function inline(tokens: readonly Token[] | undefined, around: Around): ReactNode {
  return (tokens ?? []).map((token, index) => <Fragment key={index}>{inlineOne(token as MarkedToken, around)}</Fragment>);
}

function inlineOne(token: MarkedToken, around: Around): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens, around)}</strong>;
    case "em":
      return <em>{inline(token.tokens, around)}</em>;
    case "del":
      return <del>{inline(token.tokens, around)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token.href, inline(token.tokens, around), around);
    case "image":
      return picture(token, around);
    case "escape":
      return token.text;
    case "text":
      return "tokens" in token && token.tokens ? inline(token.tokens, around) : token.text;
    default:
      return token.raw;
  }
}

function picture({ href, text }: Tokens.Image, around: Around): ReactNode {
  const own = around.pictures?.(href) ?? null;
  if (own !== null) return <img className="markdown-picture" src={own} alt={text} loading="lazy" decoding="async" />;
  // Named, not fetched: a picture from elsewhere would reveal to that server who reads the page.
  return link(href, text === "" ? href : text, around);
}

function link(written: string, children: ReactNode, around: Around): ReactNode {
  const page = around.places?.link(written) ?? null;
  if (page !== null) return <Link to={page}>{children}</Link>;
  const address = safeAddress(written);
  if (address === null) return children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
