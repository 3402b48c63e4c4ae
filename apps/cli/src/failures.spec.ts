import { ApiError, ConnectionError, SignedOutError } from '@platform/client';
import { CommandError, describeFailure, failureJson } from './failures.js';
import { Context, contextFactory } from './context.js';
import { Interruption } from './interruption.js';
import { createProgram } from './program.js';
import { resolveSettings } from './settings.js';

const URL = 'https://platform.example.com';

const describeAt = (error: unknown, url?: string, env: NodeJS.ProcessEnv = {}) =>
  describeFailure(error, resolveSettings({ url }, env));

describe('a failure', () => {
  it.each([
    [
      'nobody signed in',
      new SignedOutError('no_tokens'),
      3,
      'You are not signed in to http://localhost:4000. Run `platform login`.',
    ],
    [
      'an ended session',
      new SignedOutError('session_ended'),
      3,
      'Your session at http://localhost:4000 has ended. Run `platform login`.',
    ],
    ['a refusal', new ApiError('No such key.', { status: 404, code: 'api_key.not_found' }), 1, 'No such key.'],
    [
      'a limit',
      new ApiError('Too many.', { status: 429, code: 'rate_limited', retryAfterSeconds: 7 }),
      1,
      'Too many. (Try again in 7 s.)',
    ],
    [
      'a month',
      new ApiError('No.', { status: 429, code: 'x', retryAfterSeconds: 2_591_626 }),
      1,
      'No. (Try again in 30 days.)',
    ],
    [
      'a limit of what is spent without the user',
      new ApiError('Use PUT /v1/me/spending.', { status: 402, code: 'spending.limit_reached' }),
      1,
      'Use PUT /v1/me/spending. Change the limit with `platform wallet limits --unattended <credits>` or `--other-apps <credits>`.',
    ],
    [
      'what takes a developer',
      new ApiError('Register.', { status: 403, code: 'developer.not_registered' }),
      1,
      'Register. Run `platform deploy --nickname <name>`, or `platform apps create <app> --nickname <name>`.',
    ],
    [
      'a price that changed meanwhile',
      new ApiError('Look at it.', { status: 409, code: 'extension.price_changed' }),
      1,
      'Look at it. Run the same command again to see the new price.',
    ],
    [
      'a breakdown',
      new ApiError('Broken.', { status: 500, code: 'internal', requestId: 'req_1' }),
      1,
      'Broken. (Request req_1.)',
    ],
    [
      'a bad API key',
      new ApiError('Not valid.', { status: 401, code: 'invalid_api_key' }),
      3,
      'Not valid. The key comes from PLATFORM_API_KEY.',
    ],
    ['a refused session', new ApiError('Disabled.', { status: 401, code: 'x' }), 3, 'Disabled. Run `platform login`.'],
    ['no answer', new ConnectionError('timeout', 'Too slow.'), 1, 'Too slow.'],
    ['what a command says', new CommandError('Declined.'), 1, 'Declined.'],
    ['a full disk', Object.assign(new Error('ENOSPC: no space'), { syscall: 'write' }), 1, 'ENOSPC: no space'],
  ])('%s', (_what, error, exitCode, message) => {
    expect(describeAt(error)).toEqual({ exitCode, message });
  });

  it('names the way back to the platform and the profile that were asked for', () => {
    const settings = resolveSettings({ url: 'https://example.com', profile: 'work' }, {});
    expect(describeFailure(new SignedOutError('no_tokens'), settings).message).toContain(
      '`platform login --url https://example.com --profile work`',
    );
  });

  it('names no platform of somebody else where none runs from the clone', () => {
    const settings = (env: NodeJS.ProcessEnv, url?: string) => resolveSettings({ url }, env);
    const context = (env: NodeJS.ProcessEnv, url?: string) => new Context(settings(env, url), new Interruption());
    expect(() => context({ PLATFORM_CLONE_URL: '' }).anonymous).toThrow(
      'No platform runs from this repository. Start it with `npm start`. Or pass the address of another platform with --url.',
    );
    expect(() => context({ PLATFORM_CLONE_URL: '' }).keyOrSession).toThrow('No platform runs');
    expect(context({ PLATFORM_CLONE_URL: '' }, 'http://localhost:4000').anonymous).toBeDefined();
    expect(context({}).anonymous).toBeDefined();
  });

  describe.each([
    ['by default', [], {}, /^This is the default address: set the address of your platform with --url or PLATFORM_URL/],
    ['--url', ['--url', URL], { PLATFORM_URL: 'http://localhost:1' }, /which comes from --url\.$/],
    ['PLATFORM_URL', [], { PLATFORM_URL: URL }, /which comes from PLATFORM_URL\.$/],
    [
      'a clone where none runs',
      [],
      { PLATFORM_CLONE_URL: '' },
      /^No platform runs from this repository\. Start it with `npm start`\.$/,
    ],
    [
      'a clone where one runs',
      [],
      { PLATFORM_URL: URL, PLATFORM_CLONE_URL: URL },
      /^This platform runs from this repository/,
    ],
    [
      'another than that of the clone',
      [],
      { PLATFORM_URL: URL, PLATFORM_CLONE_URL: '' },
      /which comes from PLATFORM_URL\.$/,
    ],
    ['--url in a clone', ['--url', URL], { PLATFORM_URL: URL, PLATFORM_CLONE_URL: URL }, /which comes from --url\.$/],
  ])('where nobody answers at an address that comes from %s', (_what, options, env, hint) => {
    const { env: former } = process;
    beforeEach(() => {
      process.env = { ...former };
      delete process.env['PLATFORM_URL'];
      delete process.env['PLATFORM_CLONE_URL'];
      Object.assign(process.env, env);
    });
    afterEach(() => (process.env = former));

    it('says so', () => {
      let settings = resolveSettings({}, {});
      const program = createProgram((command) => {
        ({ settings } = contextFactory(new Interruption())(command));
        throw new CommandError('Read.');
      });
      expect(() => program.parse(['doctor', ...options], { from: 'user' })).toThrow('Read.');
      const { message } = describeFailure(new ConnectionError('unreachable', 'Cannot be reached.'), settings);
      expect(message.replace(/^Cannot be reached\. /, '')).toMatch(hint);
      expect(describeFailure(new ConnectionError('timeout', 'Too slow.'), settings).message).toBe('Too slow.');
    });
  });

  it('says whose scope is missing', () => {
    const refused = (message: string) => new ApiError(message, { status: 403, code: 'insufficient_scope' });
    const ofKey = (message: string) =>
      describeAt(refused(message), undefined, { PLATFORM_API_KEY: 'cp_live_k' }).message;
    expect(describeAt(refused('Missing required scope: apps:read')).message).toBe('Missing required scope: apps:read');
    for (const whose of ['The API key does not have it.', 'The API key has it, but its owner does not.']) {
      expect(ofKey(`Missing required scope: apps:read. ${whose}`)).toBe(
        `Missing required scope: apps:read. ${whose} The key comes from PLATFORM_API_KEY; docs/cli.md lists the scopes of each command.`,
      );
    }
  });

  it('prints nothing that acts on the terminal', () => {
    expect(describeAt(new ApiError('a\u001b[2Jb', { status: 400, code: 'x' })).message).toBe('a[2Jb');
  });
});

describe('a failure, for a program', () => {
  const json = (error: unknown): unknown => JSON.parse(failureJson(error, describeAt(error)));

  it.each([
    ['nobody signed in', new SignedOutError('no_tokens'), { code: 'not_signed_in', exit_code: 3 }],
    [
      'a refusal',
      new ApiError('No.', { status: 429, code: 'rate_limited', retryAfterSeconds: 7, requestId: 'req_1' }),
      {
        code: 'rate_limited',
        exit_code: 1,
        status: 429,
        retry_after_seconds: 7,
        request_id: 'req_1',
        message: 'No. (Try again in 7 s.)',
      },
    ],
    [
      'what a refusal says beside its message',
      new ApiError('No.', {
        status: 402,
        code: 'wallet.insufficient',
        detail: { price: 20, balance: 5, exit_code: 0, message: 'x' },
      }),
      { code: 'wallet.insufficient', exit_code: 1, status: 402, message: 'No.', price: 20, balance: 5 },
    ],
    ['no answer', new ConnectionError('timeout', 'Too slow.'), { code: 'timeout', exit_code: 1 }],
    ['wrong usage', new CommandError('Add --yes.', 2), { code: 'usage', exit_code: 2, message: 'Add --yes.' }],
    [
      'issues',
      new CommandError('a\nb', 1, { code: 'invalid_app', details: { issues: [1] } }),
      { code: 'invalid_app', issues: [1] },
    ],
    [
      'a file system',
      Object.assign(new Error('ENOSPC: no space'), { syscall: 'write' }),
      { code: 'file_system', exit_code: 1 },
    ],
    ['a bug', new TypeError('x is not a function'), { code: 'internal', exit_code: 1 }],
  ])('has one shape and stands in one line: %s', (_what, error, expected) => {
    expect(json(error)).toEqual({ error: expect.objectContaining({ message: expect.any(String), ...expected }) });
    expect(failureJson(error, describeAt(error))).not.toContain('\n');
  });
});
