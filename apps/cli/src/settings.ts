import { configFolder } from './credentials/config-folder.js';
import { ExitCode } from './exit-codes.js';
import { CommandError } from './failures.js';
import { proxyFor, proxyNote } from './network/proxy.js';
import { DEFAULT_URL } from './server-url.js';

export const DEFAULT_PROFILE = 'default';

/** The options that every command takes. */
export interface GlobalOptions {
  url: string;
  profile: string;
  json?: boolean;
}

/** What a run of the command works with. */
export interface Settings {
  /** The platform, without a slash at the end. */
  url: string;
  /** No platform runs from the clone of `npm run platform`, and no other was named. */
  isMissing: boolean;
  /** What to say when no platform answers there: where the address comes from, or what to start. */
  urlHint: string;
  profile: string;
  json: boolean;
  apiKey: string | undefined;
  /** Folder of the credentials; null where there is no place for them. */
  folder: string | null;
  /** What to type to sign in to this platform. */
  loginCommand: string;
}

/** Where an option has its value from, as Commander says it. */
export type OptionSource = 'default' | 'env' | 'cli';

export function resolveSettings(
  { url, profile, json = false }: Partial<GlobalOptions>,
  env: NodeJS.ProcessEnv,
  urlSource: OptionSource = url === undefined ? 'default' : 'cli',
): Settings {
  const at = url ?? DEFAULT_URL;
  const as = profile ?? DEFAULT_PROFILE;
  // `npm run platform` finds the platform of its clone by itself, and may be the only command that there is.
  const isOfClone = env['PLATFORM_CLONE_URL'] !== undefined && (env['PLATFORM_URL'] ?? '') === env['PLATFORM_CLONE_URL'];
  const isTold = urlSource === 'cli' || !isOfClone;
  const program = env['PLATFORM_CLONE_URL'] === undefined ? 'platform' : 'npm run platform --';
  const options = [at === DEFAULT_URL || !isTold ? '' : ` --url ${at}`, as === DEFAULT_PROFILE ? '' : ` --profile ${as}`];
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
 * @throws CommandError in a clone whose platform does not run, where no other is named: the default address may be somebody else's; and for a proxy that is
 * none.
 */
export function assertNamed({ url, isMissing, urlHint }: Pick<Settings, 'url' | 'isMissing' | 'urlHint'>): void {
  if (isMissing) throw new CommandError(`${urlHint} Or name another platform with --url.`, ExitCode.failure, { code: 'unreachable' });
  proxyFor(url, process.env);
}

/** What the help calls the address where neither --url nor PLATFORM_URL tells one. */
export const defaultUrlShown = ({ PLATFORM_CLONE_URL: ofClone }: NodeJS.ProcessEnv): string =>
  ofClone ? `${ofClone}, which runs from this repository` : DEFAULT_URL;

/** `npm run platform` says in PLATFORM_CLONE_URL where the platform of the clone runs; it is empty when none does. */
function urlHint(source: OptionSource, { PLATFORM_URL: told, PLATFORM_CLONE_URL: ofClone }: NodeJS.ProcessEnv): string {
  if (source === 'cli') return 'Is this its address? It comes from --url.';
  if (source === 'env') {
    if (told !== ofClone) return 'Is this its address? It comes from PLATFORM_URL.';
    return 'It is the platform that runs from this repository: the terminal of `npm start` says what is wrong.';
  }
  if (ofClone === '') return 'No platform runs from this repository. Start it with `npm start`.';
  return 'It is the default: neither --url nor PLATFORM_URL says where the platform is.';
}
