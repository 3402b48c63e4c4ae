import type { Tokens, TokenStore } from '@platform/client';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { CommandError } from '../failures.js';
import type { Interruption } from '../interruption.js';
import type { Settings } from '../settings.js';
import { CredentialsFile } from './credentials-file.js';
import { ensurePrivateFolder } from './private-folder.js';

/** A killed process holds up the others for this long. */
const STALE_MS = 5_000;
/** Longer than any refresh takes. */
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 50;

/** The credentials of one profile at one platform, shared by all processes of this user. */
export class CredentialStore implements TokenStore {
  private known: CredentialsFile | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly interruption: Interruption,
    private readonly warn: (text: string) => void,
  ) {}

  /** @throws CommandError where there is no folder for it. */
  private get file(): CredentialsFile {
    const { folder, url } = this.settings;
    if (folder === null) {
      throw new CommandError(
        'There is no place to keep a login in: set HOME or XDG_CONFIG_HOME to the path of a folder, or use PLATFORM_API_KEY.',
      );
    }
    return (this.known ??= new CredentialsFile(join(folder, fileName(this.settings)), url, this.warn));
  }

  get path(): string {
    return this.file.path;
  }

  async load(): Promise<Tokens | undefined> {
    return this.file.read();
  }

  async save(tokens: Tokens): Promise<void> {
    return this.file.write(tokens);
  }

  async remove(): Promise<void> {
    return this.file.remove();
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.interruption.protect(this.locked(work));
  }

  private async locked<T>(work: () => Promise<T>): Promise<T> {
    await ensurePrivateFolder(dirname(this.path), this.warn);
    const release = await this.lock();
    try {
      return await work();
    } finally {
      await release().catch(() => undefined); // lost, or soon stale
    }
  }

  private async lock(): Promise<() => Promise<void>> {
    const deadline = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      try {
        return await lock(this.path, {
          realpath: false, // the file need not be there yet
          stale: STALE_MS,
          update: STALE_MS / 4,
          // Lost after a sleep of the computer, say. The platform answers a repeated refresh alike, so nothing breaks.
          onCompromised: () => undefined,
        });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
        if (Date.now() > deadline) throw new CommandError(`Another process keeps ${this.path} locked. Try again when it is done.`);
        await delay(POLL_MS * (1 + Math.random()));
      }
    }
  }
}

/** Readable, and different for different platforms. */
function fileName({ profile, url }: Settings): string {
  const { host } = new URL(url);
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return `credentials-${profile}-${host.replace(/[^\w.-]/g, '_')}-${hash}.json`;
}
