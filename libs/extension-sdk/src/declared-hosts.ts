import { ANY_HOST, hostOf, LIMITS } from '@platform/app-document';
import { ExtensionError } from './extension-error.js';

/**
 * That a request may go to an address.
 *
 * @param hosts where requests may go, as `hostsOf` spells hosts; null: anywhere.
 * @throws ExtensionError EGRESS_HOST_NOT_DECLARED.
 */
export function assertHostDeclared(url: Pick<URL, 'hostname' | 'port'>, hosts: readonly string[] | null): void {
  if (!hosts || hosts.includes(ANY_HOST)) return;
  const host = hostOf(url);
  if (hosts.includes(host)) return;
  throw new ExtensionError(
    'EGRESS_HOST_NOT_DECLARED',
    `The app does not say that it sends requests to "${host}". ${whatToWrite(host, hosts)}`,
    {
      details: { host, hosts: [...hosts] },
    },
  );
}

/** `hosts` has those in addresses of steps, too, which a document need not name: so nobody is told to ask for all for lack of room. */
const whatToWrite = (host: string, hosts: readonly string[]): string =>
  hosts.length < LIMITS.hosts
    ? `Write into its document: "hosts": ${JSON.stringify([...hosts, host].sort())}.`
    : `Write it into "hosts" of its document, which names ${LIMITS.hosts} at most (those in plain addresses of its steps need not stand there), or "*".`;
