import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import { printable } from './text/printable.js';
import { webAddress } from './web-address.js';

const TIMEOUT_MS = 10_000;

/** What a platform says of itself to anybody. */
export interface PlatformAbout {
  /** Where its panel is, without a slash at the end. */
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

/** Both are addresses of the web, whatever the platform says. @throws CommandError when no platform is there, or it names another kind of place. */
export async function platformAbout(url: string): Promise<PlatformAbout> {
  const about = (await jsonAt(`${url}/`)) as Partial<PlatformAbout> | null;
  if (typeof about?.panel !== 'string' || typeof about.docs !== 'string') throw unreachable(`${url}/`, 'something else answers there');
  return { panel: addressOf('panel', about.panel, url), docs: addressOf('documentation', about.docs, url) };
}

function addressOf(what: string, said: string, platform: string): string {
  const address = webAddress(said);
  if (address && !address.search && !address.hash) return address.href.replace(/\/+$/, '');
  throw new CommandError(
    `The platform at ${platform} says that its ${what} is at "${printable(said)}", which is not the http(s) address of a page. It is not used.`,
    ExitCode.failure,
    { code: 'no_web_address' },
  );
}

/** @throws CommandError when no platform is there, or it serves none. */
export async function servedPackages(url: string): Promise<ServedPackages> {
  const { panel } = await platformAbout(url);
  const index = `${panel}/packages/index.json`;
  const { packages } = ((await jsonAt(index)) ?? {}) as { packages?: Record<string, ServedPackage | undefined> };
  const { cli, 'extension-sdk': sdk } = packages ?? {};
  if (!cli || !sdk) throw unreachable(index, 'there is no list of packages');
  return { panel, cli, sdk };
}

async function jsonAt(url: string): Promise<unknown> {
  try {
    const answer = await fetch(url, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw unreachable(url, cause?.code ?? message);
  }
}

const unreachable = (url: string, reason: string): CommandError =>
  new CommandError(`The platform cannot be asked at ${url}: ${reason}. Is --url or PLATFORM_URL its address?`, ExitCode.failure, {
    code: 'unreachable',
  });
