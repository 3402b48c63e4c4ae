import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Notifications } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { EventPositions, EVENTS_PLACED } from '../../../kernel/events/event-positions.js';
import { lastPosition, readFollowed, type StreamEvent } from './stream-events.js';

/** When nobody tells that there are events: for the event of a process that died before it told, and for a message that was lost. */
const POLL_MS = 1_000;
/** Between two looks. Under load, what comes in between is read together. */
const PAUSE_MS = 20;

/** Somebody who is told events, each once and in order, from the position at which they joined. */
export interface Follower {
  readonly tenantId: string;
  /** Null: of everybody in the tenant. */
  readonly userId: string | null;
  deliver(event: StreamEvent): void;
}

/** Reads events once for all who follow them in this process, and only those of the users and tenants that somebody follows. */
@Injectable()
export class EventCursor implements OnApplicationShutdown {
  private readonly ofUsers = new Followers();
  private readonly ofTenants = new Followers();
  /** All events up to here have been delivered. Undefined while nobody follows. */
  private position: Promise<number> | undefined;
  private looking: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private isWanted = false;
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly positions: EventPositions,
    @Inject(LOGGER) private readonly logger: Logger,
    notifications: Notifications,
  ) {
    notifications.subscribe(EVENTS_PLACED, () => this.look());
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop();
    await Promise.all([this.looking, this.polling]);
  }

  /** How many users, or whole tenants, somebody follows. */
  get audiences(): number {
    return this.ofUsers.size + this.ofTenants.size;
  }

  /** Events from now on are delivered. Returns the position behind which they are: what was before is in `history`. */
  async join(follower: Follower): Promise<number> {
    this.groupOf(follower).add(follower);
    this.timer ??= setInterval(() => this.poll(), POLL_MS).unref();
    // A look that has begun does not know of this follower; the next one does.
    await this.looking;
    return this.position ?? this.begin();
  }

  leave(follower: Follower): void {
    this.groupOf(follower).remove(follower);
    if (!this.audiences) this.stop();
  }

  /** Up to where everything has been delivered to whom it concerns. */
  reached(): Promise<number> | undefined {
    return this.position;
  }

  private begin(): Promise<number> {
    const begun = lastPosition(this.dataSource);
    if (!this.audiences) return begun; // the follower has left meanwhile
    this.position = begun;
    begun.catch(() => {
      if (this.position === begun) this.position = undefined; // the next one to join tries again
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

  /** One after the other, however long one takes. */
  private poll(): void {
    this.polling ??= this.positions
      .place()
      .catch((error: unknown) => this.note(error))
      .finally(() => {
        this.polling = undefined;
        this.look();
      });
  }

  private look(): void {
    this.isWanted = true;
    if (this.position === undefined) return;
    this.looking ??= this.readNew().finally(() => {
      this.looking = undefined;
      if (this.isWanted) setTimeout(() => this.look(), PAUSE_MS).unref();
    });
  }

  private async readNew(): Promise<void> {
    this.isWanted = false;
    try {
      while (await this.readPage());
      this.hasFailed = false;
    } catch (error) {
      this.note(error);
    }
  }

  /** True when there is more. */
  private async readPage(): Promise<boolean> {
    const from = this.position;
    if (from === undefined) return false;
    const audience = { after: await from, users: this.ofUsers.keys(), tenants: this.ofTenants.keys() };
    const { events, upTo, hasMore } = await readFollowed(this.dataSource, audience);
    // Everybody may have left meanwhile, and others come who begin elsewhere.
    if (this.position !== from) return false;
    for (const event of events) {
      if (event.userId !== null) this.ofUsers.deliver(event.userId, event);
      this.ofTenants.deliver(event.tenantId, event);
    }
    this.position = Promise.resolve(upTo);
    return hasMore;
  }

  private note(error: unknown): void {
    this.logger[this.hasFailed ? 'debug' : 'warn']({ err: error }, 'events cannot be read for those who follow them; trying again');
    this.hasFailed = true;
  }
}

/** By user, or by tenant. */
class Followers {
  private readonly all = new Map<string, Set<Follower>>();
  private known: string[] | undefined;

  get size(): number {
    return this.all.size;
  }

  keys(): string[] {
    return (this.known ??= [...this.all.keys()]);
  }

  add(follower: Follower): void {
    const key = keyOf(follower);
    const group = this.all.get(key);
    if (group) {
      group.add(follower);
      return;
    }
    this.all.set(key, new Set([follower]));
    this.known = undefined;
  }

  remove(follower: Follower): void {
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
