/** Maximum bytes of bodies in memory at the same time. No size is smaller than the largest body. */
export interface BodyMemoryLimits {
  total: number;
  perApp: number;
  /** Bodies of one sender, to all apps. */
  perSender: number;
  /** Bodies of one sender to one app. */
  perSenderToApp: number;
}

/**
 * Memory for bodies, counted as their bytes arrive. There is a limit for all bodies, for each app,
 * for each sender, and for each sender to an app. The oldest body under each limit can always
 * continue: memory is reserved for it up to the size of the largest body. So bodies that wait for
 * memory never wait for each other.
 */
export class BodyMemoryPool {
  private readonly all: Room;
  private readonly apps = new Map<string, Room>();
  private readonly senders = new Map<string, Room>();
  private readonly sendersToApps = new Map<string, Room>();
  private readonly waiting = new Set<BodyMemory>();

  /** `largest`: maximum bytes of one body. */
  constructor(
    private readonly sizes: BodyMemoryLimits,
    private readonly largest: number,
  ) {
    this.all = new Room(sizes.total, largest);
  }

  /**
   * Opens the account of the memory of a new body, which takes none yet. Its age counts from its
   * first `reserve`.
   */
  openBody(app: string, sender: string): BodyMemory {
    const toApp = JSON.stringify([app, sender]);
    const enter = (body: BodyMemory): Room[] => {
      const { perApp, perSender, perSenderToApp } = this.sizes;
      const rooms = [
        this.all,
        this.room(this.apps, app, perApp),
        this.room(this.senders, sender, perSender),
        this.room(this.sendersToApps, toApp, perSenderToApp),
      ];
      for (const { bodies } of rooms) bodies.add(body);
      return rooms;
    };
    const onLeft = (): void => {
      if (!this.apps.get(app)?.bodies.size) this.apps.delete(app);
      if (!this.senders.get(sender)?.bodies.size) this.senders.delete(sender);
      if (!this.sendersToApps.get(toApp)?.bodies.size) this.sendersToApps.delete(toApp);
      for (const body of this.waiting) body.retryReserve();
    };
    return new BodyMemory(enter, onLeft, this.waiting);
  }

  private room(rooms: Map<string, Room>, key: string, most: number): Room {
    const room = rooms.get(key) ?? new Room(most, this.largest);
    rooms.set(key, room);
    return room;
  }
}

/** The memory of one body. */
export class BodyMemory {
  bytes = 0;
  private rooms: readonly Room[] | null = null;
  private wanted: { bytes: number; then: () => void } | null = null;

  constructor(
    private readonly enter: (body: BodyMemory) => Room[],
    private readonly onLeft: () => void,
    private readonly waiting: Set<BodyMemory>,
  ) {}

  /**
   * Takes this number of bytes of memory for the body, and returns true. If there is not enough,
   * returns false, and calls `then` later, after the memory became free and was taken.
   */
  reserve(bytes: number, then: () => void): boolean {
    this.rooms ??= this.enter(this);
    if (!this.rooms.every((room) => room.has(this, bytes))) {
      this.wanted = { bytes, then };
      this.waiting.add(this);
      return false;
    }
    this.waiting.delete(this);
    this.bytes += bytes;
    for (const room of this.rooms) room.used += bytes;
    return true;
  }

  retryReserve(): void {
    const { wanted } = this;
    this.wanted = null;
    if (wanted && this.reserve(wanted.bytes, wanted.then)) wanted.then();
  }

  /**
   * Frees all memory of the body, and gives it to bodies that wait. `then` of a `reserve` that
   * still waits is not called.
   */
  release(): void {
    const { rooms } = this;
    if (!rooms) return;
    this.rooms = this.wanted = null;
    this.waiting.delete(this);
    for (const room of rooms) {
      room.used -= this.bytes;
      room.bodies.delete(this);
    }
    this.bytes = 0;
    this.onLeft();
  }
}

class Room {
  used = 0;
  /** Oldest first. */
  readonly bodies = new Set<BodyMemory>();

  constructor(
    private readonly most: number,
    private readonly largest: number,
  ) {}

  has(body: BodyMemory, bytes: number): boolean {
    const [oldest = body] = this.bodies;
    const kept = oldest === body ? 0 : Math.max(0, this.largest - oldest.bytes);
    return this.used + bytes + kept <= this.most;
  }
}
