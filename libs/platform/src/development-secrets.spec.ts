import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseKeyring } from './keyring.js';
import { withDevelopmentSecrets } from './development-secrets.js';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  file = join(directory, 'data', 'dev.env');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const kept = () => parseEnv(readFileSync(file, 'utf8'));

describe('withDevelopmentSecrets', () => {
  it('generates every secret into a file that only its owner can read', () => {
    const env = withDevelopmentSecrets({ HOME: '/home/ada' }, file);
    expect(env['HOME']).toBe('/home/ada');
    expect(kept()).toEqual({
      SECRET_KEYS: env['SECRET_KEYS'],
      SERVICE_TOKENS: env['SERVICE_TOKENS'],
      ADMIN_EMAIL: 'admin@platform.local',
      ADMIN_PASSWORD: env['ADMIN_PASSWORD'],
    });
    expect(parseKeyring(env['SECRET_KEYS'] ?? '').ids).toEqual(['k1']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(directory, 'data'))).toEqual(['dev.env']);
  });

  it('generates nothing where it could not keep it, as in a container with a read-only root', () => {
    const given = { SERVICE_TOKENS: 'gateway:x', SECRET_KEYS: '' };
    expect(withDevelopmentSecrets(given, '/proc/nowhere/dev.env')).toEqual({ SERVICE_TOKENS: 'gateway:x' });
  });

  it('generates once: the next start finds the same, and two machines differ', () => {
    const first = withDevelopmentSecrets({}, file);
    const text = readFileSync(file, 'utf8');
    expect(withDevelopmentSecrets({}, file)).toEqual(first);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(withDevelopmentSecrets({}, join(directory, 'other.env'))['SECRET_KEYS']).not.toBe(first['SECRET_KEYS']);
  });

  it('adds what a file lacks, keeps what it has, and closes it to others', () => {
    writeFileSync(join(directory, 'own.env'), 'ADMIN_PASSWORD=kept\nOWN=too\n', { mode: 0o644 });
    const env = withDevelopmentSecrets({}, join(directory, 'own.env'));
    expect(env).toMatchObject({ ADMIN_PASSWORD: 'kept', OWN: 'too', SECRET_KEYS: expect.stringMatching(/^k1:/) });
    expect(statSync(join(directory, 'own.env')).mode & 0o777).toBe(0o600);
  });

  it('lets the environment win and does not write its secrets down', () => {
    withDevelopmentSecrets({}, file);
    const env = withDevelopmentSecrets({ ADMIN_PASSWORD: 'from outside' }, file);
    expect(env['ADMIN_PASSWORD']).toBe('from outside');
    const fresh = join(directory, 'fresh.env');
    withDevelopmentSecrets({ ADMIN_PASSWORD: 'from outside' }, fresh);
    expect(readFileSync(fresh, 'utf8')).not.toContain('ADMIN_PASSWORD');
  });

  it('takes an empty variable for one that is not set', () => {
    const env = withDevelopmentSecrets({ SECRET_KEYS: '' }, file);
    expect(env['SECRET_KEYS']).toBe(kept()['SECRET_KEYS']);
    expect(env['SECRET_KEYS']).toMatch(/^k1:/);
  });

  it('neither generates nor reads anything in production', () => {
    const env = { NODE_ENV: 'production' };
    expect(withDevelopmentSecrets(env, file)).toEqual(env);
    expect(existsSync(file)).toBe(false);
    withDevelopmentSecrets({}, file);
    expect(withDevelopmentSecrets(env, file)).toEqual(env);
  });
});
