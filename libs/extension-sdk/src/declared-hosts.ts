import { ANY_HOST, hostOf, LIMITS } from '@platform/app-document';
import { ExtensionError } from './extension-error.js';

/**
 * Checks that the app declares the host of an address.
 *
 * @param hosts the allowed hosts, as `hostsOf` writes them; null: all hosts.
 * @throws ExtensionError EGRESS_HOST_NOT_DECLARED if it does not, with advice for the developer.
 */
export function assertHostDeclared(url: Pick<URL, 'hostname' | 'port'>, hosts: readonly string[] | null): void {
  if (!hosts || hosts.includes(ANY_HOST)) return;
  const host = hostOf(url);
  if (hosts.includes(host)) return;
  throw new ExtensionError(
    'EGRESS_HOST_NOT_DECLARED',
    `The app does not declare that it sends requests to "${host}". ${whatToWrite(host, hosts)}`,
    {
      details: { host, hosts: [...hosts] },
    },
  );
}

/**
 * Advice for the developer who must declare a host. `hosts` also has the hosts of literal addresses
 * in steps, which a document need not list. So a full list does not force the developer to allow
 * all hosts.
 */
const whatToWrite = (host: string, hosts: readonly string[]): string =>
  hosts.length < LIMITS.hosts
    ? `Add to its document: "hosts": ${JSON.stringify([...hosts, host].sort())}.`
    : `Add it to "hosts" of its document. The list has at most ${LIMITS.hosts} hosts (hosts in literal addresses of steps need not be listed), or "*" for all.`;
