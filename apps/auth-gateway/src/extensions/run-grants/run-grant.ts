import { throughApps, type GivenKey, type Narrowing } from '@platform/guards';
import { equalDigests, type Keyring } from '@platform/platform';

export const RUN_KINDS = ['function', 'webhook', 'schedule', 'event'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** What a run grant says: for whom a run of an app's version may ask the gateway, and until when. */
export interface RunGrant {
  runId: string;
  appId: string;
  version: string;
  /** Of the canonical document, in hexadecimal. */
  sha256: string;
  kind: RunKind;
  tenantId: string;
  /** Null for a run of no user. */
  userId: string | null;
  /** Those that the run was given; none for a run of no user. Whoever uses the grant may do no more than the user may by then. */
  scopes: readonly string[];
  /** What the user's credential was given, as the scopes of an API key; null where that is all that the user holds. */
  narrowing: readonly string[] | null;
  /** The API key from whose call the run follows, and what it was given; null without one. */
  key: GivenKey | null;
  /** The apps that had what runs deployed, or led to the event or the rule that called it; absent where none did. */
  apps?: readonly string[];
  /** The functions that called each other to come here, as `app.function`, this run's own last. */
  chain: readonly string[];
  /** Of the events that the run publishes: how many handlers of events led to it. */
  hop: number;
  /** The task that the run is of; absent for a run that its caller waits for. */
  taskId?: string;
  /** The event that is handled. */
  eventId: string | null;
  /** It is told that its user has removed it: it reads its settings and asks whether that is so still; nothing else of the platform takes it. */
  isUninstalled?: true;
  /** Nobody is there: it began by itself, or follows from what did. What it spends counts for what the user lets be spent without them. */
  unattended?: true;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** As a grant says it, where a grant without a narrowing has no key and no apps either. */
export const narrowingIn = ({ narrowing, key, apps }: Pick<RunGrant, 'narrowing' | 'key' | 'apps'>): Narrowing | null =>
  narrowing && { scopes: narrowing, key, ...throughApps(apps ?? []) };

export const narrowingInGrant = (narrowing: Narrowing | null): Pick<RunGrant, 'narrowing' | 'key' | 'apps'> => ({
  narrowing: narrowing?.scopes ?? null,
  key: narrowing?.key ?? null,
  ...throughApps(narrowing?.apps ?? []),
});

/** For what a run leads to. A grant of a release that did not say it yet is of a run that began by itself, if of any kind but a function's. */
export const unattendedIn = ({ unattended, kind }: Pick<RunGrant, 'unattended' | 'kind'>): Pick<RunGrant, 'unattended'> =>
  unattended || kind !== 'function' ? { unattended: true } : {};

/** The apps from which what the run does follows, beside its own: those that called it, too. */
export function otherAppsIn({ appId, apps = [], chain }: Pick<RunGrant, 'appId' | 'apps' | 'chain'>): string[] {
  const called = chain.map((name) => name.slice(0, name.indexOf('.')));
  return [...new Set([...apps, ...called])].filter((other) => other !== appId);
}

const PURPOSE = 'run-grant';
/** Changes with the form of the content, so that nothing is read as what it was not meant to be. */
const PREFIX = 'rg1';
const FORMAT = /^rg1\.([a-z0-9]{1,16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** The content and its HMAC, by a key of this purpose. */
export function sealGrant(keyring: Keyring, grant: RunGrant): string {
  const body = `${PREFIX}.${keyring.currentId}.${Buffer.from(JSON.stringify(grant)).toString('base64url')}`;
  return `${body}.${(keyring.mac(PURPOSE, body) as Buffer).toString('base64url')}`;
}

/** Null for whatever was not made by `sealGrant`, to the letter. */
export function openGrant(keyring: Keyring, text: string): RunGrant | null {
  const [, keyId = '', content = '', mac = ''] = FORMAT.exec(text) ?? [];
  const expected = keyId ? keyring.mac(PURPOSE, `${PREFIX}.${keyId}.${content}`, keyId) : null;
  // As text: the last letter of an encoded MAC has bits that do not count.
  if (!expected || !equalDigests(Buffer.from(expected.toString('base64url')), Buffer.from(mac))) return null;
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as RunGrant;
}
