import type { OnApplicationShutdown } from '@nestjs/common';
import { assertHostDeclared, ExtensionError } from '@platform/extension-sdk/runtime';
import { withinTime, type CancellationSignal } from '@platform/platform';
import { isUtf8 } from 'node:buffer';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, Pool, type Dispatcher } from 'undici';
import { ACCEPT_ENCODING, parseContentEncoding, decodeContent } from './content-codings.js';
import { EgressErrors } from './egress.errors.js';
import { parseEgressUrl, addressAndPort, portOf } from './egress-url.js';
import { isPublicAddress } from './public-addresses.js';
import { resolveHost, type ResolveHost } from './resolve-host.js';
import { readBody } from './response-body.js';

export const EGRESS_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export type EgressMethod = (typeof EGRESS_METHODS)[number];

const MEBIBYTE = 1024 * 1024;
export const MAX_TIMEOUT_MS = 180_000;
const DEFAULT_TIMEOUT_MS = 30_000;
export const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_REQUEST_BYTES = 10 * MEBIBYTE;
/** Limits for a body that is not used. */
const DROPPED_BYTES = 4 * 1024;
const DROPPED_MS = 1_000;

/** Headers that frame a request or belong to its connection. Requests cannot set them. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/**
 * Headers that are sent again after a redirect to another origin. Secrets have many names, so this
 * lists the harmless headers.
 */
const KEPT_ACROSS_ORIGINS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'range',
  'user-agent',
]);

export interface EgressRequest {
  url: string;
  method?: EgressMethod;
  headers?: Record<string, string>;
  /** At most 10 MiB. */
  body?: string | Uint8Array | null;
  /**
   * Milliseconds for the whole request, with redirects and body. Default: 30,000. At most 180,000.
   */
  timeoutMs?: number;
  /** Maximum bytes of the body, before and after decompression. Default: 1 MiB. */
  maxResponseBytes?: number;
  /**
   * True if only the status and the headers are needed. Up to 4 KiB of the body are read, for a
   * second at most, and dropped.
   */
  dropsBody?: boolean;
  /** Default and maximum: 5. With 0, a redirect is returned as the response. */
  maxRedirects?: number;
  /**
   * Hosts that the request can reach, also by redirects, as `hostsOf` writes them. Null or absent:
   * all.
   */
  hosts?: readonly string[] | null;
  /** Ends the request early. Its reason is thrown. */
  signal?: CancellationSignal;
}

export interface EgressResponse {
  status: number;
  /**
   * Names in lower case. Values of a repeated header are joined with `, `. Values are read as UTF-8
   * if they are valid UTF-8, otherwise as Latin-1.
   */
  headers: Record<string, string>;
  /** Decompressed. */
  body: Buffer;
  /** Address of the response, after redirects. */
  url: string;
}

export interface EgressOptions {
  /**
   * Addresses that can be called although they are not public, as `addressesAndPorts` returns them.
   * Default: none.
   */
  allow?: ReadonlySet<string>;
  resolve?: ResolveHost;
}

interface Hop {
  url: URL;
  method: EgressMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/**
 * Sends requests to addresses that apps and users choose; the only class that may do so. The
 * addresses of a host are checked for each connection: if one of them is neither public nor allowed
 * by `allow`, no connection is made. Keeps no cookies, and uses no proxy.
 */
export class Egress implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly allow: ReadonlySet<string>;
  private readonly resolve: ResolveHost;

  constructor({ allow = new Set(), resolve = resolveHost }: EgressOptions = {}) {
    this.allow = allow;
    this.resolve = resolve;
    this.agent = new Agent({
      maxHeaderSize: MAX_HEADER_BYTES,
      // Each request has a time limit of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: KEEP_ALIVE_MS, // a server can ask for less, not for more
      factory: (origin, options) =>
        new Pool(origin, { ...(options as Pool.Options), connect: this.connectorOf(new URL(origin)) }),
    });
  }

  /**
   * Sends a request, follows its redirects, and returns the last response, with any status.
   *
   * @throws ExtensionError EGRESS_REQUEST_REFUSED if the method, a header or the body (above 10
   * MiB) is not allowed; EGRESS_URL_REFUSED as in `parseEgressUrl`; EGRESS_HOST_NOT_DECLARED if the
   * host is not in `hosts`; EGRESS_ADDRESS_REFUSED if the host does not exist, or has an address
   * that is neither public nor allowed; EGRESS_UNRESOLVED if the name servers do not answer;
   * EGRESS_TIMEOUT after `timeoutMs`; EGRESS_RESPONSE_TOO_LARGE above `maxResponseBytes`, or 64 KiB
   * of headers; EGRESS_TOO_MANY_REDIRECTS above `maxRedirects`; EGRESS_FAILED if the connection
   * breaks or the content cannot be decoded; the reason of `signal` if that is aborted.
   */
  async request(request: EgressRequest): Promise<EgressResponse> {
    const hop = firstHop(request);
    const timeoutMs = Math.min(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
    const timeout = () => EgressErrors.timedOut(hop.url.hostname, timeoutMs);
    return withinTime({ ms: timeoutMs, timeout, signal: request.signal }, (signal) =>
      this.follow(hop, request, signal),
    );
  }

  private async follow(first: Hop, request: EgressRequest, signal: CancellationSignal): Promise<EgressResponse> {
    const { maxResponseBytes = MEBIBYTE, hosts = null } = request;
    const maxRedirects = Math.min(request.maxRedirects ?? MAX_REDIRECTS, MAX_REDIRECTS);
    let hop = first;
    try {
      for (let redirects = 0; ; redirects++) {
        assertHostDeclared(hop.url, hosts);
        const response = await this.send(hop, signal);
        const next = maxRedirects > 0 ? nextHop(hop, response) : null;
        if (!next)
          return request.dropsBody ? await withoutBody(hop, response) : await received(hop, response, maxResponseBytes);
        await drop(response.body);
        if (redirects >= maxRedirects) throw EgressErrors.tooManyRedirects(hop.url.hostname, redirects);
        hop = next;
      }
    } catch (error) {
      if (error instanceof ExtensionError) throw error;
      const { code, message } = error as { code?: string; message: string };
      if (code === 'UND_ERR_INVALID_ARG') throw EgressErrors.requestRefused(`The request cannot be sent: ${message}.`);
      if (code === 'UND_ERR_HEADERS_OVERFLOW') throw EgressErrors.tooLarge(hop.url.hostname, MAX_HEADER_BYTES);
      throw EgressErrors.failed(hop.url.hostname, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private send({ url, method, headers, body }: Hop, signal: CancellationSignal): Promise<Dispatcher.ResponseData> {
    return this.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body,
      signal,
    });
  }

  /**
   * Makes the function that opens connections to an origin, only to addresses that were checked.
   * Node.js does not look up a literal address, so this is checked first. The error is
   * EGRESS_ADDRESS_REFUSED if the host does not exist or one of its addresses is not allowed, and
   * EGRESS_UNRESOLVED if the name servers do not answer.
   */
  private connectorOf(origin: URL): buildConnector.connector {
    const host = origin.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = portOf(origin);
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: this.lookupFor(port) });
    return (options, callback) => {
      if (isIP(host) && !this.mayConnect(host, port)) callback(EgressErrors.addressRefused(host), null);
      else connect(options, callback);
    };
  }

  private lookupFor(port: number): LookupFunction {
    return (host, { all }, callback) => {
      this.addressesOf(host, port).then(
        ([first, ...rest]) => (all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family)),
        (error: unknown) => callback(error as Error, []),
      );
    };
  }

  private async addressesOf(host: string, port: number): Promise<[Address, ...Address[]]> {
    const addresses = await this.resolve(host).catch((error: unknown) => {
      throw EgressErrors.unresolved(host, error);
    });
    const [first, ...rest] = addresses.map((address) => ({ address, family: isIP(address) }));
    if (!first || !addresses.every((address) => this.mayConnect(address, port)))
      throw EgressErrors.addressRefused(host);
    return [first, ...rest];
  }

  private mayConnect(address: string, port: number): boolean {
    return isPublicAddress(address) || this.allow.has(addressAndPort(address, port));
  }
}

interface Address {
  address: string;
  family: number;
}

function firstHop({ url, method = 'GET', headers = {}, body = null }: EgressRequest): Hop {
  if (!EGRESS_METHODS.includes(method))
    throw EgressErrors.requestRefused(`The method must be one of ${EGRESS_METHODS.join(', ')}.`);
  if (body && Buffer.byteLength(body) > MAX_REQUEST_BYTES) {
    throw EgressErrors.requestRefused(`The body is larger than ${MAX_REQUEST_BYTES} bytes.`);
  }
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const own = Object.keys(given).find((name) => OWN_HEADERS.has(name) || name.startsWith('proxy-'));
  if (own) throw EgressErrors.requestRefused(`The header "${own}" is set by the platform.`);
  return {
    url: parseEgressUrl(url),
    method,
    headers: { 'user-agent': 'cloud-platform', 'accept-encoding': ACCEPT_ENCODING, ...given },
    body,
  };
}

/**
 * The next request after a redirect, by the Fetch standard; null if the response is no redirect or
 * names no address. A POST after 301 or 302, and any method except HEAD after 303, becomes a GET
 * without a body. To another origin, only headers without secrets are sent again.
 *
 * @throws ExtensionError EGRESS_URL_REFUSED if the new address is not allowed, as in
 * `parseEgressUrl`.
 */
function nextHop(
  { url, method, headers, body }: Hop,
  { statusCode, headers: answered }: Dispatcher.ResponseData,
): Hop | null {
  const [location] = [answered.location ?? []].flat();
  if (![301, 302, 303, 307, 308].includes(statusCode) || !location) return null;
  const target = parseEgressUrl(encodedBytes(location), url.href);
  const toGet = statusCode === 303 ? method !== 'HEAD' : statusCode < 303 && method === 'POST';
  const kept = Object.entries(headers).filter(
    ([name]) =>
      (target.origin === url.origin || KEPT_ACROSS_ORIGINS.has(name)) && !(toGet && name.startsWith('content-')),
  );
  return { url: target, method: toGet ? 'GET' : method, headers: Object.fromEntries(kept), body: toGet ? null : body };
}

async function received(
  { url, method }: Hop,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limit: number,
): Promise<EgressResponse> {
  const joined = joinedHeaders(headers);
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) {
    // These headers describe the body of a GET, and undici fails because this body is missing.
    await body.arrayBuffer().catch(() => undefined);
    return { status: statusCode, headers: joined, body: Buffer.alloc(0), url: url.href };
  }
  const tooLarge = () => EgressErrors.tooLarge(url.hostname, limit);
  const packed = await readBody(body, limit, tooLarge);
  const codings = parseContentEncoding(joined['content-encoding']);
  if (!codings?.length) return { status: statusCode, headers: joined, body: packed, url: url.href };
  // These headers describe the encoded content, which was decoded.
  const { 'content-encoding': _encoding, 'content-length': _length, ...others } = joined;
  return {
    status: statusCode,
    headers: others,
    body: await decodeContent(packed, codings, limit, tooLarge),
    url: url.href,
  };
}

/**
 * Drops the body of a response, and returns the rest with an empty body. The connection can be used
 * again if the body ends within 4 KiB and a second.
 */
async function withoutBody(
  { url }: Hop,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<EgressResponse> {
  await drop(body);
  return { status: statusCode, headers: joinedHeaders(headers), body: Buffer.alloc(0), url: url.href };
}

/** Drops a body after at most 4 KiB or a second, and ignores its errors. */
const drop = (body: Dispatcher.ResponseData['body']): Promise<void> =>
  body.dump({ limit: DROPPED_BYTES, signal: AbortSignal.timeout(DROPPED_MS) }).catch(() => undefined);

const joinedHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asText([value ?? ''].flat().join(', '))]));

const NOT_ASCII = /[\x80-\xff]/g;

/**
 * Decodes a header: as UTF-8 if it is valid UTF-8, otherwise as Latin-1. undici returns each byte
 * as the character with this number.
 */
function asText(value: string): string {
  if (value.search(NOT_ASCII) < 0) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/**
 * Percent-encodes the bytes of an address that are not ASCII, so that they stay as they were sent.
 */
const encodedBytes = (location: string): string =>
  location.replaceAll(NOT_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
