/**
 * What an app may say in the headers of an answer on the panel's origin. The host applies it to what a handler returns, and the panel, which
 * trusts no code beside apps, to what the host answers.
 */

/** On every answer of an app: it runs nothing, sends nothing, is framed and embedded by nobody, and is kept by no cache. */
export const APP_ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The host tells the panel with it that the app declares this host. No handler can set it. */
export const REDIRECT_HOST_HEADER = 'x-platform-redirect-host';

/** About the content, or about when to ask again. Type and location have rules of their own. */
const STANDARD = new Set([
  'allow',
  'content-disposition',
  'content-language',
  'content-location',
  'etag',
  'last-modified',
  'retry-after',
  'webhook-allowed-origin',
  'webhook-allowed-rate',
]);

const OWN = /^x-[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
/** What browsers, proxies and our own services go by. */
const GONE_BY =
  /^x-(?:accel|acting|amz|archive-files|backend|cache|cdn|cloud|content|csrf|dns|download|envoy|esi|fastcgi|fastly|firefox|forward|frame|goog|http|litespeed|lighttpd|nginx|original|permitted|platform|powered|proxy|real|reproxy|request-id|rewrite|robots|scheme|send|service-token|source-?map|sourcemap|surrogate|traefik|ua-|url|varnish|webkit|xsrf|xss)/;

/**
 * True where an app may set a header, in lower case, to a value of its own. A browser would ask people for a password on the panel's origin when it
 * sees a challenge; a program sends the one that it was given.
 */
export const isAppHeader = (name: string, toProgram: boolean): boolean =>
  STANDARD.has(name) || (OWN.test(name) && !GONE_BY.test(name)) || (toProgram && name === 'www-authenticate');

const TEXT = 'text/plain; charset=utf-8';
/** Browsers split a header at its commas, and would go by the last of two types. So no parameter has one. */
const PARAMETERS = /^(?:[ \t]*;[ \t]*[a-z0-9!#$&^_.+-]+[ \t]*=[ \t]*(?:[a-z0-9!#$&^_.+:/@-]+|"[^",\\]*"))*[ \t]*(?:;[ \t]*)?$/i;
const MAX_TYPE_LENGTH = 256;
/** Types that no browser renders as a document with markup, or runs. */
const INERT =
  /^(?:application\/(?:json|[a-z0-9!#$&^_.-]+\+json|jsonl|x-ndjson|octet-stream|x-www-form-urlencoded)|text\/(?:plain|csv)|image\/(?:avif|gif|jpeg|png|webp))$/;
/** Shown by browsers in ways of their own, XML as a page. No style sheet or script is among them, which a page of the panel could load. */
const KEPT =
  /^(?:text\/(?:xml|calendar|markdown|vcard|yaml)|application\/(?:xml|[a-z0-9!#$&^_.-]+\+(?:xml|cbor|gzip|msgpack|protobuf|yaml|zip)|cbor|gzip|jose|jwt|(?:x-)?(?:msgpack|protobuf|yaml)|pdf|zip)|(?:audio|video)\/[a-z0-9!#$&^_.+-]+)$/;
/** XML that is HTML or a program. */
const ACTIVE_XML = /[/.](?:xhtml|xslt)\+xml$/;

/**
 * True where no browser sent this: a POST that does not say from which page or site, as browsers do (Fetch Metadata).
 *
 * @param headers with names in lower case.
 */
export const isFromProgram = (method: string, headers: Readonly<Record<string, unknown>>): boolean =>
  method === 'POST' && headers['origin'] === undefined && headers['sec-fetch-site'] === undefined;

/**
 * The headers of content of this type: its own, or plain text for what a browser runs (HTML, SVG, scripts, styles) and for types that are not
 * known here. A browser saves XML, sound, PDF and other binary content, and does not show it; programs look at the type alone.
 *
 * @param disposition the app's own `Content-Disposition`.
 */
export function appContentHeaders(type: string, disposition?: string): Record<string, string> {
  const semicolon = type.indexOf(';');
  const [essence, parameters] = semicolon < 0 ? [type, ''] : [type.slice(0, semicolon), type.slice(semicolon)];
  const name = essence.replace(/[ \t]+$/, '').toLowerCase();
  if (type.length > MAX_TYPE_LENGTH || !PARAMETERS.test(parameters) || type.includes('\n')) return { 'content-type': TEXT };
  if (INERT.test(name)) return { 'content-type': type };
  if (!KEPT.test(name) || ACTIVE_XML.test(name)) return { 'content-type': TEXT };
  return { 'content-type': type, 'content-disposition': disposition && ATTACHMENT.test(disposition) ? disposition : 'attachment' };
}

const ATTACHMENT = /^attachment\s*(?:;|$)/i;

/** One host, in lower case, and its port where that is another than the one of https. */
export const REDIRECT_HOST =
  /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+(?::\d{1,5})?$/;

/**
 * Where an app may lead a browser: to the panel's own origin, or by https to a host that the app declares. The address is parsed as browsers
 * do it, and returned as it was parsed.
 *
 * @param base the address of the webhook, at the panel.
 */
export function appLocation(location: string, base: string, hosts: readonly string[]): string | null {
  if (!VISIBLE.test(location) || !URL.canParse(location, base)) return null;
  const { href, origin, host, protocol, username, password } = new URL(location, base);
  if (username || password) return null;
  const ours = new URL(base);
  if (origin === ours.origin && protocol === ours.protocol) return href; // a blob: has our origin too
  return protocol === 'https:' && hosts.includes(host) ? href : null;
}

/** Spaces, line ends and backslashes are read in several ways. */
const VISIBLE = /^[!-[\]-~]+$/;
