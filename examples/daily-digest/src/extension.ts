import { defineExtension, defineFunction, result, Type } from '@platform/extension-sdk';

const ITEMS = 'items';

export default defineExtension({
  id: 'daily-digest',
  version: '1.0.0',
  name: 'Daily digest',
  description: 'Collects notes during the day and sends them in one message in the morning.',
  settings: {
    'digest.max_items': { type: 'integer', title: 'Most items in a digest', default: 20 },
  },
  functions: {
    add_item: defineFunction({
      description: 'Adds an item to the next digest.',
      actionType: 'write',
      params: Type.Object({ text: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
      async run({ text }, ctx) {
        const { id } = await ctx.store.create(ITEMS, { text });
        return result({ data: { id }, summary: 'It will be in the next digest.' });
      },
    }),
    list_items: {
      description: 'Lists the items of the next digest, oldest first.',
      actionType: 'read',
      async run(_params, ctx) {
        const { data, total } = await ctx.store.query(ITEMS, { orderBy: 'created_at' });
        return result({
          data: data.map((item) => ({ id: item.id, text: item.data['text'] as string })),
          summary: `Items: ${total}`,
        });
      },
    },
  },
  schedules: {
    digest: {
      description: 'Sends each user the items that they have collected.',
      cron: '0 7 * * *',
      forEachUser: ITEMS,
      async run({ user_id: userId }, ctx) {
        if (userId === null) return;
        const store = ctx.store.forUser(userId);
        const limit = Number(await ctx.config.get('digest.max_items', 20));
        const { data: items } = await store.query(ITEMS, { orderBy: 'created_at', limit });
        if (!items.length) return;
        const lines = items.map(({ data }) => `• ${String(data['text'])}`);
        await ctx.notify.forUser(userId).send({ message: lines.join('\n'), subject: 'Your digest' });
        // Deletes the items last: a failed run is repeated, and has to find the items that were not
        // sent.
        await store.deleteMany(ITEMS, { ids: items.map(({ id }) => id) });
      },
    },
  },
});
