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
    return this.forms.reduce((redacted, form) => redacted.replaceAll(form, () => this.labels.get(form) ?? ''), text);
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
