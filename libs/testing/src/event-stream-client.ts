import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { until } from './until.js';

/** Content of one event of the platform's stream. */
export interface StreamedEvent {
  type: string;
  payload: Record<string, unknown>;
  ts: string;
}

/** Follows Server-Sent Events and records all of them. It does not reconnect. */
export class EventStreamClient {
  readonly events: StreamedEvent[] = [];
  /** Frames in the order of arrival, including ids without data. */
  readonly frames: EventSourceMessage[] = [];
  retryMs: number | undefined;
  private text = '';
  private isClosed = false;

  private constructor(
    private readonly request: ClientRequest,
    private readonly response: IncomingMessage,
  ) {
    const parser = createParser({
      onEvent: (frame) => {
        this.frames.push(frame);
        this.events.push(JSON.parse(frame.data) as StreamedEvent);
      },
      onRetry: (retryMs) => (this.retryMs = retryMs),
    });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
      parser.feed(chunk);
    });
    response.once('close', () => (this.isClosed = true));
    response.on('error', () => undefined); // the stream is then closed
  }

  /**
   * Connects to a stream. Resolves when the head of the answer has arrived, with any status.
   *
   * @throws the error of the connection if it fails.
   */
  static open(url: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, agent: false });
      sent.once('error', reject);
      sent.once('response', (response) => resolve(new EventStreamClient(sent, response)));
      sent.end();
    });
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  /** True if the answer was received to its end. */
  get isComplete(): boolean {
    return this.response.complete;
  }

  get headers(): IncomingMessage['headers'] {
    return this.response.headers;
  }

  /** All received text. */
  get received(): string {
    return this.text;
  }

  /** Id of the last frame that had an id, with or without data. */
  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }

  /**
   * Waits for the first id, which the stream sends when it has begun.
   *
   * @throws Error with the answer if the stream is refused or closed before; if no id comes within
   * the time of `until`.
   */
  async waitUntilLive(): Promise<this> {
    await until(() => this.lastEventId ?? this.isClosed);
    if (!this.lastEventId) throw new Error(`The stream was closed before its first id: ${this.status} ${this.text}`);
    return this;
  }

  async waitForEvents(events: number): Promise<StreamedEvent[]> {
    await until(() => this.events.length >= events);
    return this.events;
  }

  /**
   * Waits until the stream has sent an id, or was closed because of a refusal. Returns the received
   * text.
   */
  async waitForAnswer(): Promise<string> {
    await until(() => this.isClosed || this.lastEventId);
    return this.text;
  }

  async waitForEnd(): Promise<void> {
    await until(() => this.isClosed);
  }

  /** Stops reading from the connection. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.request.destroy();
  }
}
