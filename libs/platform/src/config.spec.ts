import { randomBytes } from 'node:crypto';
import { baseUrl, ConfigError, keyring, parseConfig, wholeNumber, serviceConfig, servicePorts } from './config.js';

const specification = {
  ...serviceConfig,
  ...servicePorts(4000),
  SECRET_KEYS: keyring({ desc: 'the secret keys' }),
  PUBLIC_URL: baseUrl({ devDefault: 'http://localhost:4000', desc: 'the public address' }),
  GRACE_SECONDS: wholeNumber(0, 300)({ default: 60 }),
};

const TOKEN = 'a-token-of-more-than-24-characters';
const complete = {
  DATABASE_URL: 'postgres://platform:hunter2@127.0.0.1/platform',
  SERVICE_TOKENS: `panel:${TOKEN}`,
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

const parse = (env: NodeJS.ProcessEnv) => parseConfig(specification, env);

/** Error message of the parser. */
function complaint(env: NodeJS.ProcessEnv): string {
  try {
    parse(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('there was nothing to complain about');
}

describe('parseConfig', () => {
  it('names every variable that is missing, with what it is for', () => {
    expect(complaint({}).split('\n').sort()).toEqual([
      'DATABASE_URL is required: the address of PostgreSQL, as postgres://user:password@host:port/database',
      'SECRET_KEYS is required: the secret keys',
      'SERVICE_TOKENS is required: the tokens of trusted callers, as name:token,name:token',
    ]);
  });

  it('takes an empty value for a missing one', () => {
    expect(complaint({ ...complete, SECRET_KEYS: '' })).toBe('SECRET_KEYS is required: the secret keys');
    expect(parse({ ...complete, PORT: '' }).PORT).toBe(4000);
  });

  it.each([
    ['NODE_ENV', 'hunter2'],
    ['LOG_LEVEL', 'hunter2'],
    ['PORT', 'hunter2'],
    ['PORT', '65536'],
    ['METRICS_PORT', '-1'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOL_SIZE', '12.5'],
    ['SHUTDOWN_TIMEOUT_SECONDS', 'hunter2'],
    ['GRACE_SECONDS', '301'],
    ['WORKERS', 'hunter2'],
    ['SERVICE_TOKENS', 'hunter2'],
    ['SERVICE_TOKENS', 'panel:hunter2'],
    ['SERVICE_TOKENS', `panel:${TOKEN},panel:${TOKEN}2`],
    ['SERVICE_TOKENS', `pa nel:${TOKEN}`],
    ['SERVICE_TOKENS', `panel:${TOKEN},gateway:${TOKEN}`],
    ['SERVICE_PERMISSIONS', 'billing'],
    ['SERVICE_PERMISSIONS', 'billing:'],
    ['SERVICE_PERMISSIONS', 'billing:fly'],
    ['SERVICE_PERMISSIONS', 'billing:users,billing:audit'],
    ['SERVICE_PERMISSIONS', 'panel:users'],
    ['SERVICE_PERMISSIONS', 'ext-webhook-host-2:*'],
    ['SERVICE_PERMISSIONS', 'billing:constructor'],
    ['SECRET_KEYS', 'k1:hunter2hunter2'],
    ...['hunter2', '10.0.0.0/33', '0.0.0.0/0', 'all', '10.0.0.1 10.0.0.2'].map((value) => ['TRUSTED_PROXIES', value]),
    ['PUBLIC_URL', 'hunter2'],
    ['PUBLIC_URL', 'ftp://hunter2'],
    ['PUBLIC_URL', 'http://hunter2/?x=1'],
  ])('names %s when it is malformed, and never shows its value (%s)', (name, value) => {
    const message = complaint({ ...complete, [name]: value });
    expect(message).toMatch(new RegExp(`^${name} is malformed: .+`));
    expect(message).not.toContain(`"${value}"`);
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain(TOKEN);
  });

  it.each([
    ['WORKERS', 'of', 'expected inline or off'],
    ['NODE_ENV', 'prod', 'expected development, test or production'],
    ['PORT', 'http', 'expected a whole number from 1 to 65535'],
  ])('says of %s what is expected', (name, value, expected) => {
    expect(complaint({ ...complete, [name]: value })).toBe(`${name} is malformed: ${expected}`);
  });

  it('needs in production what development has a default for', () => {
    const message = complaint({ ...complete, NODE_ENV: 'production' });
    expect(message).toBe('PUBLIC_URL is required: the public address');
  });

  it('has defaults for a machine that nobody configured', () => {
    expect(parse(complete)).toMatchObject({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: 4000,
      METRICS_PORT: 4100,
      WORKERS: 'inline',
      REDIS_URL: '',
      PUBLIC_URL: 'http://localhost:4000',
      GRACE_SECONDS: 60,
    });
  });

  it('listens everywhere and leaves the jobs to the worker in production', () => {
    const config = parse({ ...complete, NODE_ENV: 'production', PUBLIC_URL: 'https://cloud.example' });
    expect(config).toMatchObject({ HOST: '0.0.0.0', WORKERS: 'off' });
  });

  it('reads what is well formed', () => {
    const config = parse({
      ...complete,
      SERVICE_TOKENS: `panel:${TOKEN}, deploy-2:${TOKEN}2`,
      PUBLIC_URL: 'https://cloud.example/base//',
      GRACE_SECONDS: '0',
    });
    expect(config.SERVICE_TOKENS).toEqual([
      { name: 'panel', token: TOKEN },
      { name: 'deploy-2', token: `${TOKEN}2` },
    ]);
    expect(config.PUBLIC_URL).toBe('https://cloud.example/base');
    expect(config.GRACE_SECONDS).toBe(0);
    expect(config.SECRET_KEYS.currentId).toBe('k1');
  });

  it('takes the addresses of proxies as people write them', () => {
    const config = parse({
      ...complete,
      TRUSTED_PROXIES: 'loopback, [2001:DB8::1]:443,10.0.0.0/8,fd00::/8,, ::ffff:192.0.2.1',
    });
    expect(config.TRUSTED_PROXIES).toEqual(['loopback', '2001:db8::1', '10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(parse(complete))).toBe(true);
  });
});

describe('a port', () => {
  const read = (PORT: string) => parseConfig(servicePorts(4000), { PORT }).PORT;

  it.each(['6000', '25', '6667', '10080'])('that fetch refuses is refused: %s', async (port) => {
    expect(() => read(port)).toThrow(`PORT is malformed: expected another port: browsers and fetch refuse ${port}`);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  it.each(['0', '65536', 'x', '1.5'])('is a whole number: %s', (port) => {
    expect(() => read(port)).toThrow('PORT is malformed: expected a whole number from 1 to 65535');
  });

  it('is any other', () => {
    expect(['80', '443', '4000', '6001', '8080', '65535'].map(read)).toEqual([80, 443, 4000, 6001, 8080, 65_535]);
  });
});
