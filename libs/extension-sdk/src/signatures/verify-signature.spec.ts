import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { HmacOptions } from './schemes.js';
import { verifyHmac, verifySignature, type SignedRequest, type VerifyOptions } from './verify-signature.js';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const BODY = '{"id":"evt_1","text":"žluťoučký\\u0000 \u{1f511}"}';
const SECRET = 'a secret of the provider';

const hmacOf = (
  secret: string | Buffer,
  data: string | Buffer,
  encoding: 'hex' | 'base64' = 'hex',
  algorithm = 'sha256',
) => createHmac(algorithm, secret).update(data).digest(encoding);

/** A signed webhook of each provider, made by its own library or its documentation. */
interface Provider {
  secret: string;
  otherSecret: string;
  scheme: VerifyOptions['scheme'];
  hmac?: HmacOptions;
  /** Header with the signature. */
  header: string;
  sign: (secret: string, body: string, seconds: number) => Record<string, string>;
}

const plain: HmacOptions = {
  header: 'X-Signature',
  prefix: 'sha512=',
  algorithm: 'sha512',
  timestampHeader: 'X-Time',
  signed: 'a:{timestamp}:{body}:z',
};

const PROVIDERS: Record<string, Provider & { hasTime: boolean }> = {
  stripe: {
    scheme: 'stripe',
    secret: 'whsec_one',
    otherSecret: 'whsec_two',
    header: 'stripe-signature',
    hasTime: true,
    sign: (secret, payload, timestamp) => ({
      'stripe-signature': new Stripe('sk_test_unused').webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp,
      }),
    }),
  },
  slack: {
    scheme: 'slack',
    secret: SECRET,
    otherSecret: 'another',
    header: 'x-slack-signature',
    hasTime: true,
    sign: (secret, body, seconds) => ({
      'x-slack-request-timestamp': `${seconds}`,
      'x-slack-signature': `v0=${hmacOf(secret, `v0:${seconds}:${body}`)}`,
    }),
  },
  github: {
    scheme: 'github',
    secret: SECRET,
    otherSecret: 'another',
    header: 'x-hub-signature-256',
    hasTime: false,
    sign: (secret, body) => ({ 'x-hub-signature-256': `sha256=${hmacOf(secret, body)}` }),
  },
  shopify: {
    scheme: 'shopify',
    secret: SECRET,
    otherSecret: 'another',
    header: 'x-shopify-hmac-sha256',
    hasTime: false,
    sign: (secret, body) => ({ 'x-shopify-hmac-sha256': hmacOf(secret, body, 'base64') }),
  },
  'standard-webhooks': {
    scheme: 'standard-webhooks',
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    otherSecret: randomBytes(32).toString('base64'),
    header: 'webhook-signature',
    hasTime: true,
    sign: (secret, body, seconds) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(seconds * 1000), body),
    }),
  },
  'hmac, hex, without time': {
    scheme: 'hmac',
    secret: SECRET,
    otherSecret: 'another',
    hmac: { header: 'X-Signature' },
    header: 'x-signature',
    hasTime: false,
    sign: (secret, body) => ({ 'x-signature': hmacOf(secret, body) }),
  },
  'hmac, base64': {
    scheme: 'hmac',
    secret: SECRET,
    otherSecret: 'another',
    hmac: { header: 'X-Signature', encoding: 'base64', algorithm: 'sha1' },
    header: 'x-signature',
    hasTime: false,
    sign: (secret, body) => ({ 'x-signature': hmacOf(secret, body, 'base64', 'sha1') }),
  },
  'hmac, prefixed, with time': {
    scheme: 'hmac',
    secret: SECRET,
    otherSecret: 'another',
    hmac: plain,
    header: 'x-signature',
    hasTime: true,
    sign: (secret, body, seconds) => ({
      'x-time': `${seconds}`,
      'x-signature': `sha512=${hmacOf(secret, `a:${seconds}:${body}:z`, 'hex', 'sha512')}`,
    }),
  },
};

const withByteFlipped = (text: string, at: number): Buffer => {
  const bytes = Buffer.from(text);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};

describe.each(Object.entries(PROVIDERS))(
  '%s',
  (_name, { scheme, secret, otherSecret, hmac, header, hasTime, sign }) => {
    const verify = (request: SignedRequest, changes: Partial<VerifyOptions> = {}) =>
      verifySignature(request, { scheme, secret, ...(hmac ? { hmac } : {}), ...changes }, NOW);
    const signed = (seconds = SECONDS, by = secret) => ({ headers: sign(by, BODY, seconds), body: Buffer.from(BODY) });

    it('verifies what the provider signed', () => {
      expect(verify(signed())).toEqual({ valid: true, reason: null });
    });

    it('verifies an empty body', () => {
      expect(verify({ headers: sign(secret, '', SECONDS), body: Buffer.alloc(0) }).valid).toBe(true);
    });

    it('refuses a body with any one byte flipped, missing or added', () => {
      const { headers, body } = signed();
      for (let at = 0; at < body.length; at++)
        expect(verify({ headers, body: withByteFlipped(BODY, at) })).toEqual({ valid: false, reason: 'mismatch' });
      for (const other of [
        body.subarray(1),
        body.subarray(0, -1),
        Buffer.concat([body, Buffer.alloc(1)]),
        Buffer.from(`\ufeff${BODY}`),
      ]) {
        expect(verify({ headers, body: other }).valid).toBe(false);
      }
    });

    it('refuses a signature with any one character changed', () => {
      const { headers, body } = signed();
      const text = headers[header] ?? '';
      for (let at = 0; at < text.length; at++) {
        // Padding carries no data; a sender can omit it.
        if (text[at] === '=' && at >= text.length - 2) continue;
        const changed = withByteFlipped(text, at).toString('latin1');
        expect([at, verify({ headers: { ...headers, [header]: changed }, body }).valid]).toEqual([at, false]);
      }
    });

    it('refuses another secret, and takes each of several', () => {
      expect(verify(signed(SECONDS, otherSecret))).toEqual({ valid: false, reason: 'mismatch' });
      for (const by of [secret, otherSecret]) {
        expect(verify(signed(SECONDS, by), { secret: [otherSecret, secret] }).valid).toBe(true);
      }
    });

    it('refuses a request without signature', () => {
      const { headers, body } = signed();
      for (const value of [undefined, '', ' ', 'none', ',,,']) {
        const { [header]: _, ...rest } = headers;
        expect(verify({ headers: value === undefined ? rest : { ...rest, [header]: value }, body }).valid).toBe(false);
      }
      expect(verify({ headers: {}, body })).toEqual({ valid: false, reason: 'missing' });
    });

    it(hasTime ? 'refuses a time that is too far in the past or the future' : 'knows no time', () => {
      for (const [seconds, valid] of [
        [-300, true],
        [300, true],
        [-301, !hasTime],
        [301, !hasTime],
        [86_400, !hasTime],
      ] as const) {
        expect(verify(signed(SECONDS + seconds))).toEqual(valid ? { valid, reason: null } : { valid, reason: 'stale' });
      }
      expect(verify(signed(SECONDS - 301), { toleranceSeconds: 302 }).valid).toBe(true);
    });

    it('does not verify without a secret', () => {
      const request = signed();
      for (const none of ['', null, [], ['', null]]) {
        expect(() => verify(request, { secret: none })).toThrow('No secret is set');
      }
    });
  },
);

describe('several signatures', () => {
  const body = Buffer.from(BODY);
  const old = 'the old secret';

  it('count when one of them is right, as during a rotation at the provider', () => {
    const by = (secret: string) => hmacOf(secret, `${SECONDS}.${BODY}`);
    const header = `t=${SECONDS},v1=${by(old)},v1=${by(SECRET)},v0=${by('none')}`;
    expect(
      verifySignature({ headers: { 'stripe-signature': header }, body }, { scheme: 'stripe', secret: SECRET }, NOW)
        .valid,
    ).toBe(true);
    expect(
      verifySignature({ headers: { 'stripe-signature': header }, body }, { scheme: 'stripe', secret: 'none' }, NOW)
        .valid,
    ).toBe(false);
  });

  it('of a Standard Webhook are separated by spaces, and those of other versions do not count', () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${SECONDS}`,
      'webhook-signature': `v1a,AAAA v1,${Buffer.alloc(32).toString('base64')} ${new Webhook(secret).sign('msg_1', new Date(NOW), BODY)}`,
    };
    const options = { scheme: 'standard-webhooks', secret } as const;
    expect(verifySignature({ headers, body }, options, NOW).valid).toBe(true);
    const otherVersion = headers['webhook-signature'].replaceAll('v1,', 'v2,');
    expect(
      verifySignature({ headers: { ...headers, 'webhook-signature': otherVersion }, body }, options, NOW).reason,
    ).toBe('missing');
  });

  it.each([
    ['by Svix under its own name', ['svix']],
    ['under both names', ['webhook', 'svix']],
  ])('of a Standard Webhook may come %s', (_what, names) => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const signature = new Webhook(secret).sign('msg_1', new Date(NOW), BODY);
    const parts = { id: 'msg_1', timestamp: `${SECONDS}`, signature };
    const headers = Object.fromEntries(
      names.flatMap((name) => Object.entries(parts).map(([part, value]) => [`${name}-${part}`, value])),
    );
    const verified = (changed: Record<string, string>) =>
      verifySignature({ headers: { ...headers, ...changed }, body }, { scheme: 'standard-webhooks', secret }, NOW);
    expect(verified({})).toEqual({ valid: true, reason: null });
    expect(verified({ [`${names[0]}-id`]: 'msg_2' })).toEqual({ valid: false, reason: 'mismatch' });
    expect(verified({ [`${names[0]}-timestamp`]: `${SECONDS - 1_000}` })).toEqual({ valid: false, reason: 'stale' });
  });

  it('do not make one of the parts under two names', () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const headers = {
      'webhook-id': 'msg_1',
      'svix-timestamp': `${SECONDS}`,
      'svix-signature': new Webhook(secret).sign('msg_1', new Date(NOW), BODY),
    };
    expect(verifySignature({ headers, body }, { scheme: 'standard-webhooks', secret }, NOW)).toEqual({
      valid: false,
      reason: 'missing',
    });
  });

  it.each(['A', 'AA=A', 'AAAAA', 'a-b_', 'whsec_A==', 'whsec_'])(
    'of a Standard Webhook are not made with %j, which is no Base64',
    (secret) => {
      const seconds = `${SECONDS}`;
      // Signature with the empty key, which decoding a single digit would return.
      const signature = `v1,${hmacOf('', `msg_1.${seconds}.${BODY}`, 'base64')}`;
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature };
      expect(() => verifySignature({ headers, body }, { scheme: 'standard-webhooks', secret }, NOW)).toThrow('Base64');
    },
  );

  it('beyond ten are not looked at', () => {
    const wrong = `sha256=${hmacOf('none', BODY)},`.repeat(10);
    const headers = { 'x-hub-signature-256': `${wrong}sha256=${hmacOf(SECRET, BODY)}` };
    expect(verifySignature({ headers, body }, { scheme: 'github', secret: SECRET }, NOW).valid).toBe(false);
  });
});

describe('a signature', () => {
  const github = (body: Buffer, signature: string, secret: string) =>
    verifySignature({ headers: { 'x-hub-signature-256': signature }, body }, { scheme: 'github', secret }, NOW).valid;

  it("verifies as in GitHub's documentation", () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(github(Buffer.from('Hello, World!'), signature, "It's a Secret to Everybody")).toBe(true);
  });

  it("verifies as in Slack's documentation", () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA' +
      '&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554' +
      '%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    const options = { scheme: 'slack', secret: '8f742231b10e8888abcd99yyyzzz85a5' } as const;
    expect(verifySignature({ headers, body: Buffer.from(body) }, options, 1_531_420_618_000).valid).toBe(true);
  });

  it('is over bytes that are no text', () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0d, 0x0a, 0xed, 0xa0, 0x80]);
    expect(github(body, `sha256=${hmacOf(SECRET, body)}`, SECRET)).toBe(true);
    expect(github(Buffer.from(body.toString()), `sha256=${hmacOf(SECRET, body)}`, SECRET)).toBe(false);
  });

  it('may be in capitals when it is hex, and without padding when it is Base64', () => {
    const body = Buffer.from(BODY);
    expect(github(body, `sha256=${hmacOf(SECRET, BODY).toUpperCase()}`, SECRET)).toBe(true);
    const headers = { 'x-shopify-hmac-sha256': hmacOf(SECRET, BODY, 'base64').replace('=', '') };
    expect(verifySignature({ headers, body }, { scheme: 'shopify', secret: SECRET }, NOW).valid).toBe(true);
  });

  it.each([
    'sha256=',
    'sha256=00',
    `sha256=${'0'.repeat(63)}`,
    `sha256=${'g'.repeat(64)}`,
    `sha256=${'0'.repeat(100_000)}`,
    'sha1=00',
  ])('that is none is refused (%#)', (signature) => {
    expect(github(Buffer.from(BODY), signature, SECRET)).toBe(false);
  });

  it.each([
    '',
    'soon',
    '-1',
    '1.8e9',
    '0x6b49d200',
    ' 1800000000',
    '1800000000.5',
    '1800000000, 1800000000',
    'NaN',
    'Infinity',
  ])('with the time "%s" is refused', (timestamp) => {
    const headers = {
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hmacOf(SECRET, `v0:${timestamp}:${BODY}`)}`,
    };
    const request = { headers, body: Buffer.from(BODY) };
    expect(verifySignature(request, { scheme: 'slack', secret: SECRET }, NOW)).toEqual({
      valid: false,
      reason: 'stale',
    });
  });

  it('with two times is refused, since nobody could say which one counts', () => {
    const headers = { 'stripe-signature': `t=${SECONDS},t=1,v1=${hmacOf(SECRET, `${SECONDS}.${BODY}`)}` };
    expect(verifySignature({ headers, body: Buffer.from(BODY) }, { scheme: 'stripe', secret: SECRET }, NOW).valid).toBe(
      false,
    );
  });
});

describe('options', () => {
  const verify = (options: Partial<VerifyOptions>) => () =>
    verifySignature({ headers: {}, body: Buffer.alloc(0) }, { scheme: 'hmac', secret: SECRET, ...options }, NOW);

  it.each<[string, Partial<VerifyOptions>]>([
    ['an unknown scheme', { scheme: 'none' as 'hmac' }],
    ['a scheme that an object inherits', { scheme: 'constructor' as 'hmac' }],
    ['no header', {}],
    ['an unknown algorithm', { hmac: { header: 'a', algorithm: 'md5' as 'sha1' } }],
    ['an unknown encoding', { hmac: { header: 'a', encoding: 'utf8' as 'hex' } }],
    ['a body that is not signed', { hmac: { header: 'a', signed: '{timestamp}', timestampHeader: 'b' } }],
    ['a body that is signed twice', { hmac: { header: 'a', signed: '{body}{body}' } }],
    ['a time that is not signed', { hmac: { header: 'a', signed: '{body}', timestampHeader: 'b' } }],
    ['a time that comes from nowhere', { hmac: { header: 'a', signed: '{timestamp}.{body}' } }],
    ['no tolerance', { hmac: { header: 'a' }, toleranceSeconds: 0 }],
    ['a tolerance that is no number', { hmac: { header: 'a' }, toleranceSeconds: NaN }],
    ['a tolerance without end', { hmac: { header: 'a' }, toleranceSeconds: Infinity }],
    ['more secrets than a rotation needs', { hmac: { header: 'a' }, secret: Array<string>(6).fill('a') }],
  ])('refuses %s', (_what, options) => {
    expect(verify(options)).toThrow(expect.objectContaining({ code: 'WEBHOOK_VERIFY_INVALID' }) as Error);
  });

  it('refuses a secret of a Standard Webhook that is no Base64', () => {
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': `${SECONDS}`, 'webhook-signature': 'v1,a' };
    const request = { headers, body: Buffer.alloc(0) };
    expect(() => verifySignature(request, { scheme: 'standard-webhooks', secret: 'no base64!' }, NOW)).toThrow(
      'must be Base64',
    );
  });
});

describe('verifyHmac', () => {
  const data = `${SECONDS}.${BODY}`;

  it('verifies a signature that a handler has found by itself', () => {
    const signature = `v1=${hmacOf(SECRET, data)}`;
    const options = { data, secret: SECRET, signature, prefix: 'v1=' };
    expect(verifyHmac(options, NOW)).toEqual({ valid: true, reason: null });
    expect(verifyHmac({ ...options, timestamp: SECONDS - 300 }, NOW).valid).toBe(true);
    expect(verifyHmac({ ...options, timestamp: `${SECONDS - 301}` }, NOW)).toEqual({ valid: false, reason: 'stale' });
    expect(verifyHmac({ ...options, data: `${data} ` }, NOW)).toEqual({ valid: false, reason: 'mismatch' });
    expect(verifyHmac({ ...options, prefix: 'v2=' }, NOW)).toEqual({ valid: false, reason: 'missing' });
    expect(verifyHmac({ ...options, signature: '' }, NOW)).toEqual({ valid: false, reason: 'missing' });
    expect(
      verifyHmac({ data, secret: SECRET, signature: hmacOf(SECRET, data, 'base64'), encoding: 'base64' }, NOW).valid,
    ).toBe(true);
    expect(() => verifyHmac({ ...options, secret: null }, NOW)).toThrow('No secret is set');
  });
});
