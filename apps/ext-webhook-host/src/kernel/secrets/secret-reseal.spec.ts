import { DeclaredSecrets, type SecretRules, type SecretOwner } from '@platform/extension-sdk/runtime';
import { createLogger, Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { startHostDatabase, type HostDatabase } from '../../testing/host-database.js';
import { SecretRedactor } from './secret-redactor.js';
import { SecretVaultService } from './secret-vault.service.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const oldKeys = new Keyring(new Map([['k1', OLD]]));
const bothKeys = new Keyring(
  new Map([
    ['k2', NEW],
    ['k1', OLD],
  ]),
);
const newKeys = new Keyring(new Map([['k2', NEW]]));
const LOGGER = createLogger('host', 'silent');
const VALUE = 'sk_live_žluťoučký\0-1234567890';

let database: HostDatabase;
beforeAll(async () => {
  database = await startHostDatabase();
});
afterAll(() => database.stop());

let apps = 0;
const newOwner = (): SecretOwner => ({ appId: `app-${++apps}`, identity: 'usr_1' });
const vaultWith = (keyring: Keyring) => new SecretVaultService(database.dataSource, keyring, LOGGER);
const rowsOf = ({ appId }: SecretOwner) =>
  database.dataSource.query<{ key_id: string; sealed: string }[]>(
    'SELECT * FROM secrets WHERE app_id = $1 ORDER BY identity, name',
    [appId],
  );

describe('the vault', () => {
  it('gives back what was set, and nothing to another app or identity', async () => {
    const [vault, owner] = [vaultWith(oldKeys), newOwner()];
    await vault.set(owner, 'token', 'first');
    await vault.set(owner, 'token', VALUE);
    expect(await vault.find(owner, 'token')).toBe(VALUE);
    expect(await vault.namesSet(owner, ['other', 'token'])).toEqual(['token']);
    for (const other of [newOwner(), { ...owner, identity: 'usr_2' }]) {
      expect(await vault.find(other, 'token')).toBeNull();
      expect(await vault.namesSet(other, ['token'])).toEqual([]);
      expect(await vault.delete(other, 'token')).toBe(false);
    }
    expect([await vault.delete(owner, 'token'), await vault.delete(owner, 'token')]).toEqual([true, false]);
    expect(await vault.find(owner, 'token')).toBeNull();
  });

  it('does not store what can be read', async () => {
    const [vault, owner] = [vaultWith(oldKeys), newOwner()];
    await vault.set(owner, 'token', VALUE);
    const stored = JSON.stringify(await rowsOf(owner));
    for (const form of [
      'sk_live',
      Buffer.from('sk_live').toString('base64').slice(0, 8),
      Buffer.from('sk_live').toString('hex'),
    ]) {
      expect(stored).not.toContain(form);
    }
  });

  it.each([
    ['app', 'app_id'],
    ['identity', 'identity'],
    ['name', 'name'],
  ])('does not open a row that was moved to another %s', async (_what, column) => {
    const [vault, owner] = [vaultWith(oldKeys), newOwner()];
    await vault.set(owner, 'token', VALUE);
    await database.dataSource.query(`UPDATE secrets SET ${column} = $2 WHERE app_id = $1`, [
      owner.appId,
      `moved-${owner.appId}`,
    ]);
    const moved = { app_id: owner.appId, identity: owner.identity, name: 'token', [column]: `moved-${owner.appId}` };
    const find = vault.find({ appId: moved.app_id, identity: moved.identity }, moved.name);
    await expect(find).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
  });

  it('rotates: older keys open what they sealed until all of it is sealed anew', async () => {
    const [owner, before] = [newOwner(), vaultWith(oldKeys)];
    for (let n = 0; n < 3; n++) await before.set(owner, `s${n}`, `value ${n}`);
    const [during, after] = [vaultWith(bothKeys), vaultWith(newKeys)];
    expect(await during.find(owner, 's0')).toBe('value 0');
    await expect(after.find(owner, 's0')).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });

    await during.set(owner, 's1', 'changed');
    expect((await rowsOf(owner)).map(({ key_id }) => key_id)).toEqual(['k1', 'k2', 'k1']);
    const moved = newOwner();
    await before.set(moved, 'moved', VALUE);
    await database.dataSource.query("UPDATE secrets SET identity = 'other' WHERE app_id = $1", [moved.appId]);
    await Promise.all([during.resealSecrets(), during.resealSecrets()]);
    expect((await rowsOf(owner)).map(({ key_id }) => key_id)).toEqual(['k2', 'k2', 'k2']);
    expect(await Promise.all(['s0', 's1', 's2'].map((name) => after.find(owner, name)))).toEqual([
      'value 0',
      'changed',
      'value 2',
    ]);
    // A secret that cannot be decrypted stays unchanged and does not stop the others.
    const { resealed, failed } = await during.resealSecrets();
    expect([resealed, failed > 0, (await rowsOf(moved))[0]?.key_id]).toEqual([0, true, 'k1']);
  });

  it('is kept by the database from naming a key that did not seal', async () => {
    const [vault, owner] = [vaultWith(oldKeys), newOwner()];
    await vault.set(owner, 'token', VALUE);
    const rename = database.dataSource.query("UPDATE secrets SET key_id = 'k2' WHERE app_id = $1", [owner.appId]);
    await expect(rename).rejects.toThrow('secrets_key_check');
  });

  it('that cannot be reached says so, and no more', async () => {
    const away = await startHostDatabase();
    const vault = new SecretVaultService(away.dataSource, oldKeys, LOGGER);
    await away.stop();
    const attempts = [
      () => vault.find(newOwner(), 'token'),
      () => vault.set(newOwner(), 'token', VALUE),
      () => vault.namesSet(newOwner(), ['token']),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'SECRETS_UNAVAILABLE', retryable: true });
      expect(inspect(error, { depth: 10 })).not.toContain('sk_live');
    }
  });
});

describe('secrets of a run', () => {
  const declare = (name: string, changes: Partial<SecretRules> = {}): SecretRules => ({
    name,
    scope: 'user',
    write_mode: 'both',
    max_bytes: 4_096,
    ...changes,
  });
  const secretsOf = (owner: SecretOwner, declarations: SecretRules[], redactor = new SecretRedactor()) =>
    new DeclaredSecrets(vaultWith(oldKeys), owner, declarations, redactor);

  it('are of the identity, or of the app for all of its identities', async () => {
    const [owner, declarations] = [newOwner(), [declare('own'), declare('shared', { scope: 'app' }), declare('unset')]];
    const secrets = secretsOf(owner, declarations);
    await secrets.set('own', 'mine');
    await secrets.set('shared', 'ours');
    expect(await secrets.list()).toEqual(['own', 'shared']);
    const webhook = secretsOf({ ...owner, identity: '__webhook__' }, declarations);
    expect([
      await webhook.get('own'),
      await webhook.get('shared'),
      await webhook.isSet('own'),
      await webhook.isSet('shared'),
    ]).toEqual([null, 'ours', false, true]);
    expect([await secrets.delete('own'), await secrets.delete('own'), await secrets.isSet('own')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('must be declared', async () => {
    const secrets = secretsOf(newOwner(), [declare('known')]);
    for (const name of ['unknown', 'constructor', '__proto__', '']) {
      for (const attempt of [
        secrets.get(name),
        secrets.set(name, 'value'),
        secrets.delete(name),
        secrets.isSet(name),
      ]) {
        await expect(attempt).rejects.toMatchObject({ code: 'SECRET_UNDECLARED' });
      }
    }
  });

  it('that users set can be read alone', async () => {
    const [owner, declarations] = [
      newOwner(),
      [declare('theirs', { write_mode: 'user' }), declare('its', { write_mode: 'extension' })],
    ];
    await vaultWith(oldKeys).set(owner, 'theirs', 'by the user');
    const secrets = secretsOf(owner, declarations);
    expect(await secrets.get('theirs')).toBe('by the user');
    await expect(secrets.set('theirs', 'other')).rejects.toMatchObject({ code: 'SECRET_READ_ONLY' });
    await expect(secrets.delete('theirs')).rejects.toMatchObject({ code: 'SECRET_READ_ONLY' });
    await secrets.set('its', 'by the app');
  });

  it('are as long as declared and no longer, in bytes', async () => {
    const [owner, declarations] = [
      newOwner(),
      [declare('short', { max_bytes: 4 }), declare('long', { max_bytes: 65_536 })],
    ];
    const secrets = secretsOf(owner, declarations);
    await secrets.set('short', 'žž');
    await secrets.set('long', 'x'.repeat(65_536));
    expect(await secrets.get('long')).toHaveLength(65_536);
    for (const [name, value] of [
      ['short', 'žžx'],
      ['long', 'x'.repeat(65_537)],
      ['long', ''],
      ['long', '\ud83d'],
      ['long', 5 as unknown as string],
    ] as const) {
      await expect(secrets.set(name, value)).rejects.toMatchObject({ code: 'SECRET_INVALID' });
    }
  });

  it('are kept out of what the run leaves behind', async () => {
    const [owner, redactor] = [newOwner(), new SecretRedactor()];
    const secrets = secretsOf(owner, [declare('token'), declare('part')], redactor);
    await secrets.set('token', 'sk "live" 123');
    await secrets.set('part', 'live');
    const texts = [
      'calling with sk "live" 123!',
      JSON.stringify({ token: 'sk "live" 123' }),
      `https://example.com/?key=${encodeURIComponent('sk "live" 123')}&x=1`,
      `Basic ${Buffer.from('sk "live" 123').toString('base64')}`,
      Buffer.from('sk "live" 123').toString('hex'),
    ];
    for (const text of texts) expect(redactor.redact(text)).toMatch(/\[secret token\]/);
    expect(redactor.redact(texts.join())).not.toMatch(/live|123/);
    expect(redactor.redact('it is live')).toBe('it is [secret part]');
    expect(redactor.redactValue({ list: [{ 'sk "live" 123': 'live' }, 1, null] })).toEqual({
      list: [{ '[secret token]': '[secret part]' }, 1, null],
    });
    expect(redactor.redact('$& nothing here')).toBe('$& nothing here');
  });

  it('are not in sight of who looks at the objects', async () => {
    const secrets = secretsOf(newOwner(), [declare('token')]);
    await secrets.set('token', VALUE);
    await secrets.get('token');
    expect(inspect(vaultWith(oldKeys), { depth: 10, showHidden: true })).not.toContain('sk_live');
  });
});
