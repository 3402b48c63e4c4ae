import type { App, JsonValue } from './document.js';
import { LIMITS } from './limits.js';
import { everyStepOf } from './walk.js';

/** Any host. */
export const ANY_HOST = '*';

const ADDRESSES_IN_CODE = /https?:\/\/[^\s/?#\\"'`<>()[\]{}|^$,;]+/gi;
/**
 * Beginning of an address with templates, up to the end of its host. Matches only if no template is
 * part of the host.
 */
const HOST_BEFORE_TEMPLATES = /^\s*https?:\/\/[^/?#\\{}]+[/?#\\]/i;
const NAME_OR_ADDRESS = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/**
 * Hosts to which an app requests to send requests, in one spelling and order: its declared `hosts`
 * and the plain addresses of its steps. An app that declares none also requests the addresses in
 * its code. It then requests every host (`*`) if a template computes a host, or if there are more
 * than 20 hosts, which is more than a person would read. A valid document has at most
 * `LIMITS.hostsAsked`.
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

/**
 * Host as lists of hosts spell it: the name or address without a dot at the end, and the port
 * unless it is 80 or 443.
 */
export function hostOf({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  const name = hostname.replace(/\.$/, '');
  return port === '' || port === '80' || port === '443' ? name : `${name}:${port}`;
}

/**
 * Spells an entry of a document's `hosts` as `hostOf` does; `*` stays. Null if it is not a host.
 */
export const hostDeclared = (host: string): string | null => (host === ANY_HOST ? host : hostIn(`http://${host}`));

/** Host of an address; null if the address cannot be called. */
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
