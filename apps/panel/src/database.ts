import type { Database } from '@platform/persistence';
import { PanelSessions1763800000000 } from './migrations/1763800000000-panel-sessions.js';
import { PanelSession } from './sessions/panel-session.entity.js';

/** Describes the database of the panel: its schema, its entities, and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'panel',
  poolSize,
  entities: [PanelSession],
  migrations: [PanelSessions1763800000000],
});
