import { BlockList, isIP, isIPv6 } from 'node:net';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';

/** A proxy from the environment. */
export interface Proxy {
  /** Origin of the proxy, without name and password. */
  origin: string;
  /** Value for `Proxy-Authorization`; null if the proxy needs none. */
  authorization: string | null;
  /** Variable that sets the proxy, such as `HTTPS_PROXY`. */
  variable: string;
}

/**
 * Returns the proxy for this address from `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
 * Lower-case names win, as in curl. An empty variable counts as not set. Null: no proxy.
 *
 * @throws CommandError `proxy` for an invalid proxy address. The message omits the address, since
 * it can contain a password.
 */
export function proxyFor(url: string | URL, env: NodeJS.ProcessEnv): Proxy | null {
  const target = new URL(url);
  const [variable, value] =
    firstOf(env, target.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? firstOf(env, 'all_proxy') ?? [];
  if (variable === undefined || value === undefined || isExempt(target, firstOf(env, 'no_proxy')?.[1] ?? ''))
    return null;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (!proxy?.hostname || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')) {
    throw new CommandError(
      `${variable} is not a valid proxy address. Use a form such as http://proxy.example.com:3128, or exclude hosts with NO_PROXY.`,
      ExitCode.usage,
      { code: 'proxy' },
    );
  }
  const { origin, username, password } = proxy;
  const credentials = `${decoded(username)}:${decoded(password)}`;
  const authorization = username || password ? `Basic ${Buffer.from(credentials).toString('base64')}` : null;
  return { origin, authorization, variable };
}

/**
 * A sentence about the proxy of a failed request. Empty without a proxy, and for an invalid proxy
 * address.
 */
export function proxyNote(url: string, env: NodeJS.ProcessEnv): string {
  try {
    const proxy = proxyFor(url, env);
    return proxy ? `The request uses the proxy ${proxy.origin} from the variable ${proxy.variable}.` : '';
  } catch (error) {
    if (error instanceof CommandError) return '';
    throw error;
  }
}

function firstOf(env: NodeJS.ProcessEnv, name: string): [variable: string, value: string] | undefined {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return [variable, value];
  }
  return undefined;
}

/**
 * Decodes a percent-encoded text. An invalid encoding, such as a plain percent sign, is kept
 * unchanged.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * True if NO_PROXY matches the address: `*`, hosts with their subdomains, addresses and networks
 * (`10.0.0.0/8`), each with an optional port.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname.toLowerCase()).replace(/\.$/, '');
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, named = entry, wantedPort] = isIPv6(entry) ? [] : (/^(.+):(\d+)$/.exec(entry) ?? []);
      if (wantedPort !== undefined && wantedPort !== actualPort) return false;
      const name = withoutBrackets(named)
        .replace(/^\*?\./, '')
        .replace(/\.$/, '');
      return host === name || (!isIP(host) && host.endsWith(`.${name}`)) || isWithin(host, name);
    });
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

function isWithin(host: string, network: string): boolean {
  const [, address = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/.exec(network) ?? [];
  const [version, hostVersion] = [isIP(address), isIP(host)];
  if (!version || version !== hostVersion || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const type = version === 4 ? 'ipv4' : 'ipv6';
  const networks = new BlockList();
  networks.addSubnet(address, Number(bits), type);
  return networks.check(host, type);
}
