/**
 * Storage of the decorators `@Type` and `@Transform`. class-transformer has its types only under
 * another path.
 */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
  export const defaultMetadataStorage: MetadataStorage;
}
