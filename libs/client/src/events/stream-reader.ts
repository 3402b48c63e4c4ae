import { createParser } from 'eventsource-parser';

/** An event of the stream. */
export interface PlatformEvent {
  /** Position to continue after; null for events about the stream itself. */
  id: string | null;
  type: string;
  payload: Record<string, unknown>;
  /** Time of the event. */
  ts: string;
}

interface ReaderOptions {
  onEvent: (event: PlatformEvent) => void;
  /** Milliseconds to wait before the next connection, after this one is lost. */
  onRetry: (milliseconds: number) => void;
  /** All events up to this id were passed on, or are not for this client. */
  onPosition: (id: string) => void;
}

/**
 * Parses Server-Sent Events of the platform from pieces of text, and reports each event and each
 * position. A position (an `id` line) can come without an event; it keeps a quiet stream up to
 * date. The parser library does not report it, so it is read here.
 */
export class StreamReader {
  private rest = '';
  private id: string | undefined;
  private readonly parser: ReturnType<typeof createParser>;

  constructor(private readonly options: ReaderOptions) {
    this.parser = createParser({
      onEvent: ({ id, data }) =>
        options.onEvent({ id: id ?? null, ...(JSON.parse(data) as Omit<PlatformEvent, 'id'>) }),
      onRetry: options.onRetry,
    });
  }

  /**
   * Parses the next piece of text; a piece can end anywhere. @throws SyntaxError if the data of an
   * event is not JSON.
   */
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
