import { promises as dns } from 'node:dns';

/**
 * IP addresses of a host name; none if the name does not exist.
 *
 * @throws Error if the name servers do not answer.
 */
export type ResolveHost = (name: string) => Promise<string[]>;

/**
 * Queries the name servers itself: the lookup of the system would block one of four threads while a
 * name server is silent.
 */
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });

const NO_SUCH_NAME = new Set<string>([dns.NOTFOUND, dns.NODATA]);

/** True for `localhost` and names below it, which mean this machine (RFC 6761). */
export const isLocalhost = (name: string): boolean => /^(.+\.)?localhost\.?$/.test(name);

/**
 * Queries the name servers for the IP addresses of a host. IPv4 addresses come first; none if the
 * name does not exist. `localhost` is 127.0.0.1; `/etc/hosts` and search domains are not used.
 *
 * @throws Error if a name server does not answer or fails, and no address was found.
 */
export const resolveHost: ResolveHost = async (name) => {
  if (isLocalhost(name)) return ['127.0.0.1'];
  const absolute = name.endsWith('.') ? name : `${name}.`;
  const answers = await Promise.allSettled([resolver.resolve4(absolute), resolver.resolve6(absolute)]);
  const failed = answers.find(
    (answer) => answer.status === 'rejected' && !NO_SUCH_NAME.has((answer.reason as { code: string }).code),
  );
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (failed?.status === 'rejected' && !addresses.length) throw failed.reason as Error;
  return addresses;
};
