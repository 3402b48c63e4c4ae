import { ExtensionError } from './extension-error.js';
import { MAX_DOCUMENT_BYTES } from './documents.js';

export const StoreErrors = {
  collectionInvalid: () =>
    new ExtensionError('STORE_COLLECTION_INVALID', 'The name of a collection has 1 to 64 characters and none of : * ? [ ] / nor spaces.'),
  idInvalid: () =>
    new ExtensionError('STORE_ID_INVALID', 'The id of a document has 1 to 128 characters and none of / nor control characters.'),
  limitInvalid: (max: number) => new ExtensionError('STORE_LIMIT_INVALID', `The limit is a whole number from 1 to ${max}.`),
  orderInvalid: () =>
    new ExtensionError(
      'STORE_ORDER_INVALID',
      'Order by created_at, updated_at, id or a field of the data, with "-" before it for the reverse.',
    ),
  idsInvalid: (max: number) => new ExtensionError('STORE_IDS_INVALID', `The ids are a list of at most ${max}.`),
  cursorInvalid: () => new ExtensionError('STORE_CURSOR_INVALID', 'The cursor is not one of this list.'),
  notFound: () => new ExtensionError('STORE_NOT_FOUND', 'There is no such document.'),
  conflict: (currentEtag: string) =>
    new ExtensionError('STORE_CONFLICT', 'The document was changed in the meantime.', { details: { current_etag: currentEtag } }),
  tooLarge: () => new ExtensionError('STORE_DOCUMENT_TOO_LARGE', `A document has at most ${MAX_DOCUMENT_BYTES} bytes.`),
  full: () => new ExtensionError('STORE_FULL', 'The app keeps as much as it may. Delete what is no longer needed.'),
  eventIdInvalid: () => new ExtensionError('EVENT_ID_INVALID', 'The id of an event has 1 to 255 characters.'),
  retentionInvalid: () => new ExtensionError('EVENT_RETENTION_INVALID', 'An event is remembered from a minute to 30 days.'),
  eventInProgress: () =>
    new ExtensionError('EVENT_IN_PROGRESS', 'Another run is at this event. Try again when it is done.', { retryable: true }),
};
