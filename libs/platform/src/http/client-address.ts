import { canonicalIpAddress } from '@platform/contracts';
import type { Application, Request } from 'express';
import type { Prototypes } from '../speed/express-prototypes.js';

type IsTrusted = (address: string) => boolean;

/**
 * Makes `request.ip` the client's address in its canonical form (`canonicalIpAddress`), or
 * undefined if the connection is lost or a proxy sends no address. Express returns the text of the
 * header: if a proxy adds the port, each connection would look like another client.
 */
export function readClientAddresses(application: Application & Pick<Prototypes, 'request'>): void {
  Object.defineProperty(application.request, 'ip', {
    configurable: true,
    get(this: Request) {
      return clientAddress(
        this.socket.remoteAddress,
        this.headers['x-forwarded-for'],
        application.get('trust proxy fn') as IsTrusted,
      );
    },
  });
}

/**
 * Finds the address of the client: the last address of `X-Forwarded-For` that is not a trusted
 * proxy, since each proxy adds the address of its own client at the end. If the peer is not
 * trusted, the peer; if all are trusted, the first in the list. Undefined if the connection is
 * lost, or the entry is not an IP address.
 *
 * @param peer address of the connection; undefined after it is lost
 * @param forwarded all headers `X-Forwarded-For`, joined by commas. Empty entries are skipped (RFC
 * 9110 section 5.6.1).
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | string[] | undefined,
  isTrusted: IsTrusted,
): string | undefined {
  let address = peer === undefined ? null : canonicalIpAddress(peer);
  const hops = forwarded === undefined ? [] : String(forwarded).split(',');
  for (let at = hops.length - 1; at >= 0 && address !== null && isTrusted(address); at--) {
    const hop = (hops[at] as string).trim();
    if (hop !== '') address = canonicalIpAddress(hop);
  }
  return address ?? undefined;
}
