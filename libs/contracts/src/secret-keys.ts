const SECRET_PARTS = [
  'secret',
  'password',
  'passwd',
  'passphrase',
  'apikey',
  'privatekey',
  'credential',
  'cookie',
  'authorization',
];
const SECRET_ENDINGS = ['token', 'pwd', 'pin', 'otp'];
/** Names that end like a secret and are none: the number, kind or name of a token. */
const HARMLESS = new Set(['tokensymbol', 'maxtokens', 'spin']);

/** True if a key seems to name a secret, in any spelling: `API-Key`, `client_secret`, `ａｐｉＫｅｙ`. */
export function isSecretKey(key: string): boolean {
  const plain = key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (HARMLESS.has(plain)) return false;
  return SECRET_PARTS.some((part) => plain.includes(part)) || SECRET_ENDINGS.some((ending) => plain.endsWith(ending));
}
