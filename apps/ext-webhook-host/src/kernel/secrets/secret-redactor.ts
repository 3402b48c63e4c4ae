import { beginningOf } from '@platform/contracts';

/** Shorter ones would black out half of every text, and protect nothing. */
const MIN_LENGTH = 4;

/**
 * Keeps what secrets a run has read out of everything that it leaves behind: logs, errors, traces. Knows a secret also in the forms that
 * texts commonly carry it in: as in JSON, in an address, in Base64 and in hex.
 */
export class SecretRedactor {
  private readonly labels = new Map<string, string>();
  /** The longest first: one secret may be a part of another. */
  private forms: string[] = [];

  add(name: string, value: string): void {
    const bytes = Buffer.from(value);
    const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), bytes.toString('hex')];
    for (const encoding of ['base64', 'base64url'] as const) forms.push(bytes.toString(encoding).replace(/=+$/, ''));
    for (const form of forms) if (form.length >= MIN_LENGTH) this.labels.set(form, `[secret ${name}]`);
    this.forms = [...this.labels.keys()].sort((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    let redacted = text;
    for (const form of this.forms) if (redacted.includes(form)) redacted = redacted.replaceAll(form, () => this.labels.get(form) ?? '');
    return redacted;
  }

  /**
   * Length of a text that is shown, in characters. It is cut only when the secrets are out of it, so that no half of one stays, which nothing would find any more.
   *
   * @param isCut whether its end is missing already: then it may end in the first half of a secret.
   */
  beginning(text: string, length: number, isCut = false): string {
    return beginningOf(this.redact(isCut ? this.withoutHalf(text) : text), length);
  }

  /** Without what may be the first half of a secret at its end, and without a whole one that this would cut into. */
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

  /** The same for every text in a JSON value, keys included. */
  redactValue(value: unknown): unknown {
    if (!this.forms.length) return value;
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redact(key), this.redactValue(item)]));
  }
}

/** How many of the first characters of `form` the text ends in, but for all of them. Takes time in proportion to the length of `form`. */
function beganAtEnd(text: string, form: string): number {
  const tail = text.slice(-(form.length - 1));
  // How many characters before each place in `form` are those that it begins with.
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

/** In units of UTF-16, as lengths are. */
function* characters(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text[at] as string;
}
