import { SignatureErrors } from './signatures.errors.js';

export const SIGNATURE_SCHEMES = ['stripe', 'slack', 'github', 'shopify', 'standard-webhooks', 'hmac'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export const HMAC_ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64', 'base64url'] as const;

/** For the scheme `hmac`: how a provider signs whose scheme is not known by name. */
export interface HmacOptions {
  /** The header with the signature, or several of them separated by commas or spaces. */
  header: string;
  algorithm?: (typeof HMAC_ALGORITHMS)[number];
  encoding?: (typeof HMAC_ENCODINGS)[number];
  /** What stands before a signature, such as `sha256=`; signatures without it do not count. */
  prefix?: string;
  /** The header with the time of signing, in seconds since 1970. */
  timestampHeader?: string;
  /** What is signed, with `{body}` and, beside a timestamp header, `{timestamp}` in it. */
  signed?: string;
}

/** What a request says about its signature. */
export interface Claim {
  /** As they were sent, without prefix. */
  signatures: string[];
  /** As it was sent; null when the scheme signs none. */
  timestamp: string | null;
  /** What is signed before and after the body. */
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

/** Those that begin with `prefix`, without it. */
const withPrefix = (entries: string[], prefix: string): string[] =>
  entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));

const list = (header: string | undefined): string[] => header?.split(/[\s,]+/).filter(Boolean) ?? [];

/** Null: the request carries no signature of this scheme, or one that cannot be read. */
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
  shopify: (headers) => ({ ...SHA256_BASE64, signatures: list(headers['x-shopify-hmac-sha256']), timestamp: null, before: '' }),
  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  'standard-webhooks': (headers) => {
    // Svix, whose scheme it was, sends them under its own name too, or instead.
    const by = ['webhook', 'svix'].find((name) => headers[`${name}-id`] !== undefined && headers[`${name}-timestamp`] !== undefined);
    const [id, timestamp] = [headers[`${by}-id`], headers[`${by}-timestamp`]];
    if (id === undefined || timestamp === undefined) return null;
    // "v1,<signature> v1,<signature>": here the comma belongs to the signature.
    const signatures = withPrefix(headers[`${by}-signature`]?.split(/\s+/) ?? [], 'v1,');
    return { ...SHA256_BASE64, signatures, timestamp, before: `${id}.${timestamp}.`, keyOf: standardWebhooksKey };
  },
};

function standardWebhooksKey(secret: string): Buffer {
  const encoded = secret.replace(/^whsec_/, '');
  const [, digits] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(encoded) ?? [];
  // The decoder drops a single digit at the end, and anyone could sign with the empty key that it makes of that alone.
  if (digits === undefined || digits.length % 4 === 1) throw SignatureErrors.secretMalformed();
  return Buffer.from(digits, 'base64');
}

/** @throws ExtensionError WEBHOOK_VERIFY_INVALID: options that cannot be, or that would not protect what they seem to. */
export function hmacClaim(headers: Headers, options: HmacOptions): Claim | null {
  const { header, prefix = '', algorithm = 'sha256', encoding = 'hex', timestampHeader } = options;
  const { signed = timestampHeader ? '{timestamp}.{body}' : '{body}' } = options;
  if (!HMAC_ALGORITHMS.includes(algorithm)) throw SignatureErrors.optionsInvalid(`The algorithm is one of ${HMAC_ALGORITHMS.join(', ')}.`);
  if (!HMAC_ENCODINGS.includes(encoding)) throw SignatureErrors.optionsInvalid(`The encoding is one of ${HMAC_ENCODINGS.join(', ')}.`);
  const [before = '', after, ...more] = signed.split('{body}');
  if (after === undefined || more.length) throw SignatureErrors.optionsInvalid('What is signed must have {body} in it once.');
  if (signed.includes('{timestamp}') !== (timestampHeader !== undefined)) {
    throw SignatureErrors.optionsInvalid('A timestamp must be signed too, or whoever repeats the request could change it.');
  }
  const timestamp = timestampHeader === undefined ? null : headers[timestampHeader.toLowerCase()];
  if (timestamp === undefined) return null;
  const fill = (text: string): string => text.replaceAll('{timestamp}', () => timestamp ?? '');
  const signatures = withPrefix(list(headers[header.toLowerCase()]), prefix);
  return { signatures, timestamp, before: fill(before), after: fill(after), algorithm, encoding, keyOf: utf8Key };
}
