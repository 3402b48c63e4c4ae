import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import { proxiedFetch } from './network/proxied-fetch.js';
import { assertNamed, type Settings } from './settings.js';
import { printable } from './text/printable.js';
import { webAddress } from './web-address.js';

const TIMEOUT_MS = 10_000;

export type PlatformAddress = Pick<Settings, 'url' | 'urlHint' | 'isMissing'>;

/** Public facts about a platform. */
export interface PlatformAbout {
  /** Address of the panel, without a slash at the end. */
  panel: string;
  docs: string;
}

/** A package that a platform serves. */
export interface ServedPackage {
  name: string;
  version: string;
  url: string;
  integrity: string;
}

export interface ServedPackages {
  panel: string;
  cli: ServedPackage;
  sdk: ServedPackage;
}

/**
 * Reads the addresses of the panel and the documentation. Both are http(s) addresses.
 *
 * @throws CommandError `unreachable` if no platform answers at the address or none is named,
 * `no_web_address` if it gives an address of another kind.
 */
export async function platformAbout(at: PlatformAddress): Promise<PlatformAbout> {
  assertNamed(at);
  const { url, urlHint } = at;
  const about = (await jsonAt(`${url}/`, urlHint)) as Partial<PlatformAbout> | null;
  if (typeof about?.panel !== 'string' || typeof about.docs !== 'string') {
    throw unreachable(`${url}/`, 'the server there is not the platform', urlHint);
  }
  return { panel: addressOf('panel', about.panel, url), docs: addressOf('documentation', about.docs, url) };
}

function addressOf(what: string, said: string, platform: string): string {
  const address = webAddress(said);
  if (address && !address.search && !address.hash) return address.href.replace(/\/+$/, '');
  throw new CommandError(
    `The platform at ${platform} gives "${printable(said)}" as the address of its ${what}, which is not an http(s) address of a page. The address is not used.`,
    ExitCode.failure,
    { code: 'no_web_address' },
  );
}

/**
 * Reads from the panel which packages it serves: this command and the SDK.
 *
 * @throws CommandError `unreachable` if no platform answers or is named, or the list is missing,
 * `no_web_address` if the address of the panel is not an http(s) address.
 */
export async function servedPackages(at: PlatformAddress): Promise<ServedPackages> {
  const { panel } = await platformAbout(at);
  const index = `${panel}/packages/index.json`;
  const { packages } = ((await jsonAt(index, at.urlHint)) ?? {}) as {
    packages?: Record<string, ServedPackage | undefined>;
  };
  const { cli, 'extension-sdk': sdk } = packages ?? {};
  if (!cli || !sdk) throw unreachable(index, 'the list of packages is missing', at.urlHint);
  return { panel, cli, sdk };
}

async function jsonAt(url: string, urlHint: string): Promise<unknown> {
  try {
    const answer = await proxiedFetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    throw unreachable(
      url,
      [cause?.code, cause?.message].find((text) => typeof text === 'string' && text !== '') ?? message,
      urlHint,
    );
  }
}

const unreachable = (url: string, reason: string, urlHint: string): CommandError =>
  new CommandError(`The platform cannot be reached at ${url}: ${reason}. ${urlHint}`, ExitCode.failure, {
    code: 'unreachable',
  });
