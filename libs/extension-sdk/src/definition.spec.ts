import { documentOfDefinition } from './document.js';
import { defineEventHandler, defineExtension, defineFunction, result, Type } from './index.js';

const unused = (_value: unknown): void => undefined;

const extension = defineExtension({
  id: 'notes',
  version: '1.0.0',
  functions: {
    add_note: defineFunction({
      description: 'Keeps a note.',
      params: Type.Object({ text: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
      async run(params, ctx) {
        const text: string = params.text;
        const tags: string[] | undefined = params.tags;
        // @ts-expect-error unknown param
        unused(params.title);
        // @ts-expect-error only for handlers without a user
        unused(ctx.asUser);
        const note = await ctx.store.create('notes', { text, tags: tags ?? [] });
        // @ts-expect-error only for schedules
        unused(ctx.store.listUsers);
        return result({ data: { id: note.id }, summary: 'Noted.' });
      },
    }),
    count: { description: 'Counts.', run: async (_params, ctx) => ({ count: await ctx.store.count('notes') }) },
  },
  webhooks: {
    in: {
      async run(request, ctx) {
        // @ts-expect-error not for webhooks
        unused(ctx.notify);
        const { valid } = ctx.webhook.verify({ scheme: 'github', secret: await ctx.secrets.get('key') });
        return { status_code: valid ? 200 : 401, body: request.method };
      },
    },
  },
  schedules: { nightly: { cron: '@daily', run: async (tick, ctx) => ctx.store.listUsers(tick.name) } },
  events: {
    'tasks.added': defineEventHandler({
      data: Type.Object({ id: Type.String() }),
      async run(event, ctx) {
        const id: string = event.data.id;
        await ctx.store.set(`seen/${id}`, {});
        // @ts-expect-error only for schedules and users
        unused(ctx.notify);
      },
    }),
    'tasks.removed': { run: (event) => unused(event.data['id']) },
  },
});

it('is what it was given', () => {
  expect(Object.keys(extension.functions)).toEqual(['add_note', 'count']);
});

it('says in its document where it sends requests, where it says so itself', () => {
  const parts = { id: 'notes', version: '1.0.0' };
  expect(documentOfDefinition(defineExtension({ ...parts, hosts: ['a.example'] })).app.hosts).toEqual(['a.example']);
  expect(documentOfDefinition(defineExtension(parts)).app).not.toHaveProperty('hosts');
  expect(() => documentOfDefinition(defineExtension({ ...parts, hosts: ['https://a.example'] }))).toThrow('hosts.0: ');
});
