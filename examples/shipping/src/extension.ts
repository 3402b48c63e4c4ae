import { defineEventHandler, defineExtension, Type } from '@platform/extension-sdk';

export default defineExtension({
  id: 'shipping',
  version: '1.0.0',
  name: 'Shipping',
  description: 'Sends a parcel for each order placed in the app orders.',
  emits: {
    'shipping.parcel_sent': Type.Object({ order_id: Type.String(), parcel_id: Type.String() }),
  },
  functions: {
    list_parcels: {
      description: 'Lists the parcels, newest first.',
      actionType: 'read',
      async run(_params, ctx) {
        const { data } = await ctx.store.query('parcels', { orderBy: '-created_at' });
        return data.map((parcel) => ({ parcel_id: parcel.id, ...parcel.data }));
      },
    },
  },
  events: {
    'orders.placed': defineEventHandler({
      data: Type.Object({ order_id: Type.String(), item: Type.String() }),
      async run({ data: { order_id, item } }, ctx) {
        // Stores the parcel under the order's id: a repeated event creates no second parcel.
        const { id } = await ctx.store.set(`parcels/${order_id}`, { order_id, item });
        await ctx.extensions.emit('shipping.parcel_sent', { order_id, parcel_id: id });
      },
    }),
  },
});
