import { CreateSeenWorkers } from '@platform/persistence';

/** When workers were last at work, so that `/readyz` can say that none is. Creates a table only, so it is safe beside running code. */
export class SeenWorkers1764502000100 extends CreateSeenWorkers {
  name = 'SeenWorkers1764502000100';
}
