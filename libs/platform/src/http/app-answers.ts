/**
 * Rules for the response headers that an app can set on the panel's origin. The host applies them
 * to the results of handlers. The panel applies them again to the responses of the host, because it
 * does not trust code that runs beside apps.
 */

/**
 * Headers of every response of an app: it runs no script, sends nothing, cannot be framed or
 * embedded, and is not cached.
 */
export const APP_ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Header with which the host tells the panel that the app declares the host of a redirect. No
 * handler can set it.
 */
export const REDIRECT_HOST_HEADER = 'x-platform-redirect-host';

/**
 * Standard headers about the content, or about the next attempt. `Content-Type` and `Location` have
 * their own rules.
 */
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
/** Headers that browsers, proxies and our own services act on. */
const GONE_BY =
  /^x-(?:accel|acting|amz|archive-files|backend|cache|cdn|cloud|content|csrf|dns|download|envoy|esi|fastcgi|fastly|firefox|forward|frame|goog|http|litespeed|lighttpd|nginx|original|permitted|platform|powered|proxy|real|reproxy|request-id|rewrite|robots|scheme|send|service-token|source-?map|sourcemap|surrogate|traefik|ua-|url|varnish|webkit|xsrf|xss)/;

/**
 * True if an app can set this response header, in lower case, to any value: a standard header about
 * the content or a retry, or an `x-` header that no browser, proxy or service acts on. False for
 * `content-type` and `location`, which have their own rules. `WWW-Authenticate` is allowed only in
 * responses to programs: a browser would ask its user for a password on the panel's origin.
 */
export const isAppHeader = (name: string, toProgram: boolean): boolean =>
  STANDARD.has(name) || (OWN.test(name) && !GONE_BY.test(name)) || (toProgram && name === 'www-authenticate');

const TEXT = 'text/plain; charset=utf-8';
/**
 * Parameters of a content type, without commas: browsers split a header at its commas, and would
 * use the last of two types.
 */
const PARAMETERS =
  /^(?:[ \t]*;[ \t]*[a-z0-9!#$&^_.+-]+[ \t]*=[ \t]*(?:[a-z0-9!#$&^_.+:/@-]+|"[^",\\]*"))*[ \t]*(?:;[ \t]*)?$/i;
const MAX_TYPE_LENGTH = 256;
/** Types that no browser renders as a document with markup, or runs. */
const INERT =
  /^(?:application\/(?:json|[a-z0-9!#$&^_.-]+\+json|jsonl|x-ndjson|octet-stream|x-www-form-urlencoded)|text\/(?:plain|csv)|image\/(?:avif|gif|jpeg|png|webp))$/;
/**
 * Types that browsers show in their own ways, such as XML as a page; they are sent as attachments.
 * Style sheets and scripts are not in the list, because a page of the panel could load them.
 */
const KEPT =
  /^(?:text\/(?:xml|calendar|markdown|vcard|yaml)|application\/(?:xml|[a-z0-9!#$&^_.-]+\+(?:xml|cbor|gzip|msgpack|protobuf|yaml|zip)|cbor|gzip|jose|jwt|(?:x-)?(?:msgpack|protobuf|yaml)|pdf|zip)|(?:audio|video)\/[a-z0-9!#$&^_.+-]+)$/;
/** XML that contains HTML or a program. */
const ACTIVE_XML = /[/.](?:xhtml|xslt)\+xml$/;

/**
 * True if it is certain that no browser sent the request: it is a POST without the headers with
 * which browsers name their page or site (`Origin`, `Sec-Fetch-Site`). False for every other
 * method, also of a program.
 *
 * @param headers with names in lower case.
 */
export const isFromProgram = (method: string, headers: Readonly<Record<string, unknown>>): boolean =>
  method === 'POST' && headers['origin'] === undefined && headers['sec-fetch-site'] === undefined;

/**
 * Headers for content of this type: the type itself, or plain text for types that a browser runs
 * (HTML, SVG, scripts, styles), for unknown types, and for types that are malformed or longer than
 * 256 characters. XML, Markdown, sound, PDF and other binary content is an attachment, which a
 * browser saves and does not show; programs look only at the type.
 *
 * @param disposition the app's own `Content-Disposition`; it is kept for an attachment if it is one
 * too.
 */
export function appContentHeaders(type: string, disposition?: string): Record<string, string> {
  const semicolon = type.indexOf(';');
  const [essence, parameters] = semicolon < 0 ? [type, ''] : [type.slice(0, semicolon), type.slice(semicolon)];
  const name = essence.replace(/[ \t]+$/, '').toLowerCase();
  if (type.length > MAX_TYPE_LENGTH || !PARAMETERS.test(parameters) || type.includes('\n'))
    return { 'content-type': TEXT };
  if (INERT.test(name)) return { 'content-type': type };
  if (!KEPT.test(name) || ACTIVE_XML.test(name)) return { 'content-type': TEXT };
  return {
    'content-type': type,
    'content-disposition': disposition && ATTACHMENT.test(disposition) ? disposition : 'attachment',
  };
}

const ATTACHMENT = /^attachment\s*(?:;|$)/i;

/** A host in lower case, with its port if that is not the port of https. */
export const REDIRECT_HOST =
  /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+(?::\d{1,5})?$/;

/**
 * The address to which an app can redirect a browser: on the panel's own origin, or by https on a
 * host that the app declares. Null for any other, and for one with a name, a password, spaces,
 * backslashes or characters beyond ASCII. The address is parsed as browsers do it, and returned in
 * its parsed form.
 *
 * @param base address of the webhook at the panel.
 */
export function appLocation(location: string, base: string, hosts: readonly string[]): string | null {
  if (!VISIBLE.test(location) || !URL.canParse(location, base)) return null;
  const { href, origin, host, protocol, username, password } = new URL(location, base);
  if (username || password) return null;
  const ours = new URL(base);
  if (origin === ours.origin && protocol === ours.protocol) return href; // a blob: address has our origin too
  return protocol === 'https:' && hosts.includes(host) ? href : null;
}

/** No spaces, line ends or backslashes, which parsers read in different ways. */
const VISIBLE = /^[!-[\]-~]+$/;
