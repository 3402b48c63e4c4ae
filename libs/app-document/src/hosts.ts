import type { App, JsonValue } from './document.js';
import { LIMITS } from './limits.js';
import { everyStepOf } from './walk.js';

/** Stands for every host. */
export const ANY_HOST = '*';

const ADDRESSES_IN_CODE = /https?:\/\/[^\s/?#\\"'`<>()[\]{}|^$,;]+/gi;
/** Of an address with templates: all up to the end of its host, where no template makes a part of that. */
const HOST_BEFORE_TEMPLATES = /^\s*https?:\/\/[^/?#\\{}]+[/?#\\]/i;
const NAME_OR_ADDRESS = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/**
 * Where an app asks to send requests, in one spelling and order: what it declares as its `hosts`, beside the plain addresses of its steps. An app that
 * declares nothing asks for what stands as an address in its code, too, and for every host where a template makes one, or where there are more than 20:
 * more hosts than a person reads.
 * Of a document that was taken there are at most `LIMITS.hostsAsked`.
 */
export function hostsOf(app: Pick<App, 'hosts' | 'modules'> & Parameters<typeof everyStepOf>[0]): string[] {
  const { hosts: declared } = app;
  const requests = everyStepOf(app).filter(({ kind }) => kind === 'http');
  const ofSteps = requests.map(({ params }) => hostOfStep(params['url']));
  const found = declared
    ? [...ofSteps.filter((host) => host !== ANY_HOST), ...declared.map(hostDeclared)]
    : [...ofSteps, ...addressesIn(app)];
  const all = new Set(found.filter((host) => host !== null));
  const isAny = all.has(ANY_HOST) || (!declared && all.size > LIMITS.hosts);
  return isAny ? [ANY_HOST] : [...all].sort();
}

/** As lists of hosts have it: the name or the address, without a dot at its end, and the port where that is neither 80 nor 443. */
export function hostOf({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  const name = hostname.replace(/\.$/, '');
  return port === '' || port === '80' || port === '443' ? name : `${name}:${port}`;
}

/** One of `hosts` of a document in that spelling; null for what is no host. */
export const hostDeclared = (host: string): string | null => (host === ANY_HOST ? host : hostIn(`http://${host}`));

/** Null for an address that cannot be called. */
function hostIn(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const host = hostOf(url);
  return host.length <= LIMITS.hostLength && NAME_OR_ADDRESS.test(host) ? host : null;
}

function hostOfStep(url: JsonValue | undefined): string | null {
  if (typeof url !== 'string') return ANY_HOST;
  if (!url.includes('{{')) return hostIn(url);
  const [address] = HOST_BEFORE_TEMPLATES.exec(url) ?? [];
  return address === undefined ? ANY_HOST : hostIn(address);
}

const addressesIn = ({ modules = {} }: Pick<App, 'modules'>): (string | null)[] =>
  Object.values(modules).flatMap(({ source }) => (source.match(ADDRESSES_IN_CODE) ?? []).map(hostIn));
