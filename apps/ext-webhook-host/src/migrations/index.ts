import { ExtensionData1764100000000 } from './1764100000000-extension-data.js';
import { Outbox1764100000001 } from './1764100000001-outbox.js';
import { Runs1764200000000 } from './1764200000000-runs.js';
import { WebhookInbox1764210000000 } from './1764210000000-webhook-inbox.js';
import { EventsAndSchedules1764330000000 } from './1764330000000-events-and-schedules.js';
import { OnceAcrossAttempts1764400000000 } from './1764400000000-once-across-attempts.js';
import { EventBacklogs1764400000001 } from './1764400000001-event-backlogs.js';
import { RunGrants1764407000000 } from './1764407000000-run-grants.js';
import { DroppedEvents1764410003000 } from './1764410003000-dropped-events.js';
import { EventUsage1764414001000 } from './1764414001000-event-usage.js';
import { PostedByAnyRelease1764415000100 } from './1764415000100-posted-by-any-release.js';
import { WebhookChannels1764419200000 } from './1764419200000-webhook-channels.js';
import { SecretAccesses1764419400000 } from './1764419400000-secret-accesses.js';
import { SeenWorkers1764502000100 } from './1764502000100-seen-workers.js';
import { PurgeIndexes1764520000100 } from './1764520000100-purge-indexes.js';
import { HostsOfVersions1764530000100 } from './1764530000100-hosts-of-versions.js';
import { CountedInOrder1764550000100 } from './1764550000100-counted-in-order.js';
import { MembersOfVersions1764560000100 } from './1764560000100-members-of-versions.js';
import { SharedOutbox1764570000200 } from './1764570000200-shared-outbox.js';
import { CapabilitiesOfVersions1764580000100 } from './1764580000100-capabilities-of-versions.js';

/** Migrations from the time before features had their own. Add none here: a new one goes into `<feature>/migrations/` and `<feature>.schema.ts`. */
export const earlierMigrations = [
  ExtensionData1764100000000,
  Outbox1764100000001,
  Runs1764200000000,
  WebhookInbox1764210000000,
  EventsAndSchedules1764330000000,
  OnceAcrossAttempts1764400000000,
  EventBacklogs1764400000001,
  RunGrants1764407000000,
  DroppedEvents1764410003000,
  EventUsage1764414001000,
  PostedByAnyRelease1764415000100,
  WebhookChannels1764419200000,
  SecretAccesses1764419400000,
  SeenWorkers1764502000100,
  PurgeIndexes1764520000100,
  HostsOfVersions1764530000100,
  CountedInOrder1764550000100,
  MembersOfVersions1764560000100,
  SharedOutbox1764570000200,
  CapabilitiesOfVersions1764580000100,
];
