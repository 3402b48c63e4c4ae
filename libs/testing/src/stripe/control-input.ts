/** Error of a `/_control` request, with a message for people. */
export class ControlRefusal extends Error {
  constructor(
    readonly status: 400 | 401 | 404,
    message: string,
  ) {
    super(message);
  }
}

const refused = (message: string): ControlRefusal => new ControlRefusal(400, message);

const LONGEST_TEXT = 500;

/**
 * Reads the JSON body of a `/_control` request field by field.
 *
 * @throws ControlRefusal that names the expected value
 */
export class ControlInput {
  private constructor(private readonly fields: Record<string, unknown>) {}

  /**
   * Parses a body. An empty body is an object without fields.
   *
   * @param known fields that the body can have.
   * @throws ControlRefusal 400 if it is not a JSON object, or has other fields
   */
  static parse(body: string, known: readonly string[]): ControlInput {
    return ControlInput.of(body === '' ? {} : parseJson(body), 'The body', known);
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  text(name: string): string {
    const value = this.fields[name];
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT) return value;
    throw refused(`${name} has to be a text of 1 to ${LONGEST_TEXT} characters.`);
  }

  oneOf<T extends string | number>(name: string, choices: readonly T[]): T {
    const value = choices.find((choice) => choice === this.fields[name]);
    if (value === undefined) throw refused(`${name} has to be one of ${choices.join(', ')}.`);
    return value;
  }

  /**
   * Reads a boolean; `otherwise` if the field is absent.
   *
   * @throws ControlRefusal 400 for any other value
   */
  flag(name: string, otherwise: boolean): boolean {
    const value = this.fields[name] ?? otherwise;
    if (typeof value !== 'boolean') throw refused(`${name} has to be true or false.`);
    return value;
  }

  integer(name: string, from: number, to: number): number {
    return wholeNumber(this.fields[name], name, from, to);
  }

  integers(name: string, from: number, to: number): number[] {
    return this.list(name).map((value) => wholeNumber(value, `each of ${name}`, from, to));
  }

  texts(name: string): string[] {
    const values = this.list(name);
    if (values.every((value) => typeof value === 'string' && value !== '')) return values as string[];
    throw refused(`${name} has to be a list of texts.`);
  }

  pattern(name: string): RegExp {
    const source = this.text(name);
    try {
      return new RegExp(source);
    } catch {
      throw refused(`${name} has to be a regular expression.`);
    }
  }

  /**
   * Reads an http(s) URL or null.
   *
   * @throws ControlRefusal 400 for any other value
   */
  address(name: string): string | null {
    const value = this.fields[name];
    if (value === null) return null;
    if (typeof value === 'string' && URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol))
      return value;
    throw refused(`${name} has to be an http(s) address, or null.`);
  }

  object(name: string, known: readonly string[]): ControlInput {
    return ControlInput.of(this.fields[name], name, known);
  }

  private static of(value: unknown, what: string, known: readonly string[]): ControlInput {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refused(`${what} has to be an object.`);
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw refused(`There is no "${unknown}" here${known.length ? `, but ${known.join(', ')}` : ''}.`);
    return new ControlInput(value as Record<string, unknown>);
  }

  private list(name: string): unknown[] {
    const value = this.fields[name];
    if (Array.isArray(value) && value.length <= 10) return value;
    throw refused(`${name} has to be a list of 10 at most.`);
  }
}

function wholeNumber(value: unknown, what: string, from: number, to: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value;
  throw refused(`${what} has to be a whole number from ${from} to ${to}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('The body has to be JSON.');
  }
}
