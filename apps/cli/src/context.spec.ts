import { CredentialStore } from './credentials/credential-store.js';
import { CommandError } from './failures.js';
import { FakePlatform } from './testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  process.env['PLATFORM_API_KEY'] = 'cp_live_of_the_test';
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const REFUSED = 'This command needs a login, but PLATFORM_API_KEY is set. Unset it';

describe('what takes no API key', () => {
  it.each([
    'sessions',
    'sessions revoke ses_1',
    'sessions revoke-others',
    'keys',
    'keys create ci',
    'keys delete key_1',
    'review',
    'review show notes',
    'review approve notes 0.1.0',
    'review reject notes 0.1.0 --reason no',
    'admin create grace@example.com',
  ])('is not done as who is signed in while a key is set: %s', async (line) => {
    platform.storeLogin('ada@example.com');
    expect(await platform.run(...line.split(' '))).toEqual({
      exitCode: 2,
      message: `${REFUSED} to continue as ada@example.com.`,
    });
    expect([platform.asked, platform.printed, platform.noted]).toEqual([[], '', '']);
  });

  it('says how to sign in where nobody is, or who is cannot be read', async () => {
    const load = jest.spyOn(CredentialStore.prototype, 'load').mockResolvedValue(undefined);
    const toSignIn = { exitCode: 2, message: `${REFUSED}, and run \`platform login --url ${platform.url}\`.` };
    expect(await platform.run('keys')).toEqual(toSignIn);
    load.mockRejectedValue(new CommandError('damaged'));
    expect(await platform.run('keys')).toEqual(toSignIn);
    const tokens = { accessToken: 'opaque', refreshToken: 'refresh', expiresAt: 0 };
    load.mockResolvedValue(tokens);
    expect(await platform.run('keys')).toEqual({
      exitCode: 2,
      message: `${REFUSED} to continue as the signed-in user.`,
    });
    expect(platform.asked).toEqual([]);
  });

  it('is done by who is signed in without a key', async () => {
    platform.signIn();
    platform.answer = () => [200, []];
    expect(await platform.run('keys')).toBeNull();
    expect(platform.asked.map(({ line }) => line)).toEqual(['GET /v1/keys']);
  });
});

it('works with the key where a command takes one, whoever is signed in', async () => {
  platform.storeLogin();
  platform.answer = () => [
    200,
    { other_apps_limit: null, other_apps_spent: 0, unattended_limit: 0, unattended_spent: 0 },
  ];
  expect(await platform.run('wallet', 'limits')).toBeNull();
  expect(platform.authorizations).toEqual(['Bearer cp_live_of_the_test']);
});
