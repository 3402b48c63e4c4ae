import type { Tokens } from '@platform/client';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { CommandError } from '../failures.js';
import { ExitCode } from '../exit-codes.js';
import { ensurePrivateFolder, isOpenToOthers, requireOwner } from './private-folder.js';

interface StoredCredentials {
  url: string;
  access_token: string;
  refresh_token: string;
  access_token_expires_at: string;
}

/**
 * Tokens of one session, in a file that only its owner can read (mode 0600, in a folder with mode
 * 0700). Reading throws CommandError if the file belongs to another user or is damaged; writing, if
 * the folder belongs to another user.
 */
export class CredentialsFile {
  constructor(
    readonly path: string,
    private readonly url: string,
    private readonly warn: (text: string) => void,
  ) {}

  async read(): Promise<Tokens | undefined> {
    const text = await this.readText();
    return text === undefined ? undefined : this.parse(text);
  }

  /**
   * Stores the tokens, and creates their folder if needed. The whole file is replaced atomically:
   * after a crash, either the old or the new content is there.
   *
   * @throws CommandError if the folder belongs to another user.
   */
  async write({ accessToken, refreshToken, expiresAt }: Tokens): Promise<void> {
    await ensurePrivateFolder(dirname(this.path), this.warn);
    const stored: StoredCredentials = {
      url: this.url,
      access_token: accessToken,
      refresh_token: refreshToken,
      access_token_expires_at: new Date(expiresAt).toISOString(),
    };
    await writeFileAtomic(this.path, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  }

  /** Removes the file, and temporary files that killed processes left behind. */
  async remove(): Promise<void> {
    const [folder, name] = [dirname(this.path), basename(this.path)];
    const left = (await readdir(folder)).filter(
      (entry) => entry.startsWith(`${name}.`) && /^\d+$/.test(entry.slice(name.length + 1)),
    );
    for (const entry of [name, ...left]) await rm(join(folder, entry), { force: true });
  }

  private async readText(): Promise<string | undefined> {
    const file = await open(this.path, 'r').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return undefined;
    try {
      const stats = await file.stat();
      requireOwner(this.path, stats);
      if (isOpenToOthers(stats)) {
        await file.chmod(0o600);
        this.warn(
          `Other users could read ${this.path}. Its permissions are corrected. If another user may have read it, sign out and sign in again.`,
        );
      }
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  private parse(text: string): Tokens {
    try {
      const stored = JSON.parse(text) as Partial<Record<keyof StoredCredentials, unknown>>;
      const { access_token: accessToken, refresh_token: refreshToken } = stored;
      const expiresAt = Date.parse(String(stored.access_token_expires_at));
      if (typeof accessToken === 'string' && typeof refreshToken === 'string' && !Number.isNaN(expiresAt)) {
        return { accessToken, refreshToken, expiresAt };
      }
    } catch {
      // not JSON: treated like JSON of another shape
    }
    throw new CommandError(`${this.path} is damaged. Sign in again to replace it.`, ExitCode.notSignedIn);
  }
}
