import { ExtensionError } from './extension-error.js';
import { MAX_DOCUMENT_BYTES } from './documents.js';

export const StoreErrors = {
  collectionInvalid: () =>
    new ExtensionError(
      'STORE_COLLECTION_INVALID',
      'The name of a collection must have 1 to 64 characters, without spaces and : * ? [ ] /',
    ),
  idInvalid: () =>
    new ExtensionError(
      'STORE_ID_INVALID',
      'The id of a document must have 1 to 128 characters, without "/" and control characters.',
    ),
  limitInvalid: (max: number) =>
    new ExtensionError('STORE_LIMIT_INVALID', `The limit must be a whole number from 1 to ${max}.`),
  orderInvalid: () =>
    new ExtensionError(
      'STORE_ORDER_INVALID',
      'Order by created_at, updated_at, id or a field of the data, with "-" in front for the reverse order.',
    ),
  idsInvalid: (max: number) =>
    new ExtensionError('STORE_IDS_INVALID', `"ids" must be a list with a length of at most ${max}.`),
  cursorInvalid: () =>
    new ExtensionError(
      'STORE_CURSOR_INVALID',
      'The cursor does not belong to this list. Start again without a cursor.',
    ),
  notFound: () => new ExtensionError('STORE_NOT_FOUND', 'This document does not exist.'),
  conflict: (currentEtag: string) =>
    new ExtensionError('STORE_CONFLICT', 'The document was changed in the meantime. Read it again and retry.', {
      details: { current_etag: currentEtag },
    }),
  tooLarge: () =>
    new ExtensionError('STORE_DOCUMENT_TOO_LARGE', `A document can have at most ${MAX_DOCUMENT_BYTES} bytes.`),
  full: () =>
    new ExtensionError('STORE_FULL', 'The storage of the app is full. Delete documents that are no longer needed.'),
  eventIdInvalid: () => new ExtensionError('EVENT_ID_INVALID', 'The id of an event must have 1 to 255 characters.'),
  retentionInvalid: () =>
    new ExtensionError('EVENT_RETENTION_INVALID', 'The retention of an event must be from 60 seconds to 30 days.'),
  eventInProgress: () =>
    new ExtensionError('EVENT_IN_PROGRESS', 'Another run is processing this event. Try again later.', {
      retryable: true,
    }),
};
