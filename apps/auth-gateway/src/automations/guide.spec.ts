import { KNOWN_EVENT_TYPES, type CallResponse, type RuleResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { readFileSync } from 'node:fs';
import { tool } from '../testing/apps.js';
import type { TestUser } from '../testing/gateway-test.js';
import { RegistryTest } from '../testing/registry-test.js';
import { createRegisteredApp } from '../testing/registered-apps.js';
import { SystemExtensionsRegistry } from '../extensions/calls/system-extensions.registry.js';

const page = readFileSync('docs/automations.md', 'utf8');
const blocks = (info: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${info}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
const prompts = blocks('prompt').flatMap((text) => text.trim().split('\n'));
const definitions = blocks('json').map((text) => JSON.parse(text) as object);

let platform: RegistryTest;
let admin: TestUser;
let client: TestClient;
beforeAll(async () => {
  platform = await RegistryTest.start();
  admin = await platform.gateway.user({ role: 'admin' });
  client = await platform.gateway.signIn(admin);
  const params_schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const tools = [tool('list_notes'), tool('add_note', { action_type: 'write', params_schema })];
  await createRegisteredApp(platform, { app_id: 'notes', tools, document: {} });
  expect((await client.post('/v1/marketplace/apps/notes/install', {})).status).toBe(200);
});
afterAll(() => platform.stop());

const create = async (params: object) => {
  const body = { user_id: admin.id, function: 'create_automation', params };
  const answer = await client.post<CallResponse>('/v1/extensions/automations/call', body);
  expect(answer.body.error).toBeNull();
  return answer.body.data as RuleResponse;
};

describe('docs/automations.md', () => {
  it.each(prompts)('shows a prompt that is understood: %s', async (prompt) => {
    expect(await create({ prompt })).toMatchObject({ prompt, status: 'active' });
  });

  it.each(definitions.map((definition): [string, object] => [JSON.stringify(definition).slice(0, 60), definition]))(
    'shows a rule by its parts: %s',
    async (_name, definition) => {
      expect(await create(definition)).toMatchObject(definition);
    },
  );

  it('has all of them', () => {
    expect(prompts.length).toBeGreaterThan(7);
    expect(definitions.length).toBeGreaterThan(1);
    for (const type of KNOWN_EVENT_TYPES) expect(page).toContain(`\`${type}\``);
    const functions = platform.gateway.service.app.get(SystemExtensionsRegistry).findFunctions('automations');
    for (const name of functions?.keys() ?? []) expect(page).toContain(`\`${name}\``);
  });
});
