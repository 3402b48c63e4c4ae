import { FakePlatform, type Answer, type Asked } from '../testing/fake-platform.js';

let platform: FakePlatform;
/** Null: the user is not a developer. */
let nickname: string | null;
let inMarketplace: Answer;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  platform.answer = answer;
  nickname = null;
  inMarketplace = [404, { detail: 'There is no such app.', code: 'app.not_found' }];
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

function answer({ line, body }: Asked): Answer {
  if (line === 'GET /v1/developer/profile') {
    return nickname === null
      ? [403, { detail: 'No developer.', code: 'developer.not_registered' }]
      : [200, { platform_id: 'usr_1', nickname }];
  }
  if (line === 'GET /v1/marketplace/apps/notes') return inMarketplace;
  if (line === 'POST /v1/developer/register') ({ nickname } = body as { nickname: string });
  return [201, { app_id: 'notes', nickname }];
}

const create = () => platform.run('apps', 'create', 'notes', '--nickname', 'ada');
const lines = () => platform.asked.map(({ line }) => line);

describe('whoever gives a nickname', () => {
  it('becomes a developer, of an id that is free', async () => {
    expect(await create()).toBeNull();
    expect(platform.noted).toBe('You are now registered as a developer with the nickname ada.\n');
    expect(lines()).toContain('POST /v1/developer/register');
  });

  it("does not, where the app is somebody else's", async () => {
    inMarketplace = [200, { app_id: 'notes' }];
    expect(await create()).toEqual({ message: 'The app_id "notes" is already in use.', exitCode: 1 });
    expect(lines()).toEqual(['GET /v1/developer/profile', 'GET /v1/marketplace/apps/notes']);
  });

  it('does not, where nobody can tell', async () => {
    inMarketplace = [503, { detail: 'Not now.', code: 'unavailable' }];
    expect(await create()).toMatchObject({ message: 'Not now.' });
    expect(lines()).not.toContain('POST /v1/developer/register');
  });

  it('does by an API key that may not look into the marketplace', async () => {
    inMarketplace = [403, { detail: 'Missing required scope: marketplace:read', code: 'insufficient_scope' }];
    expect(await create()).toBeNull();
    expect(lines()).toContain('POST /v1/developer/register');
  });

  it('hears that they have another one, and nothing where it is theirs', async () => {
    nickname = 'adax';
    expect(await create()).toBeNull();
    expect(platform.noted).toBe('You are already registered as the developer adax: --nickname is ignored.\n');
    platform.noted = '';
    nickname = 'ada';
    expect(await create()).toBeNull();
    expect(platform.noted).toBe('');
    expect(lines()).not.toContain('POST /v1/developer/register');
  });
});
