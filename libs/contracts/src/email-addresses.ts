import { isEmail } from 'class-validator';
import unhomoglyph from 'unhomoglyph';
import { hostName } from './host-names.js';

export const MAX_EMAIL_LENGTH = 254; // RFC 5321 section 4.5.3.1.3, without the angle brackets

const ASCII = /^[\x21-\x7e]+$/;
/**
 * Allowed characters of a local part that is not ASCII, in addition to those of RFC 5321. No
 * invisible characters, no punctuation, no symbols.
 */
const LETTERS = /^[\p{L}\p{M}\p{Nd}\x21-\x7e]+$/u;
/**
 * In these scripts, composed text has no combining marks except marks that only change how a letter
 * looks.
 */
const MARKED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}/u;

/**
 * Recommended scripts (UAX 31, table 5), and the groups of scripts that Japanese, Korean and
 * Chinese text combines (UTS 39, section 5.1).
 */
const SCRIPTS = [
  ...[
    'Latin',
    'Greek',
    'Cyrillic',
    'Arabic',
    'Armenian',
    'Bengali',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Gujarati',
    'Gurmukhi',
  ],
  ...[
    'Hebrew',
    'Kannada',
    'Khmer',
    'Lao',
    'Malayalam',
    'Myanmar',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thaana',
    'Thai',
    'Tibetan',
  ],
].map((script) => [script]);
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];
const OF_ONE_SCRIPT = [...SCRIPTS, ...WRITTEN_TOGETHER].map(
  (scripts) =>
    new RegExp(`^[${[...scripts, 'Common', 'Inherited'].map((script) => `\\p{scx=${script}}`).join('')}]+$`, 'u'),
);

/**
 * Normalises an email address to the one form that is stored, compared and used for mail: lower
 * case, with the domain in its ASCII form (IDNA A-labels). Null if it is not a plain address, or if
 * it could be mistaken for another one: the local part must be ASCII or of a single script (UTS
 * 39), must not change under NFKC (no full-width letters, no Kelvin sign), and must not look like
 * ASCII as a whole.
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
 * Composed form (NFC) of a text. Null if the text has characters that NFC, NFD or NFKC replace by
 * others, such as the Kelvin sign. Keyboards produce composed or decomposed text, but never these
 * characters.
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
  // A quoted local part can contain line breaks, spaces and a second address.
  if (text.includes('"')) return null;
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = composedText(text);
  if (!composed) return null;
  // Lower case produces a final sigma at the end of a Greek word, but the same sigma elsewhere must
  // be equal to it.
  const lower = composed.toLowerCase().replaceAll('ς', 'σ');
  if (lower.normalize('NFKC') !== lower || !LETTERS.test(lower) || MARKED.test(lower)) return null;
  if (!OF_ONE_SCRIPT.some((script) => script.test(lower))) return null;
  // Refuses a mix of two kinds of digits (UTS 39, section 5.3), and texts whose letters all look
  // like ASCII letters (section 4).
  if (/[0-9]/.test(lower) && /[^\P{Nd}0-9]/u.test(lower)) return null;
  return ASCII.test(unhomoglyph(lower)) ? null : lower;
}
