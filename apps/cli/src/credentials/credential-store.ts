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

/** Time after which the lock of a killed process expires. */
const STALE_MS = 5_000;
/** Longer than any refresh takes. */
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 50;

/** Credentials of one profile on one platform, shared by all processes of this user. */
export class CredentialStore implements TokenStore {
  private known: CredentialsFile | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly interruption: Interruption,
    private readonly warn: (text: string) => void,
  ) {}

  /**
   * The file of the credentials.
   *
   * @throws CommandError if the user's folder for settings is unknown.
   */
  private get file(): CredentialsFile {
    const { folder, url } = this.settings;
    if (folder === null) {
      throw new CommandError(
        'There is no folder to store the login in. Set HOME or XDG_CONFIG_HOME to the path of a folder, or use PLATFORM_API_KEY.',
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
      await release().catch(() => undefined); // the lock was lost or expires soon
    }
  }

  private async lock(): Promise<() => Promise<void>> {
    const deadline = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      try {
        return await lock(this.path, {
          realpath: false, // the file may not exist yet
          stale: STALE_MS,
          update: STALE_MS / 4,
          // The lock can be lost, for example after the computer slept. The platform gives the same
          // answer to a repeated refresh, so this does no harm.
          onCompromised: () => undefined,
        });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
        if (Date.now() > deadline)
          throw new CommandError(`Another process has locked ${this.path}. Try again when it has finished.`);
        await delay(POLL_MS * (1 + Math.random()));
      }
    }
  }
}

/** Name of the file of the credentials: readable, and different for each profile and platform. */
function fileName({ profile, url }: Settings): string {
  const { host } = new URL(url);
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return `credentials-${profile}-${host.replace(/[^\w.-]/g, '_')}-${hash}.json`;
}
