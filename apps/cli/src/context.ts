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

/** Shown in the list of sessions. */
const USER_AGENT = `platform-cli/${VERSION} (${process.platform} ${process.arch}; Node.js ${process.versions.node})`;

const VIA_PROXY = { fetch: proxiedFetch };

/** Settings and services for a command. */
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
   * A client without credentials.
   *
   * @throws CommandError if no platform is named and none runs from this repository, or for an
   * invalid proxy address.
   */
  get anonymous(): PlatformClient {
    assertNamed(this.settings);
    return createPlatformClient({ ...VIA_PROXY, baseUrl: this.settings.url, headers: { 'User-Agent': USER_AGENT } });
  }

  /**
   * Returns a client with the stored session, for routes that accept no API key. Its requests throw
   * SignedOutError if nobody is signed in.
   *
   * @throws CommandError before any request if PLATFORM_API_KEY is set: the key may belong to
   * another account than the session. Also if no platform is named and none runs from this
   * repository, or for an invalid proxy address.
   */
  async session(): Promise<PlatformClient> {
    assertNamed(this.settings);
    if (this.settings.apiKey) throw await this.takesNoKey();
    return this.sessionClient();
  }

  /**
   * A client with the API key in PLATFORM_API_KEY, or else with the stored session.
   *
   * @throws CommandError if PLATFORM_API_KEY has not the form of an API key, if no platform is
   * named and none runs from this repository, or for an invalid proxy address.
   */
  get keyOrSession(): PlatformClient {
    return this.keyOrSessionWithin();
  }

  /**
   * Returns a client with the API key in PLATFORM_API_KEY, or else with the stored session, for
   * slow calls.
   *
   * @param timeoutMs of one request; 10 s by default.
   * @throws CommandError if PLATFORM_API_KEY has not the form of an API key, if no platform is
   * named and none runs from this repository, or for an invalid proxy address.
   */
  keyOrSessionWithin(timeoutMs?: number): PlatformClient {
    assertNamed(this.settings);
    const { apiKey, url } = this.settings;
    if (!apiKey) return this.sessionClient(timeoutMs);
    if (!/^cp_live_\S+$/.test(apiKey))
      throw new CommandError('PLATFORM_API_KEY is not an API key (cp_live_…).', ExitCode.notSignedIn);
    return createPlatformClient({
      ...VIA_PROXY,
      baseUrl: url,
      headers: { 'User-Agent': USER_AGENT, Authorization: `Bearer ${apiKey}` },
      timeoutMs,
    });
  }

  private async takesNoKey(): Promise<CommandError> {
    const tokens = await this.store.load().catch(() => undefined); // errors of the file are reported when it is needed
    const email = tokens && emailOf(tokens.accessToken);
    const then = !tokens
      ? `, and run \`${this.settings.loginCommand}\``
      : ` to continue as ${email ? printable(email) : 'the signed-in user'}`;
    return new CommandError(
      `This command needs a login, but PLATFORM_API_KEY is set. Unset it${then}.`,
      ExitCode.usage,
    );
  }

  private sessionClient(timeoutMs?: number): PlatformClient {
    const tokens = new RefreshingTokens({ store: this.store, client: this.anonymous });
    return createPlatformClient({
      ...VIA_PROXY,
      baseUrl: this.settings.url,
      headers: { 'User-Agent': USER_AGENT },
      tokens,
      timeoutMs,
    });
  }
}

/**
 * Reads the email address in an access token, for display only: the token is not verified. Null if
 * it has none.
 */
function emailOf(accessToken: string): string | null {
  try {
    const { email } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
      email?: unknown;
    };
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
