// Finds what people read in sources and documents.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';
import ts from 'typescript';
import { visit } from 'unist-util-visit';

/** @typedef {import('./rules.mjs').Text} Text */

/** Strings of fewer words are keys, names and SQL fragments more often than sentences. */
const SENTENCE_WORDS = 4;
const SQL =
  /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|VALUES|CREATE|ALTER|DROP|JOIN|ORDER BY|RETURNING|GRANT|REVOKE|LOCK|FROM)\b/;
const CODE = /`[^`]*`/g;
/** Stands for the path of a source in a document. */
const SOURCE = '\u0001';
/** Titles of tests after the path of their spec: they are quoted from there. */
const QUOTED_TITLES = new RegExp(`${SOURCE}(,? "[^"]+")*`, 'g');
const DESCRIPTION = /"(?:summary|description)": ("(?:[^"\\]|\\.)*")/g;
/** Characters before a comment that is alone on its line, at most. */
const LONGEST_INDENT = 200;

/**
 * Comments, strings and texts of JSX of a source in TypeScript or JavaScript.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Text[]}
 */
export function textsOfSource(file, source) {
  const tree = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    false,
    /x$/.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const lineOf = (/** @type {number} */ at) => tree.getLineAndCharacterOfPosition(at).line + 1;
  /** @type {Map<number, ts.CommentRange>} */
  const comments = new Map();
  /** @type {Text[]} */
  const strings = [];
  const addString = (/** @type {ts.Node} */ node, /** @type {string} */ value) => {
    const text = value.replace(/\s+/g, ' ').trim();
    if (text.split(' ').length < SENTENCE_WORDS || SQL.test(text)) return;
    strings.push({ kind: 'string', file, line: lineOf(node.end), text: withoutCode(text) });
  };
  const read = (/** @type {ts.Node} */ node) => {
    if (!ts.isJsxText(node)) {
      for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) comments.set(range.pos, range);
      for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) comments.set(range.pos, range);
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
      addString(node, node.text);
    else if (ts.isTemplateExpression(node))
      addString(node, node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''));
    ts.forEachChild(node, read);
  };
  read(tree);
  const inOrder = [...comments.values()].sort((a, b) => a.pos - b.pos);
  return [
    ...inParagraphs(inOrder, source, lineOf).map((comment) => ({
      kind: /** @type {const} */ ('comment'),
      file,
      ...comment,
    })),
    ...strings,
  ];
}

/**
 * Comments of `//` on lines that follow each other are one.
 *
 * @param {readonly ts.CommentRange[]} ranges
 * @param {string} source
 * @param {(at: number) => number} lineOf
 * @returns {{ line: number, text: string }[]}
 */
function inParagraphs(ranges, source, lineOf) {
  /** @type {{ line: number, text: string, end: number }[]} */
  const paragraphs = [];
  for (const { pos, end } of ranges) {
    const text = plain(source.slice(pos, end));
    if (!text || isForTools(text)) continue;
    const isWholeLine =
      source.startsWith('//', pos) && /(^|\n)[ \t]*$/.test(source.slice(Math.max(0, pos - LONGEST_INDENT), pos));
    const last = paragraphs.at(-1);
    if (last && isWholeLine && /^\n[ \t]*$/.test(source.slice(last.end, pos)))
      Object.assign(last, { text: `${last.text} ${text}`, end });
    else paragraphs.push({ line: lineOf(pos), text, end: isWholeLine ? end : Infinity });
  }
  return paragraphs.map(({ line, text }) => ({ line, text }));
}

/** Paragraphs, cells and headings of a Markdown document, without code. @param {string} file @param {string} source @returns {Text[]} */
export function textsOfDocument(file, source) {
  const tree = fromMarkdown(source, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  /** @type {Text[]} */
  const texts = [];
  visit(tree, (node) => {
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return undefined;
    visit(node, 'inlineCode', (code) => void (code.value = code.value.endsWith('.ts') ? SOURCE : ''));
    const text = toString(node).replace(QUOTED_TITLES, '').replace(/\s+/g, ' ').trim();
    if (text)
      texts.push({
        kind: 'document',
        file,
        line: node.position?.start.line ?? 1,
        text,
        isCell: node.type === 'tableCell',
      });
    return 'skip';
  });
  return texts;
}

/**
 * Summaries and descriptions of an OpenAPI document, each once.
 *
 * @param {string} file
 * @param {string} source of one line for each property
 * @returns {Text[]}
 */
export function textsOfOpenApi(file, source) {
  /** @type {Map<string, Text>} */
  const texts = new Map();
  for (const [at, line] of source.split('\n').entries()) {
    for (const [, value] of line.matchAll(DESCRIPTION)) {
      const text = withoutCode(
        JSON.parse(value ?? '')
          .replace(/\s+/g, ' ')
          .trim(),
      );
      if (!texts.has(text)) texts.set(text, { kind: 'comment', file, line: at + 1, text });
    }
  }
  return [...texts.values()];
}

/** @param {string} text */
const withoutCode = (text) => text.replace(CODE, '');

/** @param {string} comment */
const plain = (comment) =>
  withoutCode(comment.replace(/^\/\*+|\*+\/$/g, ' ').replace(/^\s*(\*|\/\/)/gm, ' '))
    .replace(/@\w+(\s*\{[^}]*\})?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** @param {string} text */
const isForTools = (text) => /^(eslint-|prettier-|ts-|istanbul |v8 ignore|<reference|#)/.test(text);
