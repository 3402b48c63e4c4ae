import { PassThrough } from 'node:stream';

const PROPERTIES = ['isTTY', 'columns'] as const;
const before = new Map<object, (PropertyDescriptor | undefined)[]>();

/**
 * Makes all streams of the process a terminal of 80 columns, or none. Specs of a worker share these
 * streams: undo it with `restoreTerminal`.
 */
export function setTerminal(isTTY: boolean): void {
  for (const stream of [process.stdin, process.stdout, process.stderr]) {
    if (!before.has(stream)) {
      before.set(
        stream,
        PROPERTIES.map((name) => Object.getOwnPropertyDescriptor(stream, name)),
      );
    }
    Object.defineProperties(stream, {
      isTTY: { value: isTTY, configurable: true },
      columns: { value: 80, configurable: true },
    });
  }
}

/**
 * Simulates a user typing a line at a terminal. Undo it with `restoreTerminal`, and with
 * `jest.restoreAllMocks` for the input.
 */
export function typeAtTerminal(line: string): void {
  const input = new PassThrough();
  input.end(`${line}\n`);
  jest.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
  setTerminal(true);
}

export function restoreTerminal(): void {
  for (const [stream, descriptors] of before) {
    PROPERTIES.forEach((name, at) => {
      const descriptor = descriptors[at];
      if (descriptor) Object.defineProperty(stream, name, descriptor);
      else Reflect.deleteProperty(stream, name);
    });
  }
  before.clear();
}
