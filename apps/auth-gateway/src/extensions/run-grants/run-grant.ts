import { appsNarrowing, type OriginKey, type Narrowing } from '@platform/guards';
import { equalDigests, type Keyring } from '@platform/platform';

export const RUN_KINDS = ['function', 'webhook', 'schedule', 'event'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Content of a run grant. It proves to the gateway for which user a run of an app's version acts,
 * with which permissions, and until when.
 */
export interface RunGrant {
  runId: string;
  appId: string;
  version: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  sha256: string;
  kind: RunKind;
  tenantId: string;
  /** Null for a run without a user. */
  userId: string | null;
  /**
   * Scopes given to the run; none without a user. At each use, only those that the user still holds
   * count.
   */
  scopes: readonly string[];
  /**
   * Scopes of the user's credential, such as of an API key; null if the credential has all scopes
   * of the user.
   */
  narrowing: readonly string[] | null;
  /** API key that led to the run, with its scopes; null without one. */
  key: OriginKey | null;
  /**
   * Apps that deployed this version, or led to the event or rule that started the run; absent if
   * there are none.
   */
  apps?: readonly string[];
  /**
   * Functions that called each other up to this run, as `app.function`. The last one is this run.
   */
  chain: readonly string[];
  /** Hop count of events that the run publishes: the number of event handlers that led to it. */
  hop: number;
  /** Task of the run; absent if the caller waits for the run. */
  taskId?: string;
  /** Event that the run handles; null for other kinds. */
  eventId: string | null;
  /**
   * True if the run tells the app that its user has removed it. The run can read its settings and
   * check that the removal still holds; everything else on the platform refuses it.
   */
  isUninstalled?: true;
  /**
   * True if the run started in the background, or follows from a run that did. It spends from the
   * user's limit for unattended runs.
   */
  unattended?: true;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Returns the permission limit that a grant states; null if it states none. A grant without
 * `narrowing` has no key and no apps.
 */
export const narrowingOfGrant = ({
  narrowing,
  key,
  apps,
}: Pick<RunGrant, 'narrowing' | 'key' | 'apps'>): Narrowing | null =>
  narrowing && { scopes: narrowing, key, ...appsNarrowing(apps ?? []) };

export const toGrantNarrowing = (narrowing: Narrowing | null): Pick<RunGrant, 'narrowing' | 'key' | 'apps'> => ({
  narrowing: narrowing?.scopes ?? null,
  key: narrowing?.key ?? null,
  ...appsNarrowing(narrowing?.apps ?? []),
});

/**
 * Returns the IDs of all apps behind a run except the app that runs: those in `apps`, which
 * deployed the version or led to the event or rule that started the run, and those in `chain`,
 * whose functions called each other up to the run.
 */
export function otherAppsOfGrant({ appId, apps = [], chain }: Pick<RunGrant, 'appId' | 'apps' | 'chain'>): string[] {
  const called = chain.map((name) => name.slice(0, name.indexOf('.')));
  return [...new Set([...apps, ...called])].filter((other) => other !== appId);
}

const PURPOSE = 'run-grant';
/** Changes with the format of the content, so that a grant is never read in a wrong format. */
const PREFIX = 'rg1';
const FORMAT = /^rg1\.([a-z0-9]{1,16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/**
 * Returns the grant as text, with an HMAC that proves that the gateway made it. The HMAC key serves
 * this purpose only.
 */
export function sealGrant(keyring: Keyring, grant: RunGrant): string {
  const body = `${PREFIX}.${keyring.currentId}.${Buffer.from(JSON.stringify(grant)).toString('base64url')}`;
  return `${body}.${(keyring.mac(PURPOSE, body) as Buffer).toString('base64url')}`;
}

/**
 * Reads a text that `sealGrant` made. Null if the text differs from that in any character, or if
 * the keyring no longer has its key.
 */
export function openGrant(keyring: Keyring, text: string): RunGrant | null {
  const [, keyId = '', content = '', mac = ''] = FORMAT.exec(text) ?? [];
  const expected = keyId ? keyring.mac(PURPOSE, `${PREFIX}.${keyId}.${content}`, keyId) : null;
  // Compares text: the last character of an encoded MAC has unused bits, so several texts decode to
  // the same bytes.
  if (!expected || !equalDigests(Buffer.from(expected.toString('base64url')), Buffer.from(mac))) return null;
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as RunGrant;
}
