import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { until } from './until.js';

/** What a stream of the platform sends in one event. */
export interface StreamedEvent {
  type: string;
  payload: Record<string, unknown>;
  ts: string;
}

/** Follows Server-Sent Events, and keeps all that comes. It does not come back by itself. */
export class EventStreamClient {
  readonly events: StreamedEvent[] = [];
  /** As they came, ids without data too. */
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
    response.on('error', () => undefined); // it is closed then
  }

  /** Resolves with the head of the answer, whatever it is. */
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

  /** Whether the answer came to its end, and was not cut off. */
  get isComplete(): boolean {
    return this.response.complete;
  }

  get headers(): IncomingMessage['headers'] {
    return this.response.headers;
  }

  /** All that came, to the byte. */
  get received(): string {
    return this.text;
  }

  /** Of the last frame that had one, with data or without. */
  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }

  /** Everything is sent from here on. */
  async live(): Promise<this> {
    await until(() => this.lastEventId);
    return this;
  }

  async count(events: number): Promise<StreamedEvent[]> {
    await until(() => this.events.length >= events);
    return this.events;
  }

  /** What has come once it is live, or once it is over because it was refused. */
  async answer(): Promise<string> {
    await until(() => this.isClosed || this.lastEventId);
    return this.text;
  }

  async ended(): Promise<void> {
    await until(() => this.isClosed);
  }

  /** Takes nothing more from the connection. */
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
