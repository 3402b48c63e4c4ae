import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BroadcastService } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { EventPositionsService, EVENTS_PLACED } from '../../../kernel/events/event-positions.service.js';
import { findLastPosition, readFollowedEvents, type StreamEvent } from './stream-events.js';

/**
 * Interval for reading without a notification. It covers notifications that were lost, and
 * processes that stopped before they sent one.
 */
const POLL_MS = 1_000;
/** Pause between two reads. Under load, one read takes all events that arrived in between. */
const PAUSE_MS = 20;

/** Receives events, each once and in order, from the position at which it joined. */
export interface Follower {
  readonly tenantId: string;
  /** Null: events of all users in the tenant. */
  readonly userId: string | null;
  deliver(event: StreamEvent): void;
}

/**
 * Reads new events once for all followers in this process. It reads only events of the users and
 * tenants that they follow.
 */
@Injectable()
export class EventCursorService implements OnApplicationShutdown {
  private readonly ofUsers = new Followers();
  private readonly ofTenants = new Followers();
  /** All events up to this position were delivered. Undefined while there are no followers. */
  private position: Promise<number> | undefined;
  private looking: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private isWanted = false;
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly positions: EventPositionsService,
    @Inject(LOGGER) private readonly logger: Logger,
    broadcast: BroadcastService,
  ) {
    broadcast.subscribe(EVENTS_PLACED, () => this.readSoon());
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop();
    await Promise.all([this.looking, this.polling]);
  }

  /** Number of users and whole tenants that have followers. */
  get audiences(): number {
    return this.ofUsers.size + this.ofTenants.size;
  }

  /**
   * Delivers events to the follower from now on. Returns the position after which they start; use
   * `readHistory` for earlier events.
   */
  async addFollower(follower: Follower): Promise<number> {
    this.groupOf(follower).addFollower(follower);
    this.timer ??= setInterval(() => this.poll(), POLL_MS).unref();
    // A read that has begun does not include this follower; the next one does.
    await this.looking;
    return this.position ?? this.startAtLastPosition();
  }

  removeFollower(follower: Follower): void {
    this.groupOf(follower).removeFollower(follower);
    if (!this.audiences) this.stop();
  }

  /**
   * Position up to which all followers have received their events; undefined without followers.
   */
  getPosition(): Promise<number> | undefined {
    return this.position;
  }

  private startAtLastPosition(): Promise<number> {
    const begun = findLastPosition(this.dataSource);
    if (!this.audiences) return begun; // the follower has left meanwhile
    this.position = begun;
    begun.catch(() => {
      if (this.position === begun) this.position = undefined; // the next follower to join tries again
    });
    return begun;
  }

  private groupOf({ userId }: Follower): Followers {
    return userId === null ? this.ofTenants : this.ofUsers;
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.position = undefined;
  }

  /**
   * Gives positions to new events and then reads them. Runs one poll at a time, however long it
   * takes.
   */
  private poll(): void {
    this.polling ??= this.positions
      .placeEvents()
      .catch((error: unknown) => this.logFailure(error))
      .finally(() => {
        this.polling = undefined;
        this.readSoon();
      });
  }

  private readSoon(): void {
    this.isWanted = true;
    if (this.position === undefined) return;
    this.looking ??= this.readNew().finally(() => {
      this.looking = undefined;
      if (this.isWanted) setTimeout(() => this.readSoon(), PAUSE_MS).unref();
    });
  }

  private async readNew(): Promise<void> {
    this.isWanted = false;
    try {
      while (await this.readPage());
      this.hasFailed = false;
    } catch (error) {
      this.logFailure(error);
    }
  }

  /**
   * Reads the next page of events, and delivers it to the followers. True if there may be more
   * events.
   */
  private async readPage(): Promise<boolean> {
    const from = this.position;
    if (from === undefined) return false;
    const audience = { after: await from, users: this.ofUsers.listKeys(), tenants: this.ofTenants.listKeys() };
    const { events, upTo, hasMore } = await readFollowedEvents(this.dataSource, audience);
    // All followers may have left meanwhile, and new ones joined at another position.
    if (this.position !== from) return false;
    for (const event of events) {
      if (event.userId !== null) this.ofUsers.deliver(event.userId, event);
      this.ofTenants.deliver(event.tenantId, event);
    }
    this.position = Promise.resolve(upTo);
    return hasMore;
  }

  private logFailure(error: unknown): void {
    this.logger[this.hasFailed ? 'debug' : 'warn'](
      { err: error },
      'cannot read events for event streams; trying again',
    );
    this.hasFailed = true;
  }
}

/** Followers by user, or by tenant. */
class Followers {
  private readonly all = new Map<string, Set<Follower>>();
  private known: string[] | undefined;

  get size(): number {
    return this.all.size;
  }

  listKeys(): string[] {
    return (this.known ??= [...this.all.keys()]);
  }

  addFollower(follower: Follower): void {
    const key = keyOf(follower);
    const group = this.all.get(key);
    if (group) {
      group.add(follower);
      return;
    }
    this.all.set(key, new Set([follower]));
    this.known = undefined;
  }

  removeFollower(follower: Follower): void {
    const key = keyOf(follower);
    const group = this.all.get(key);
    group?.delete(follower);
    if (group?.size) return;
    this.all.delete(key);
    this.known = undefined;
  }

  deliver(key: string, event: StreamEvent): void {
    for (const follower of this.all.get(key) ?? []) if (follower.tenantId === event.tenantId) follower.deliver(event);
  }
}

const keyOf = ({ tenantId, userId }: Follower): string => userId ?? tenantId;
