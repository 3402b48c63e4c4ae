import { CreateOutbox } from '@platform/persistence';

/** Creates a table only, so it is safe beside running code. */
export class Outbox1764100000001 extends CreateOutbox {
  name = 'Outbox1764100000001';
}
