import { canonicalIpAddress } from '@platform/contracts';
import type { Application, Request } from 'express';
import type { Prototypes } from '../speed/express-prototypes.js';

type IsTrusted = (address: string) => boolean;

/**
 * Has `request.ip` be the address of the client in its one spelling (`canonicalIpAddress`), and undefined where the proxies do not tell it. Express hands out
 * what the header has, so that each connection of a client would be another client where a proxy adds the port.
 */
export function readClientAddresses(application: Application & Pick<Prototypes, 'request'>): void {
  Object.defineProperty(application.request, 'ip', {
    configurable: true,
    get(this: Request) {
      return clientAddress(this.socket.remoteAddress, this.headers['x-forwarded-for'], application.get('trust proxy fn') as IsTrusted);
    },
  });
}

/**
 * The last address that no trusted proxy has: each adds the one that it was called from at the end of the list.
 *
 * @param peer of the connection; undefined once it is lost
 * @param forwarded all headers `X-Forwarded-For`, joined by commas. Empty entries are skipped (RFC 9110 section 5.6.1).
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
