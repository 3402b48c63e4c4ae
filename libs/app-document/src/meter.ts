/** A check was ended for what it took. */
export class TooExpensive extends Error {}

/** A value of JSON that is looked at, apart from its text. */
const VALUE_UNITS = 10;

const isComposite = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Counts what one check does, and ends it when that is too much. A unit takes about 10 ns. */
export class Meter {
  private left = Infinity;
  /** Of what is compared; a check may compare the same value with hundreds of constants. */
  private keys = new WeakMap<object, string>();

  /** A check begins. */
  start(units: number): void {
    this.left = units;
    this.keys = new WeakMap();
  }

  /** @throws TooExpensive */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooExpensive();
  }

  /** The same for values of JSON that are equal, whatever the order of their fields: a text for a list or an object, else the value. */
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

/** Values of JSON, each of them once. */
export class JsonSet {
  private readonly plain = new Set<unknown>();
  private readonly composite = new Set<unknown>();

  constructor(
    private readonly meter: Meter,
    values: readonly unknown[] = [],
  ) {
    for (const value of values) this.add(value);
  }

  /** Whether it was not there yet. */
  add(value: unknown): boolean {
    const values = isComposite(value) ? this.composite : this.plain;
    const before = values.size;
    return values.add(this.meter.key(value)).size > before;
  }

  has(value: unknown): boolean {
    const values = isComposite(value) ? this.composite : this.plain;
    // What is compared with nothing of its kind need not be looked into.
    return values.size > 0 && values.has(this.meter.key(value));
  }
}
