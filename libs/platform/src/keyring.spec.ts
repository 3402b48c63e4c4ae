import { randomBytes } from 'node:crypto';
import { parseKeyring, sealingKeyId } from './keyring.js';

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const FIRST = entry('k1');
const SECOND = entry('k2');
const keyring = parseKeyring(FIRST);

/** Changes one byte of the sealed text. */
function tampered(sealed: string, at: number): string {
  const [id = '', encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  const index = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return `${id}.${bytes.toString('base64url')}`;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('sealing', () => {
  it.each(['a secret', '', 'žluťoučký \u{1f511}', 'x'.repeat(100_000)])('opens what it sealed (%#)', (text) => {
    expect(keyring.open('mail', keyring.seal('mail', text))).toBe(text);
  });

  it('never makes the same text twice, and hides the plaintext', () => {
    const sealed = keyring.seal('mail', 'the plaintext');
    expect(keyring.seal('mail', 'the plaintext')).not.toBe(sealed);
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('plaintext');
  });

  it.each([
    ['nonce', 0],
    ['ciphertext', 12],
    ['tag', -1],
  ])('does not open with a changed %s', (_part, at) => {
    const sealed = keyring.seal('mail', 'a secret');
    expect(() => keyring.open('mail', tampered(sealed, at))).toThrow();
  });

  it.each([0, 1, 4, 12, 16, 27])('does not open what is cut to %d bytes', (length) => {
    const [id = '', encoded = ''] = keyring.seal('mail', '').split('.');
    const cut = Buffer.from(encoded, 'base64url').subarray(0, length).toString('base64url');
    expect(() => keyring.open('mail', `${id}.${cut}`)).toThrow('This is not a sealed text');
  });

  it('does not open for another purpose', () => {
    expect(() => keyring.open('reset', keyring.seal('mail', 'a secret'))).toThrow();
  });

  it('does not open in another context', () => {
    const sealed = keyring.seal('mail', 'a secret', 'here');
    expect(keyring.open('mail', sealed, 'here')).toBe('a secret');
    for (const context of ['there', '', 'here ']) expect(() => keyring.open('mail', sealed, context)).toThrow();
    expect(() => keyring.open('mail', keyring.seal('mail', 'a secret'), 'here')).toThrow();
  });

  it('does not open with another key of the same name', () => {
    expect(() => parseKeyring(entry('k1')).open('mail', keyring.seal('mail', 'a secret'))).toThrow();
  });

  it('opens what an older key sealed, and seals with the first', () => {
    const rotated = parseKeyring(`${SECOND},${FIRST}`);
    expect(rotated.open('mail', keyring.seal('mail', 'a secret'))).toBe('a secret');
    expect(rotated.seal('mail', 'a secret')).toMatch(/^k2\./);
    expect(rotated.currentId).toBe('k2');
    expect(rotated.ids).toEqual(['k2', 'k1']);
  });

  it('names the key that is gone, and nothing that is no name of a key', () => {
    const sealed = keyring.seal('mail', 'a secret', 'here');
    const refusal = {
      status: 503,
      code: 'secret_key.missing',
      message: expect.stringContaining('secret key "k1", which is missing'),
    };
    expect(attempt(() => parseKeyring(SECOND).open('mail', sealed, 'here'))).toMatchObject(refusal);
    for (const text of ['garbage', '', '.', 'K1.abc', '__proto__.abc', `${'x'.repeat(17)}.abc`, '{"d":"secret"}']) {
      expect(attempt(() => keyring.open('mail', text))).toMatchObject({ message: 'This is not a sealed text.' });
      expect(sealingKeyId(text)).toBeNull();
    }
    expect(sealingKeyId(sealed)).toBe('k1');
  });
});

describe('mac', () => {
  it('is the same for the same key, purpose and data, and differs when one of them does', () => {
    const mac = keyring.mac('refresh', 'data');
    expect(mac).toHaveLength(32);
    expect(parseKeyring(FIRST).mac('refresh', 'data')).toEqual(mac);
    expect(keyring.mac('access', 'data')).not.toEqual(mac);
    expect(keyring.mac('refresh', 'date')).not.toEqual(mac);
    expect(parseKeyring(entry('k1')).mac('refresh', 'data')).not.toEqual(mac);
  });

  it('uses the key that is asked for, and is null for one that is not there', () => {
    const rotated = parseKeyring(`${SECOND},${FIRST}`);
    expect(rotated.mac('refresh', 'data', 'k1')).toEqual(keyring.mac('refresh', 'data'));
    expect(rotated.mac('refresh', 'data', 'k3')).toBeNull();
    expect(rotated.mac('refresh', 'data', '__proto__')).toBeNull();
  });
});

describe('parseKeyring', () => {
  it.each([
    ['nothing', '', 'expected id:base64'],
    ['a key without a name', randomBytes(32).toString('base64'), 'expected id:base64'],
    ['an empty entry', `${FIRST},`, 'expected id:base64'],
    ['a third part', `${FIRST}:more`, 'expected id:base64'],
    ['a name that is no plain word', FIRST.replace('k1', 'K-1'), 'expected id:base64'],
    ['a key that is too short', `k1:${randomBytes(31).toString('base64')}`, '"k1" has 31 bytes instead of 32'],
    ['a key that is too long', `k1:${randomBytes(33).toString('base64')}`, '"k1" has 33 bytes instead of 32'],
    ['two keys of one name', `${FIRST},${entry('k1')}`, 'two keys are named "k1"'],
  ])('refuses %s', (_what, input, message) => {
    expect(() => parseKeyring(input)).toThrow(message);
  });

  it('allows spaces between the entries', () => {
    expect(parseKeyring(`${FIRST}, ${SECOND}`).ids).toEqual(['k1', 'k2']);
  });
});
