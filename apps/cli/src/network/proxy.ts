import { BlockList, isIP, isIPv6 } from 'node:net';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';

/** A proxy for requests, as the environment tells it. */
export interface Proxy {
  /** Without name and password. */
  origin: string;
  /** The `Proxy-Authorization` that it gets; null without one. */
  authorization: string | null;
  /** Variable that it comes from, such as `HTTPS_PROXY`. */
  variable: string;
}

/**
 * The proxy for this address by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the same in lower case, which come first, as curl has it. One that is
 * empty is not set. Null: it is asked directly.
 *
 * @throws CommandError for a proxy that is none; its address is not told, since there may be a password in it.
 */
export function proxyFor(url: string | URL, env: NodeJS.ProcessEnv): Proxy | null {
  const target = new URL(url);
  const [variable, value] = firstOf(env, target.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? firstOf(env, 'all_proxy') ?? [];
  if (variable === undefined || value === undefined || isExempt(target, firstOf(env, 'no_proxy')?.[1] ?? '')) return null;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (!proxy?.hostname || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')) {
    throw new CommandError(
      `${variable} is no address of a proxy that can be used here: it is like http://proxy.example.com:3128. For what needs no proxy there is NO_PROXY.`,
      ExitCode.usage,
      { code: 'proxy' },
    );
  }
  const { origin, username, password } = proxy;
  const credentials = `${decoded(username)}:${decoded(password)}`;
  const authorization = username || password ? `Basic ${Buffer.from(credentials).toString('base64')}` : null;
  return { origin, authorization, variable };
}

/** Sentence for a person whose request has failed: the proxy that it went through. Empty without a proxy. */
export function proxyNote(url: string, env: NodeJS.ProcessEnv): string {
  try {
    const proxy = proxyFor(url, env);
    return proxy ? `It is asked through the proxy ${proxy.origin}, which comes from ${proxy.variable}.` : '';
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

/** A password with a percent sign of its own stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `*`, or hosts with their subdomains, addresses and networks (`10.0.0.0/8`), each with a port where only that one is meant. */
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
