const MOST_ITEMS = 2;
const ID = /\b([a-z]{1,12})([_-])(?=[0-9a-z]*\d)[0-9a-z]{26}\b/g;
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Ids that specs and the fake Stripe make. */
const OTHER_ID = /\b([a-z]{1,12})([_-])(?:[0-9a-z]{12}-\d+|[0-9a-f]{24})\b/g;
const ADDRESS = /\b10\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
/** JWTs, webhook secrets, and texts that are equally long and random. */
const SECRET = /\beyJ[\w-]*\.[\w-]+\.[\w-]*|\bwhsec_[\w+/=-]+|\b(?:[\w-]+\.){2,}[\w-]{20,}|[\w-]{40,}/g;
/** Prefix that names the kind of a secret. */
const PREFIX = /^(?:[a-z]{1,8}\d?_(?:live_)?|k\d\.|eyJ)/;

/**
 * Makes recorded requests and answers reproducible and free of secrets. `normalize` returns a copy
 * in which ids, times and secrets are replaced by others of the same form, and lists have two items
 * at most. Equal ids stay equal.
 */
export class ExampleNormalizer {
  /** Numbers of the ids, by kind. */
  private readonly seen = new Map<string, Map<string, number>>();

  normalize(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => this.normalize(item, key));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [this.text(name), this.normalize(inner, name)]),
      );
    }
    // Row numbers, and Unix times.
    if (typeof value === 'number' && Number.isInteger(value) && (/(^|_)id$/.test(key) || value > 1_000_000_000))
      return 1;
    return typeof value === 'string' ? this.text(value, key) : value;
  }

  private text(value: string, key = ''): string {
    if (key === 'user_code') return 'BCDF-GHJK';
    return value
      .replace(TIME, '2026-01-31T09:30:00.000Z')
      .replace(/\b[0-9a-z]{26}@example\.com\b/g, (address) => `person${this.number('@', address)}@example.com`)
      .replace(UUID, (id) => `00000000-0000-7000-8000-${String(this.number('-', id)).padStart(12, '0')}`)
      .replace(
        ID,
        (id, kind: string, dash: string) => `${kind}${dash}${String(this.number(kind, id)).padStart(26, '0')}`,
      )
      .replace(
        OTHER_ID,
        (id, kind: string, dash: string) => `${kind}${dash}${String(this.number(kind, id)).padStart(24, '0')}`,
      )
      .replace(ADDRESS, '203.0.113.7')
      .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, 'cloud.example.com')
      .replace(SECRET, (secret) => (PREFIX.exec(secret)?.[0] ?? '').padEnd(Math.min(secret.length, 43), 'A'));
  }

  /** Number of an id among the ids of its kind, from 1, in the order in which they came. */
  private number(kind: string, id: string): number {
    const ofKind = this.seen.get(kind) ?? new Map<string, number>();
    this.seen.set(kind, ofKind);
    const number = ofKind.get(id) ?? ofKind.size + 1;
    ofKind.set(id, number);
    return number;
  }
}
