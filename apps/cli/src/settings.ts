import { configFolder } from './credentials/config-folder.js';
import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import { proxyFor, proxyNote } from './network/proxy.js';
import { DEFAULT_URL } from './server-url.js';

export const DEFAULT_PROFILE = 'default';

/** Options of every command. */
export interface GlobalOptions {
  url: string;
  profile: string;
  json?: boolean;
}

/** Settings of one run of the command. */
export interface Settings {
  /** Address of the platform, without a slash at the end. */
  url: string;
  /**
   * True if `npm run platform` found no running platform in its repository, and no other platform
   * was named.
   */
  isMissing: boolean;
  /**
   * Advice if no platform answers: the origin of the address, or the command that starts a
   * platform.
   */
  urlHint: string;
  profile: string;
  json: boolean;
  apiKey: string | undefined;
  /** Folder of the credentials; null if there is none. */
  folder: string | null;
  /** Command that signs in to this platform. */
  loginCommand: string;
}

/** Origin of an option's value, as Commander reports it. */
export type OptionSource = 'default' | 'env' | 'cli';

export function resolveSettings(
  { url, profile, json = false }: Partial<GlobalOptions>,
  env: NodeJS.ProcessEnv,
  urlSource: OptionSource = url === undefined ? 'default' : 'cli',
): Settings {
  const at = url ?? DEFAULT_URL;
  const as = profile ?? DEFAULT_PROFILE;
  // `npm run platform` finds the platform of its repository itself; the command `platform` may not
  // be installed.
  const isOfClone =
    env['PLATFORM_CLONE_URL'] !== undefined && (env['PLATFORM_URL'] ?? '') === env['PLATFORM_CLONE_URL'];
  const isTold = urlSource === 'cli' || !isOfClone;
  const program = env['PLATFORM_CLONE_URL'] === undefined ? 'platform' : 'npm run platform --';
  const options = [
    at === DEFAULT_URL || !isTold ? '' : ` --url ${at}`,
    as === DEFAULT_PROFILE ? '' : ` --profile ${as}`,
  ];
  return {
    url: at,
    isMissing: urlSource === 'default' && env['PLATFORM_CLONE_URL'] === '',
    urlHint: [urlHint(urlSource, env), proxyNote(at, env)].filter(Boolean).join(' '),
    profile: as,
    json,
    apiKey: env['PLATFORM_API_KEY'] || undefined,
    folder: configFolder(process.env),
    loginCommand: `${program} login${options.join('')}`,
  };
}

/**
 * Checks that it is clear to which platform requests go, and that the proxy address is valid.
 *
 * @throws CommandError `unreachable` if `npm run platform` found no running platform of its
 * repository and the user has named no other one: another program may use the default address;
 * `proxy` for an invalid proxy address.
 */
export function assertNamed({ url, isMissing, urlHint }: Pick<Settings, 'url' | 'isMissing' | 'urlHint'>): void {
  if (isMissing)
    throw new CommandError(`${urlHint} Or pass the address of another platform with --url.`, ExitCode.failure, {
      code: 'unreachable',
    });
  proxyFor(url, process.env);
}

/** Default address in the help text. */
export const defaultUrlShown = ({ PLATFORM_CLONE_URL: ofClone }: NodeJS.ProcessEnv): string =>
  ofClone ? `${ofClone}, which runs from this repository` : DEFAULT_URL;

/**
 * Returns advice for an address where no platform answers. `npm run platform` sets
 * PLATFORM_CLONE_URL to the address of the platform that runs from the repository; empty if none
 * runs.
 */
function urlHint(source: OptionSource, { PLATFORM_URL: told, PLATFORM_CLONE_URL: ofClone }: NodeJS.ProcessEnv): string {
  if (source === 'cli') return 'Check the address, which comes from --url.';
  if (source === 'env') {
    if (told !== ofClone) return 'Check the address, which comes from PLATFORM_URL.';
    return 'This platform runs from this repository: see the terminal of `npm start` for the error.';
  }
  if (ofClone === '') return 'No platform runs from this repository. Start it with `npm start`.';
  return 'This is the default address: set the address of your platform with --url or PLATFORM_URL.';
}
