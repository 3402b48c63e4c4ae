import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { changedBy, LIVE } from '../lib/live-changes.js';
import { Refreshing } from './refreshing.js';
import { SESSION } from './session.js';

const STREAM = '/api/v1/events/stream';
/** Who goes from tab to tab opens no stream for each. */
const SETTLE_MS = 250;
/** After a stream was refused, such as for one too many or while the platform is away. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
/** After this long it is no longer the trouble of before. */
const GOOD_MS = 60_000;

/** How long to wait before the stream that follows so many refusals. Spread, since pages are refused together. */
export const pauseAfter = (refusals: number, random = Math.random()): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (refusals - 1) * (0.5 + random));

/**
 * Keeps what is shown current. One page in sight has one stream: a browser opens few connections to a server, and pages that nobody looks at would take them all.
 * Whenever a stream begins, what is shown is read anew, since it may have changed before. Without one a page is what it was without this: current when one comes to it.
 */
export function useLiveEvents(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const live = new LiveEvents(queries);
    const look = () => (document.hidden ? live.pause() : live.goOn());
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      live.pause();
    };
  }, [queries]);
}

class LiveEvents {
  private readonly refreshing: Refreshing;
  private source: EventSource | undefined;
  private timer: number | undefined;
  private refusals = 0;

  constructor(private readonly queries: QueryClient) {
    this.refreshing = new Refreshing((names) =>
      queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => typeof name === 'string' && names.has(name) }),
    );
  }

  goOn(): void {
    if (!this.source && this.timer === undefined) this.followIn(SETTLE_MS);
  }

  pause(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private followIn(milliseconds: number): void {
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      this.follow();
    }, milliseconds);
  }

  private follow(): void {
    const source = new EventSource(STREAM);
    let begun = Infinity;
    this.source = source;
    source.addEventListener('open', () => {
      begun = Date.now();
      this.refreshing.add(LIVE);
    });
    source.addEventListener('message', ({ data }: MessageEvent<string>) => this.take(data));
    source.addEventListener('error', () => {
      if (Date.now() - begun > GOOD_MS) this.refusals = 0;
      // One that was lost comes back by itself, one that was refused does not.
      if (source.readyState === EventSource.CLOSED) this.comeLater();
    });
  }

  private take(data: string): void {
    const { type, payload } = JSON.parse(data) as { type: string; payload: { reason?: string } };
    this.refreshing.add(changedBy(type));
    if (type === 'stream.closed' && payload.reason === 'session_ended') this.comeLater();
  }

  /** Whoever is signed out sees it now. */
  private comeLater(): void {
    this.pause();
    this.refusals++;
    this.followIn(pauseAfter(this.refusals));
    void this.queries.invalidateQueries({ queryKey: SESSION });
  }
}
