import { createPlatformClient, RefreshingTokens, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { CredentialStore } from './credentials/credential-store.js';
import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import type { Interruption } from './interruption.js';
import { Output } from './output.js';
import { resolveSettings, type GlobalOptions, type OptionSource, type Settings } from './settings.js';
import { VERSION } from './version.js';

/** Shown to people in the list of their sessions. */
const USER_AGENT = `platform-cli/${VERSION} (${process.platform} ${process.arch}; Node.js ${process.versions.node})`;

/** What a command has at hand. */
export class Context {
  readonly output: Output;
  readonly store: CredentialStore;
  /** Calls the platform as nobody. */
  readonly anonymous: PlatformClient;

  constructor(
    readonly settings: Settings,
    readonly interruption: Interruption,
  ) {
    this.output = new Output(settings.json);
    this.store = new CredentialStore(settings, interruption, (text) => this.output.note(text));
    this.anonymous = createPlatformClient({ baseUrl: settings.url, headers: { 'User-Agent': USER_AGENT } });
  }

  /** Calls the platform as the person who is signed in. */
  get session(): PlatformClient {
    return this.sessionClient();
  }

  /** Calls the platform with the API key of PLATFORM_API_KEY, or else as the person who is signed in. */
  get keyOrSession(): PlatformClient {
    return this.keyOrSessionWithin();
  }

  /** The same, for calls that may take longer than others. */
  keyOrSessionWithin(timeoutMs?: number): PlatformClient {
    const { apiKey, url } = this.settings;
    if (!apiKey) return this.sessionClient(timeoutMs);
    if (!/^cp_live_\S+$/.test(apiKey)) throw new CommandError('PLATFORM_API_KEY is not an API key (cp_live_…).', ExitCode.notSignedIn);
    return createPlatformClient({ baseUrl: url, headers: { 'User-Agent': USER_AGENT, Authorization: `Bearer ${apiKey}` }, timeoutMs });
  }

  private sessionClient(timeoutMs?: number): PlatformClient {
    const tokens = new RefreshingTokens({ store: this.store, client: this.anonymous });
    return createPlatformClient({ baseUrl: this.settings.url, headers: { 'User-Agent': USER_AGENT }, tokens, timeoutMs });
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
