import envPaths from 'env-paths';
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
  profile: string;
  json: boolean;
  apiKey: string | undefined;
  /** Where the credentials are kept. */
  folder: string;
  /** What to type to sign in to this platform. */
  loginCommand: string;
}

export function resolveSettings({ url, profile, json = false }: Partial<GlobalOptions>, env: NodeJS.ProcessEnv): Settings {
  const at = url ?? DEFAULT_URL;
  const as = profile ?? DEFAULT_PROFILE;
  const options = [at === DEFAULT_URL ? '' : ` --url ${at}`, as === DEFAULT_PROFILE ? '' : ` --profile ${as}`];
  return {
    url: at,
    profile: as,
    json,
    apiKey: env['PLATFORM_API_KEY'] || undefined,
    folder: envPaths('platform', { suffix: '' }).config,
    loginCommand: `platform login${options.join('')}`,
  };
}
