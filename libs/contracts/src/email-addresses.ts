import { isEmail } from 'class-validator';
import unhomoglyph from 'unhomoglyph';
import { hostName } from './host-names.js';

export const MAX_EMAIL_LENGTH = 254; // RFC 5321 section 4.5.3.1.3, without the angle brackets

const ASCII = /^[\x21-\x7e]+$/;
/** What a local part of another script is made of, beside the characters of RFC 5321. Not invisible, not punctuation, not a symbol. */
const LETTERS = /^[\p{L}\p{M}\p{Nd}\x21-\x7e]+$/u;
/** Composition leaves no marks in these scripts, but those that are there to change how a letter looks. */
const MARKED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}/u;

/** The recommended scripts (UAX 31, table 5), with those that Japanese, Korean and Chinese are written in together (UTS 39, section 5.1). */
const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Armenian', 'Bengali', 'Devanagari', 'Ethiopic', 'Georgian', 'Gujarati', 'Gurmukhi'],
  ...['Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
].map((script) => [script]);
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];
const OF_ONE_SCRIPT = [...SCRIPTS, ...WRITTEN_TOGETHER].map(
  (scripts) => new RegExp(`^[${[...scripts, 'Common', 'Inherited'].map((script) => `\\p{scx=${script}}`).join('')}]+$`, 'u'),
);

/**
 * The one form in which an address is stored, compared and mailed: lower-case, with the domain as DNS knows it (IDNA, A-labels). Null for
 * what is no plain address, and for one that could be taken for another: the local part is ASCII or of a single script (UTS 39), does not
 * change when it is normalised (NFKC, so no full-width letters and no Kelvin sign), and does not look like ASCII as a whole.
 */
export function emailAddress(text: string): string | null {
  if (text.length > MAX_EMAIL_LENGTH) return null;
  const at = text.lastIndexOf('@');
  const [local, domain] = [localPart(text.slice(0, at)), domainPart(text.slice(at + 1))];
  if (at < 1 || !local || !domain) return null;
  const address = `${local}@${domain}`;
  return address.length <= MAX_EMAIL_LENGTH && isEmail(address) ? address : null;
}

/**
 * Composed, where that changes nothing but the composition; null for what only looks like what it would become. Text comes composed or
 * decomposed, from whatever keyboard, but never as a character that either form replaces, such as the Kelvin sign.
 */
function composedText(text: string): string | null {
  const composed = text.normalize('NFC');
  if (text !== composed && text !== text.normalize('NFD')) return null;
  return composed.normalize('NFKC') === composed ? composed : null;
}

function domainPart(text: string): string | null {
  const composed = composedText(text);
  return composed && hostName(composed);
}

function localPart(text: string): string | null {
  // In quotes it may hold line breaks, spaces and a second address.
  if (text.includes('"')) return null;
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = composedText(text);
  if (!composed) return null;
  // Lower case at the end of a word is another letter in Greek, in the same word.
  const lower = composed.toLowerCase().replaceAll('ς', 'σ');
  if (lower.normalize('NFKC') !== lower || !LETTERS.test(lower) || MARKED.test(lower)) return null;
  if (!OF_ONE_SCRIPT.some((script) => script.test(lower))) return null;
  // Two kinds of digits (UTS 39, section 5.3), or letters that all look like other ones (section 4).
  if (/[0-9]/.test(lower) && /[^\P{Nd}0-9]/u.test(lower)) return null;
  return ASCII.test(unhomoglyph(lower)) ? null : lower;
}
