import type { JsonValue } from '@platform/app-document';
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/**
 * Values of a header that occurs several times. They are separated by commas; a comma in quotes
 * does not separate.
 */
const PIECES = /(?:[^,"]|"[^"]*"?)+/g;
const CHARSET = /;\s*charset\s*=\s*(?:["']\s*)?([^\s"';,]+)/i;
/** Characters of the content type that are examined. */
const TYPE_WITHIN = 1024;
const JSON_TYPE = /^(?:(?:application|text)\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)$/;
const MARKUP = /[/+](?:xml|html)$/;
/** `<?xml … encoding="…"?>`, `<meta charset="…">` and `<meta … content="…; charset=…">`. */
const DECLARED =
  /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]+)|<meta[^>]{0,500}?charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i;
const DECLARED_WITHIN = 1024;

/**
 * Body of a response as a handler gets it: the parsed value if the content type is JSON, otherwise
 * text, also if the JSON is invalid. The text is decoded with the character set of its byte order
 * mark, its content type or, for XML and HTML, its markup; as UTF-8 if there is none, if it is
 * unknown, or if the body is JSON in valid UTF-8.
 */
export function responseValue(contentType: string | undefined, bytes: Buffer): JsonValue {
  const type =
    contentType
      ?.slice(0, TYPE_WITHIN)
      .match(PIECES)
      ?.findLast((piece) => piece.includes('/')) ?? '';
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isJson = JSON_TYPE.test(essence);
  // JSON is UTF-8, even if the server names another character set.
  const charset =
    isJson && isUtf8(bytes)
      ? undefined
      : (CHARSET.exec(type)?.[1] ?? (MARKUP.test(essence) ? declaredIn(bytes) : undefined));
  const text = decoderOf(bytes, charset).decode(bytes);
  if (!isJson) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function declaredIn(bytes: Buffer): string | undefined {
  const [, xml, html] = DECLARED.exec(bytes.toString('latin1', 0, DECLARED_WITHIN)) ?? [];
  const name = xml ?? html;
  // The markup was readable as ASCII, so it is not UTF-16.
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name;
}

function decoderOf(bytes: Buffer, charset: string | undefined): TextDecoder {
  const marked = MARKS.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark))?.charset;
  try {
    return new TextDecoder(marked ?? charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}

const MARKS = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), charset: 'utf-8' },
  { mark: Buffer.from([0xfe, 0xff]), charset: 'utf-16be' },
  { mark: Buffer.from([0xff, 0xfe]), charset: 'utf-16le' },
];
