import type { Database } from '@platform/persistence';
import { PanelBaseline1764700000000 } from './migrations/1764700000000-baseline.js';
import { PanelSession } from './sessions/panel-session.entity.js';

/** Describes the database of the panel: its schema, its entities, and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'panel',
  poolSize,
  entities: [PanelSession],
  migrations: [PanelBaseline1764700000000],
});
