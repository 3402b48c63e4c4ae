import { createParser } from 'eventsource-parser';

/** One event of the stream. */
export interface PlatformEvent {
  /** To go on behind it; null for what the stream says of itself. */
  id: string | null;
  type: string;
  payload: Record<string, unknown>;
  /** When it happened. */
  ts: string;
}

interface ReaderOptions {
  onEvent: (event: PlatformEvent) => void;
  /** How long to wait before the next connection, once this one is lost. */
  onRetry: (milliseconds: number) => void;
  /** All up to here has been told, or does not concern the reader. */
  onPosition: (id: string) => void;
}

/**
 * Reads Server-Sent Events of the platform, as their text comes. An `id` without data counts, as the standard has it: it keeps a quiet stream up to date. The parser
 * does not tell of it, so it is read here.
 */
export class StreamReader {
  private rest = '';
  private id: string | undefined;
  private readonly parser: ReturnType<typeof createParser>;

  constructor(private readonly options: ReaderOptions) {
    this.parser = createParser({
      onEvent: ({ id, data }) => options.onEvent({ id: id ?? null, ...(JSON.parse(data) as Omit<PlatformEvent, 'id'>) }),
      onRetry: options.onRetry,
    });
  }

  /** @throws SyntaxError where an event is none of the platform. */
  feed(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      this.parser.feed(`${line}\n`);
      this.id = /^id: ?(.*)$/.exec(line)?.[1] ?? this.id;
      if (line === '' && this.id !== undefined) this.options.onPosition(this.id);
    }
  }
}
