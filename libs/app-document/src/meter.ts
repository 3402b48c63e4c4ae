/** A check was stopped because it took too long. */
export class TooExpensive extends Error {}

/** Units for one JSON value, without its text. */
const VALUE_UNITS = 10;

const isComposite = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Counts the work of a check, and stops it above a limit. One unit takes about 10 ns. */
export class Meter {
  private left = Infinity;
  /**
   * Cached keys of compared values: a check can compare the same value with hundreds of constants.
   */
  private keys = new WeakMap<object, string>();

  /** Starts a check that can spend this number of units. */
  startCheck(units: number): void {
    this.left = units;
    this.keys = new WeakMap();
  }

  /**
   * Counts units of work.
   *
   * @throws TooExpensive if more units were spent than the check has.
   */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooExpensive();
  }

  /**
   * A key that is the same for equal JSON values, independent of the order of fields: a text for a
   * list or an object, otherwise the value itself.
   *
   * @throws TooExpensive if the check has no units left.
   */
  key(value: unknown): unknown {
    const key = isComposite(value) ? this.textOf(value) : value;
    this.spend(VALUE_UNITS + (typeof key === 'string' ? key.length / 16 : 0));
    return key;
  }

  private textOf(value: unknown): string {
    if (!isComposite(value)) {
      this.spend(VALUE_UNITS + (typeof value === 'string' ? value.length : 0));
      return value === undefined ? 'null' : JSON.stringify(value);
    }
    const known = this.keys.get(value);
    if (known !== undefined) return known;
    const parts = Array.isArray(value)
      ? value.map((item) => this.textOf(item))
      : Object.keys(value)
          .filter((name) => value[name] !== undefined)
          .sort()
          .map((name) => `${this.textOf(name)}:${this.textOf(value[name])}`);
    const inner = parts.join(',');
    this.spend(VALUE_UNITS + inner.length);
    const text = Array.isArray(value) ? `[${inner}]` : `{${inner}}`;
    this.keys.set(value, text);
    return text;
  }
}

/** A set of JSON values, compared by content. */
export class JsonSet {
  private readonly plain = new Set<unknown>();
  private readonly composite = new Set<unknown>();

  constructor(
    private readonly meter: Meter,
    values: readonly unknown[] = [],
  ) {
    for (const value of values) this.add(value);
  }

  /** Adds a value. True if it was not in the set. */
  add(value: unknown): boolean {
    const values = isComposite(value) ? this.composite : this.plain;
    const before = values.size;
    return values.add(this.meter.key(value)).size > before;
  }

  has(value: unknown): boolean {
    const values = isComposite(value) ? this.composite : this.plain;
    // A value need not be read if the set has no value of its kind.
    return values.size > 0 && values.has(this.meter.key(value));
  }
}
