import { createPlatformClient, RefreshingTokens, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { CredentialStore } from './credentials/credential-store.js';
import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import { proxiedFetch } from './network/proxied-fetch.js';
import type { Interruption } from './interruption.js';
import { Output } from './output.js';
import { assertNamed, resolveSettings, type GlobalOptions, type OptionSource, type Settings } from './settings.js';
import { printable } from './text/printable.js';
import { VERSION } from './version.js';

/** Shown to people in the list of their sessions. */
const USER_AGENT = `platform-cli/${VERSION} (${process.platform} ${process.arch}; Node.js ${process.versions.node})`;

const VIA_PROXY = { fetch: proxiedFetch };

/** What a command has at hand. */
export class Context {
  readonly output: Output;
  readonly store: CredentialStore;

  constructor(
    readonly settings: Settings,
    readonly interruption: Interruption,
  ) {
    this.output = new Output(settings.json);
    this.store = new CredentialStore(settings, interruption, (text) => this.output.note(text));
  }

  /**
   * Calls the platform as nobody.
   *
   * @throws CommandError as `assertNamed`.
   */
  get anonymous(): PlatformClient {
    assertNamed(this.settings);
    return createPlatformClient({ ...VIA_PROXY, baseUrl: this.settings.url, headers: { 'User-Agent': USER_AGENT } });
  }

  /**
   * Calls the platform as the person who is signed in, for what takes no API key.
   *
   * @throws CommandError, before anything is sent, where PLATFORM_API_KEY is set: whoever set it means another account, perhaps, than the one
   * that is signed in.
   */
  async session(): Promise<PlatformClient> {
    assertNamed(this.settings);
    if (this.settings.apiKey) throw await this.takesNoKey();
    return this.sessionClient();
  }

  /** Calls the platform with the API key of PLATFORM_API_KEY, or else as the person who is signed in. */
  get keyOrSession(): PlatformClient {
    return this.keyOrSessionWithin();
  }

  /** The same, for calls that may take longer than others. */
  keyOrSessionWithin(timeoutMs?: number): PlatformClient {
    assertNamed(this.settings);
    const { apiKey, url } = this.settings;
    if (!apiKey) return this.sessionClient(timeoutMs);
    if (!/^cp_live_\S+$/.test(apiKey)) throw new CommandError('PLATFORM_API_KEY is not an API key (cp_live_…).', ExitCode.notSignedIn);
    return createPlatformClient({
      ...VIA_PROXY,
      baseUrl: url,
      headers: { 'User-Agent': USER_AGENT, Authorization: `Bearer ${apiKey}` },
      timeoutMs,
    });
  }

  private async takesNoKey(): Promise<CommandError> {
    const tokens = await this.store.load().catch(() => undefined); // what is wrong with the file is told once it is needed
    const email = tokens && emailOf(tokens.accessToken);
    const then = !tokens ? `, and run \`${this.settings.loginCommand}\`` : ` to go on as ${email ? printable(email) : 'who is signed in'}`;
    return new CommandError(`This takes a login, and PLATFORM_API_KEY is set. Unset it${then}.`, ExitCode.usage);
  }

  private sessionClient(timeoutMs?: number): PlatformClient {
    const tokens = new RefreshingTokens({ store: this.store, client: this.anonymous });
    return createPlatformClient({ ...VIA_PROXY, baseUrl: this.settings.url, headers: { 'User-Agent': USER_AGENT }, tokens, timeoutMs });
  }
}

/** Of an access token, to name it: the platform alone checks whether it is one. */
function emailOf(accessToken: string): string | null {
  try {
    const { email } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { email?: unknown };
    return typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}

/** Makes the context of a command from its options. */
export type ContextOf = (command: Command) => Context;

export const contextFactory =
  (interruption: Interruption): ContextOf =>
  (command) =>
    new Context(
      resolveSettings(
        command.optsWithGlobals<GlobalOptions>(),
        process.env,
        command.getOptionValueSourceWithGlobals('url') as OptionSource | undefined,
      ),
      interruption,
    );
