import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { changedBy, LIVE } from '../lib/live-changes.js';
import { Refreshing } from './refreshing.js';
import { SESSION } from './session.js';

const STREAM = '/api/v1/events/stream';
/** Delay before a stream is opened, so that quick changes between tabs open none. */
const SETTLE_MS = 250;
/**
 * Pause after a refused stream, for example with too many streams or while the platform is down.
 */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
/** A stream that was open for this long resets the count of refusals. */
const GOOD_MS = 60_000;
/** A lost stream reconnects after 2 to 8 s. Shorter interruptions are not reported. */
const AWAY_MS = 10_000;

/**
 * Milliseconds to wait before the next stream after a number of refusals: about 2 s after the
 * first, then twice as long each time, at most 5 minutes. Random, since many pages are refused at
 * the same time.
 */
export const pauseAfter = (refusals: number, random = Math.random()): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (refusals - 1) * (0.5 + random));

/**
 * Keeps the shown data current by the event stream of the panel. Only a visible page has a stream:
 * browsers open few connections to a server, and hidden pages would use them all. When a stream
 * opens, all live data is reloaded, since it may have changed before. Without a stream, data is
 * reloaded only when the user returns to the page.
 *
 * Returns true if the page has had no stream for ten seconds.
 */
export function useLiveEvents(): boolean {
  const queries = useQueryClient();
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const live = new LiveEvents(queries, setAway);
    const look = () => (document.hidden ? live.pause() : live.goOn());
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      live.pause();
    };
  }, [queries]);
  return isAway;
}

class LiveEvents {
  private readonly refreshing: Refreshing;
  private source: EventSource | undefined;
  private timer: number | undefined;
  private awayTimer: number | undefined;
  private refusals = 0;

  constructor(
    private readonly queries: QueryClient,
    private readonly setAway: (isAway: boolean) => void,
  ) {
    this.refreshing = new Refreshing((names) =>
      queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => typeof name === 'string' && names.has(name) }),
    );
  }

  goOn(): void {
    if (!this.source && this.timer === undefined) this.followIn(SETTLE_MS);
  }

  pause(): void {
    this.stop();
    this.tellAway(false);
  }

  private stop(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private tellAway(isAway: boolean): void {
    if (isAway) {
      this.awayTimer ??= window.setTimeout(() => this.setAway(true), AWAY_MS);
      return;
    }
    window.clearTimeout(this.awayTimer);
    this.awayTimer = undefined;
    this.setAway(false);
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
      this.tellAway(false);
      this.refreshing.add(LIVE);
    });
    source.addEventListener('message', ({ data }: MessageEvent<string>) => this.take(data));
    source.addEventListener('error', () => {
      this.tellAway(true);
      if (Date.now() - begun > GOOD_MS) this.refusals = 0;
      // The browser reconnects a lost stream itself, but not a refused one.
      if (source.readyState === EventSource.CLOSED) this.comeLater();
    });
  }

  private take(data: string): void {
    const { type, payload } = JSON.parse(data) as { type: string; payload: { reason?: string } };
    this.refreshing.add(changedBy(type));
    if (type === 'stream.closed' && payload.reason === 'session_ended') this.comeLater();
  }

  /**
   * Closes the stream and opens a new one after the pause for the number of refusals, which it
   * raises (`pauseAfter`). Checks the session, so that a signed-out user sees it at once.
   */
  private comeLater(): void {
    this.stop();
    this.refusals++;
    this.followIn(pauseAfter(this.refusals));
    void this.queries.invalidateQueries({ queryKey: SESSION });
  }
}
