import type { JsonObject } from '@platform/app-document';
import { ExtensionError, type Selection, type StoredDocument } from '@platform/extension-sdk/runtime';
import { isNothing } from '../values/json-values.js';
import type { Params } from '../values/params.js';
import { StepErrors } from '../values/steps.errors.js';
import type { Actions } from './action.js';

export const storeActions: Actions = {
  'store.create': async ({ context }, params) => {
    const { id } = await context.store.create(params.name('kind'), params.object('data'));
    return { id };
  },
  'store.get': async ({ context }, params) => {
    const document = await context.store.get(params.name('kind'), params.name('id'));
    return { doc: document && fieldsOf(document) };
  },
  'store.list': async ({ context }, params) => {
    const { data, cursor } = await context.store.query(params.name('kind'), {
      ...filter(params),
      limit: params.optionalNumber('limit') ?? 100,
      orderBy: params.optionalText('order_by'),
      cursor: params.optionalText('cursor') ?? null,
    });
    return { docs: data.map(fieldsOf), ids: data.map(({ id }) => id), count: data.length, cursor };
  },
  'store.update': async ({ context: { store } }, params) => {
    const [collection, changes] = [params.name('kind'), params.object('set')];
    if (!params.has('id')) {
      const ids = await store.updateMany(collection, selection(params), changes);
      return { ids, count: ids.length };
    }
    try {
      const { id } = await store.update(collection, params.name('id'), changes);
      return { ids: [id], count: 1 };
    } catch (error) {
      if (error instanceof ExtensionError && error.code === 'STORE_NOT_FOUND') return { ids: [], count: 0 };
      throw error;
    }
  },
  'store.delete': async ({ context: { store } }, params) => {
    const collection = params.name('kind');
    if (params.has('id')) return { count: Number(await store.delete(collection, params.name('id'))) };
    return { count: (await store.deleteMany(collection, selection(params))).length };
  },
  'store.once': async ({ context }, params) => ({ first: await context.once(params.name('event_id')) }),
  'store.count': async ({ context }, params) => ({
    count: await context.store.count(params.name('kind'), filter(params)),
  }),
  'store.set': async ({ context }, params) => {
    const { id } = await context.store.set(`${params.name('kind')}/${params.name('id')}`, params.object('data'));
    return { id };
  },
};

/** Fields of a document. Its id and times are added unless it has fields of these names. */
const fieldsOf = ({ id, created_at, updated_at, data }: StoredDocument): JsonObject => ({
  id,
  created_at,
  updated_at,
  ...(data as JsonObject),
});

/**
 * Selection for a search. A param that is missing, or that a template left empty, filters nothing.
 */
const filter = (params: Params): Selection => ({
  where: params.optionalObject('where'),
  ids: isNothing(params.any('ids')) ? undefined : params.texts('ids'),
});

/**
 * Selection for a change: by `ids` if the step has this param, otherwise by `where`. A param that a
 * template left without a value must not select everything, so it is refused. An empty map in
 * `where` selects all documents; an empty list in `ids` selects none.
 *
 * @throws ExtensionError STEP_FAILED if the param is missing, null or an empty text, or has another
 * type than a list of texts (`ids`) or a map (`where`).
 */
function selection(params: Params): Selection {
  if (!params.has('ids')) return { where: params.object('where') };
  if (isNothing(params.any('ids'))) throw StepErrors.missing('ids');
  return { ids: params.texts('ids') };
}
