import { promises as dns } from 'node:dns';

/** The IP addresses of a host name, none when there is no such name. @throws Error when the name servers do not answer. */
export type ResolveHost = (name: string) => Promise<string[]>;

/** Asks the name servers itself: the system's own lookup would hold one of four threads for as long as a name server is silent. */
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });

const NO_SUCH_NAME = new Set<string>([dns.NOTFOUND, dns.NODATA]);

/** `localhost`, and what ends in it: this machine, as RFC 6761 says. */
export const isLocalhost = (name: string): boolean => /^(.+\.)?localhost\.?$/.test(name);

/** IPv4 first. `/etc/hosts` and search domains are not looked at. */
export const resolveHost: ResolveHost = async (name) => {
  if (isLocalhost(name)) return ['127.0.0.1'];
  const absolute = name.endsWith('.') ? name : `${name}.`;
  const answers = await Promise.allSettled([resolver.resolve4(absolute), resolver.resolve6(absolute)]);
  const failed = answers.find((answer) => answer.status === 'rejected' && !NO_SUCH_NAME.has((answer.reason as { code: string }).code));
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (failed?.status === 'rejected' && !addresses.length) throw failed.reason as Error;
  return addresses;
};
