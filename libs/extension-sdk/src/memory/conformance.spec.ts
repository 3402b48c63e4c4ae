import { parseAppDocument } from '@platform/app-document';
import { createTestContext } from '../testing.js';
import { defineExtension } from '../definition.js';
import { memoryContext, MemoryPlatform } from './memory-context.js';
import { CONFORMANCE_APP, SCENARIOS, type Begin } from '../testing/conformance.js';

const parsed = parseAppDocument({ app_id: 'notes', version: '1.0.0', ...CONFORMANCE_APP });

/** Contexts of a kind of handler, with the user that the test names. */
function contexts(): Begin {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { document } = parsed;
  const platform = new MemoryPlatform();
  const extension = defineExtension({ id: 'notes', version: '1.0.0' });
  return (kind = 'function', userId = 'usr_1') => {
    const identity = { webhook: '__webhook__', schedule: '__system__' }[kind as string];
    const user =
      identity === undefined ? { platform_id: userId } : { platform_id: identity, email: null, role: null, scopes: [] };
    const test = createTestContext({ extension, user });
    return memoryContext({
      document,
      kind,
      user: test.ctx.user,
      platform,
      effects: [],
      call: () => Promise.resolve(null),
    });
  };
}

it.each(SCENARIOS)('%s', async (_what, ask, expected) => {
  expect(await ask(contexts())).toEqual(expected);
});
