import { ShareOutbox } from '@platform/persistence';

/** See `ShareOutbox`. */
export class SharedOutbox1764570000100 extends ShareOutbox {
  name = 'SharedOutbox1764570000100';
}
