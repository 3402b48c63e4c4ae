import type { Database } from '@platform/persistence';

/** The schema that this service owns: every entity and every migration, in order. */
export const database = (url: string, poolSize: number): Database => ({ url, schema: 'ext_host', poolSize, entities: [], migrations: [] });
