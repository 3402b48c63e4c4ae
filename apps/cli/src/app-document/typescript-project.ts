import type { ServedPackages } from '../platform-about.js';

/** A constant, since the build of the workspace would replace the name after `from` with a path. */
const SDK = '@platform/extension-sdk';

/**
 * Files of a small extension in TypeScript with a test, which can be deployed without changes. The
 * SDK is installed from its address on the platform. The `.npmrc` also sends all other packages of
 * the SDK's scope there: on the public registry, the scope belongs to somebody else.
 */
export const typescriptProject = (
  appId: string,
  name: string,
  { panel, sdk }: ServedPackages,
): Record<string, string> => ({
  'package.json': `${JSON.stringify(
    {
      name: appId,
      private: true,
      type: 'module',
      scripts: { test: 'tsc && node --test build/test/*.test.js' },
      devDependencies: { [SDK]: sdk.url, '@types/node': '>=20', typescript: '>=5.4' },
    },
    null,
    2,
  )}\n`,
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        target: 'ES2023',
        lib: ['ES2023'],
        module: 'NodeNext',
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        rootDir: '.',
        outDir: 'build',
      },
      include: ['src', 'test'],
    },
    null,
    2,
  )}\n`,
  'src/extension.ts': `import { defineExtension, defineFunction, result, Type } from '${SDK}';

export default defineExtension({
  id: '${appId}',
  version: '0.1.0',
  name: '${name}',
  description: 'Keeps notes for the people who install it.',
  functions: {
    add_note: defineFunction({
      description: 'Stores a note. list_notes returns it.',
      actionType: 'write',
      params: Type.Object({ text: Type.String({ description: 'Text of the note.', minLength: 1, maxLength: 500 }) }),
      async run({ text }, ctx) {
        const { id } = await ctx.store.create('notes', { text });
        return result({ data: { id }, summary: \`Noted: \${text}\` });
      },
    }),
    list_notes: {
      description: 'Lists the notes, newest first.',
      actionType: 'read',
      async run(_params, ctx) {
        const { data } = await ctx.store.query('notes', { orderBy: '-created_at', limit: 50 });
        return data.map((note) => ({ id: note.id, text: note.data['text'] }));
      },
    },
  },
});
`,
  'test/extension.test.ts': `import { createTestContext } from '${SDK}/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import extension from '../src/extension.js';

test('a note is found again', async () => {
  const notes = createTestContext({ extension });
  await notes.call('add_note', { text: 'Buy milk' });
  const { data } = await notes.call('list_notes');
  assert.equal((data as { text: string }[])[0]?.text, 'Buy milk');
});

test('a note without a text is refused', async () => {
  const notes = createTestContext({ extension });
  await assert.rejects(notes.call('add_note', { text: '' }), { code: 'VALIDATION_TYPE_ERROR' });
});
`,
  '.npmrc': `${SDK.split('/')[0]}:registry=${panel}/packages/\n`,
  '.gitignore': 'build/\nnode_modules/\n',
});
