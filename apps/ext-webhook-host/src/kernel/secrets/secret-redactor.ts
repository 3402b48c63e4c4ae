import { truncateText } from '@platform/contracts';

/** Shorter values would black out half of every text, and protect nothing. */
const MIN_LENGTH = 4;

/**
 * Removes the secrets that a run has read from everything that the run leaves behind: logs, errors,
 * traces. Also finds them in common encodings: JSON, URL, Base64 and hex.
 */
export class SecretRedactor {
  private readonly labels = new Map<string, string>();
  /** Longest first, because one secret can be a part of another. */
  private forms: string[] = [];

  addSecret(name: string, value: string): void {
    const bytes = Buffer.from(value);
    const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), bytes.toString('hex')];
    for (const encoding of ['base64', 'base64url'] as const) forms.push(bytes.toString(encoding).replace(/=+$/, ''));
    for (const form of forms) if (form.length >= MIN_LENGTH) this.labels.set(form, `[secret ${name}]`);
    this.forms = [...this.labels.keys()].sort((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    let redacted = text;
    for (const form of this.forms)
      if (redacted.includes(form)) redacted = redacted.replaceAll(form, () => this.labels.get(form) ?? '');
    return redacted;
  }

  /**
   * Redacts a text and cuts it to `length` characters. It is cut afterwards, because half of a
   * secret would no longer be found.
   *
   * @param isCut true if the end of the text is already missing, so that it can end in the first
   * half of a secret.
   */
  redactBeginning(text: string, length: number, isCut = false): string {
    return truncateText(this.redact(isCut ? this.withoutHalf(text) : text), length);
  }

  /**
   * Removes a possible first half of a secret at the end of a text, and a whole secret that this
   * would cut. Returns the rest.
   */
  private withoutHalf(text: string): string {
    let end = text.length - Math.max(0, ...this.forms.map((form) => beganAtEnd(text, form)));
    for (let before = -1; before !== end;) {
      before = end;
      for (const form of this.forms) {
        const at = text.indexOf(form, Math.max(0, end - form.length + 1));
        if (at >= 0 && at < end) end = at;
      }
    }
    return text.slice(0, end);
  }

  /**
   * Redacts every text in a JSON value, including keys. Returns a new value, or the same one if no
   * secret was read.
   */
  redactValue(value: unknown): unknown {
    if (!this.forms.length) return value;
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redact(key), this.redactValue(item)]));
  }
}

/**
 * Length of the longest beginning of `form` with which the text ends; all of `form` does not count.
 * Takes time in proportion to the length of `form`.
 */
function beganAtEnd(text: string, form: string): number {
  const tail = text.slice(-(form.length - 1));
  // Length of the longest beginning of `form` that ends before each position (Knuth-Morris-Pratt).
  const borders = new Uint32Array(form.length);
  const next = (matched: number, character: string): number => {
    let length = matched;
    while (length && form[length] !== character) length = borders[length - 1] as number;
    return form[length] === character ? length + 1 : 0;
  };
  for (let at = 1; at < form.length; at++) borders[at] = next(borders[at - 1] as number, form[at] as string);
  let matched = 0;
  for (const character of characters(tail)) matched = next(matched, character);
  return matched;
}

/** Units of UTF-16, in which lengths are counted. */
function* characters(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text[at] as string;
}
