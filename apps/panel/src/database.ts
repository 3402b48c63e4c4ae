import type { Database } from '@platform/persistence';
import { PanelSessions1763800000000 } from './migrations/1763800000000-panel-sessions.js';
import { PanelSession } from './sessions/panel-session.entity.js';

/** Schema of the panel: its entities and its migrations in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'panel',
  poolSize,
  entities: [PanelSession],
  migrations: [PanelSessions1763800000000],
});
