import { SignatureErrors } from './signatures.errors.js';

export const SIGNATURE_SCHEMES = ['stripe', 'slack', 'github', 'shopify', 'standard-webhooks', 'hmac'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export const HMAC_ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64', 'base64url'] as const;

/** Signature format of a provider that has no named scheme; used with the scheme `hmac`. */
export interface HmacOptions {
  /** Header with one signature, or several separated by commas or spaces. */
  header: string;
  algorithm?: (typeof HMAC_ALGORITHMS)[number];
  encoding?: (typeof HMAC_ENCODINGS)[number];
  /** Text before each signature, such as `sha256=`. Signatures without it are ignored. */
  prefix?: string;
  /** Header with the signing time, in seconds since 1970. */
  timestampHeader?: string;
  /**
   * Template of the signed text. It contains `{body}`, and `{timestamp}` if there is a timestamp
   * header.
   */
  signed?: string;
}

/** Signature data of a request. */
export interface Claim {
  /** Signatures as received, without the prefix. */
  signatures: string[];
  /** Signing time as received; null if the scheme signs no time. */
  timestamp: string | null;
  /** Signed text before and after the body. */
  before: string;
  after: string;
  algorithm: (typeof HMAC_ALGORITHMS)[number];
  encoding: (typeof HMAC_ENCODINGS)[number];
  keyOf: (secret: string) => Buffer;
}

type Headers = Readonly<Record<string, string>>;

const utf8Key = (secret: string): Buffer => Buffer.from(secret);
const SHA256_HEX = { algorithm: 'sha256', encoding: 'hex', after: '', keyOf: utf8Key } as const;
const SHA256_BASE64 = { ...SHA256_HEX, encoding: 'base64' } as const;

/** Entries that begin with `prefix`, with the prefix removed. */
const withPrefix = (entries: string[], prefix: string): string[] =>
  entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));

const list = (header: string | undefined): string[] => header?.split(/[\s,]+/).filter(Boolean) ?? [];

/**
 * Reads the signature data of a request, for each scheme. Null if the scheme signs a time or an id,
 * and the request has none, or several times (Stripe). Without a signature, the list is empty.
 */
export const CLAIMS: Record<Exclude<SignatureScheme, 'hmac'>, (headers: Headers) => Claim | null> = {
  /** https://docs.stripe.com/webhooks#verify-manually */
  stripe: (headers) => {
    const entries = list(headers['stripe-signature']);
    const [timestamp, ...others] = withPrefix(entries, 't=');
    if (timestamp === undefined || others.length) return null;
    return { ...SHA256_HEX, signatures: withPrefix(entries, 'v1='), timestamp, before: `${timestamp}.` };
  },
  /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
  slack: (headers) => {
    const timestamp = headers['x-slack-request-timestamp'];
    if (timestamp === undefined) return null;
    const signatures = withPrefix(list(headers['x-slack-signature']), 'v0=');
    return { ...SHA256_HEX, signatures, timestamp, before: `v0:${timestamp}:` };
  },
  /** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
  github: (headers) => ({
    ...SHA256_HEX,
    signatures: withPrefix(list(headers['x-hub-signature-256']), 'sha256='),
    timestamp: null,
    before: '',
  }),
  /** https://shopify.dev/docs/apps/build/webhooks/subscribe/https#step-2-validate-the-origin-of-your-webhook-to-ensure-its-coming-from-shopify */
  shopify: (headers) => ({
    ...SHA256_BASE64,
    signatures: list(headers['x-shopify-hmac-sha256']),
    timestamp: null,
    before: '',
  }),
  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  'standard-webhooks': (headers) => {
    // Svix created this scheme and also sends the headers under its own name, sometimes only those.
    const by = ['webhook', 'svix'].find(
      (name) => headers[`${name}-id`] !== undefined && headers[`${name}-timestamp`] !== undefined,
    );
    const [id, timestamp] = [headers[`${by}-id`], headers[`${by}-timestamp`]];
    if (id === undefined || timestamp === undefined) return null;
    // Format "v1,<signature> v1,<signature>": here the comma belongs to the signature.
    const signatures = withPrefix(headers[`${by}-signature`]?.split(/\s+/) ?? [], 'v1,');
    return { ...SHA256_BASE64, signatures, timestamp, before: `${id}.${timestamp}.`, keyOf: standardWebhooksKey };
  },
};

function standardWebhooksKey(secret: string): Buffer {
  const encoded = secret.replace(/^whsec_/, '');
  const [, digits] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(encoded) ?? [];
  // The decoder drops a single digit at the end. The key would then be empty, and anyone could sign
  // with it.
  if (digits === undefined || digits.length % 4 === 1) throw SignatureErrors.secretMalformed();
  return Buffer.from(digits, 'base64');
}

/**
 * Reads the signatures of a request with the scheme `hmac`. Null if the timestamp header is
 * missing; without a signature, the list is empty.
 *
 * @throws ExtensionError WEBHOOK_VERIFY_INVALID for an unknown algorithm or encoding, a `signed`
 * without exactly one `{body}`, a timestamp header that is not signed, or a `{timestamp}` without
 * such a header.
 */
export function hmacClaim(headers: Headers, options: HmacOptions): Claim | null {
  const { header, prefix = '', algorithm = 'sha256', encoding = 'hex', timestampHeader } = options;
  const { signed = timestampHeader ? '{timestamp}.{body}' : '{body}' } = options;
  if (!HMAC_ALGORITHMS.includes(algorithm))
    throw SignatureErrors.optionsInvalid(`The algorithm must be one of ${HMAC_ALGORITHMS.join(', ')}.`);
  if (!HMAC_ENCODINGS.includes(encoding))
    throw SignatureErrors.optionsInvalid(`The encoding must be one of ${HMAC_ENCODINGS.join(', ')}.`);
  const [before = '', after, ...more] = signed.split('{body}');
  if (after === undefined || more.length)
    throw SignatureErrors.optionsInvalid('The option "signed" must contain {body} exactly once.');
  if (signed.includes('{timestamp}') !== (timestampHeader !== undefined)) {
    throw SignatureErrors.optionsInvalid(
      'A timestamp header needs {timestamp} in "signed", and the reverse: an unsigned time could be changed in a replayed request.',
    );
  }
  const timestamp = timestampHeader === undefined ? null : headers[timestampHeader.toLowerCase()];
  if (timestamp === undefined) return null;
  const fill = (text: string): string => text.replaceAll('{timestamp}', () => timestamp ?? '');
  const signatures = withPrefix(list(headers[header.toLowerCase()]), prefix);
  return { signatures, timestamp, before: fill(before), after: fill(after), algorithm, encoding, keyOf: utf8Key };
}
