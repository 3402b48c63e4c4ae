/** The source of an extension with one of everything. */
export const NOTES = `
import { defineEventHandler, defineExtension, defineFunction, ExtensionError, result, Type } from '@platform/extension-sdk';
import { shout } from './shout';

export default defineExtension({
  id: 'notes',
  version: '1.0.0',
  name: 'Notes',
  description: 'Keeps notes.',
  secrets: { github: { scope: 'app', writeMode: 'both', description: 'Of the webhook.' } },
  settings: { 'notes.limit': { type: 'integer', default: 10 } },
  emits: { 'notes.created': Type.Object({ id: Type.String() }), 'notes.forgotten': null },
  functions: {
    add_note: defineFunction({
      description: 'Keeps a note.',
      actionType: 'write',
      params: Type.Object({ text: Type.String({ minLength: 1 }), loud: Type.Optional(Type.Boolean()) }),
      async run({ text, loud }, ctx) {
        if ((await ctx.store.count('notes')) >= Number(await ctx.config.get('notes.limit'))) {
          throw new ExtensionError('NOTES_FULL', 'There are enough notes.');
        }
        const note = await ctx.store.create('notes', { text: loud ? shout(text) : text });
        await ctx.extensions.emit('notes.created', { id: note.id });
        return result({ data: { id: note.id }, summary: 'Noted.' });
      },
    }),
    'list-notes': {
      description: 'Lists the notes.',
      actionType: 'read',
      run: async (_params, ctx) => (await ctx.store.query('notes')).data.map(({ data }) => data.text),
    },
    list_notes: { description: 'The same.', run: (_params, ctx) => ctx.extensions.call('notes', 'list-notes') },
  },
  webhooks: {
    'github/push': {
      secretHeader: 'x-hub-signature-256',
      async run(request, ctx) {
        const { valid } = ctx.webhook.verify({ scheme: 'github', secret: await ctx.secrets.get('github') });
        return valid ? { body: { got: request.json } } : { status_code: 401 };
      },
    },
  },
  schedules: {
    nightly: {
      cron: '@daily',
      async run(_tick, ctx) {
        for (const user of (await ctx.store.listUsers('notes')).data) await ctx.notify.forUser(user).send({ message: 'Good night.' });
      },
    },
  },
  events: {
    'tasks.*': defineEventHandler({
      data: Type.Object({ title: Type.String() }),
      async run(event, ctx) {
        if (await ctx.once(event.event_id)) await ctx.store.create('notes', { text: event.data.title });
      },
    }),
  },
});
`;

export const SHOUT = `export const shout = (text: string): string => text.toUpperCase();\n`;
