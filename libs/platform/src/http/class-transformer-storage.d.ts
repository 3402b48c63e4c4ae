/** What `@Type` and `@Transform` have noted of each class. class-transformer has types for it under another path only. */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
  export const defaultMetadataStorage: MetadataStorage;
}
