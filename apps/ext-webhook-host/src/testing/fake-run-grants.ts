import { Keyring, newId } from '@platform/platform';
import { randomBytes } from 'node:crypto';

/** Content of a grant. */
export interface GrantFacts {
  run_id: string;
  app_id: string;
  version: string;
  sha256: string;
  kind: 'function' | 'webhook' | 'schedule' | 'event';
  tenant_id: string;
  user_id: string | null;
  scopes: string[];
  chain: string[];
  hop: number;
  event_id: string | null;
  /** Milliseconds since 1970. */
  expires: number;
}

export type Refusal = 'run_grant.invalid' | 'run_grant.expired' | 'run_grant.ended';

const PURPOSE = 'run-grant';
const LIFE_MS = 60_000;

/** Makes grants that only it can open, like the gateway. */
export class FakeRunGrants {
  /** Ids of runs that have ended. */
  readonly ended = new Set<string>();
  private keyring = newKeyring();

  createGrant(
    facts: Pick<GrantFacts, 'app_id' | 'version' | 'sha256' | 'kind' | 'tenant_id'> & Partial<GrantFacts>,
  ): GrantFacts & { grant: string } {
    const complete: GrantFacts = {
      ...{
        run_id: newId('run'),
        user_id: null,
        scopes: [],
        chain: [],
        hop: 0,
        event_id: null,
        expires: Date.now() + LIFE_MS,
      },
      ...facts,
    };
    return { ...complete, grant: this.keyring.seal(PURPOSE, JSON.stringify(complete)) };
  }

  /**
   * Content of a grant, or the reason for refusing it. `isLate`: also accepts, for a day, a grant
   * that has expired or belongs to an ended run.
   */
  openGrant(grant: unknown, { isLate = false } = {}): GrantFacts | Refusal {
    const facts = this.opened(grant);
    if (!facts) return 'run_grant.invalid';
    if (isLate) return Date.now() - facts.expires > 24 * 3_600_000 ? 'run_grant.expired' : facts;
    if (facts.expires < Date.now()) return 'run_grant.expired';
    return this.ended.has(facts.run_id) ? 'run_grant.ended' : facts;
  }

  /** Makes all earlier grants invalid. */
  changeKey(): void {
    this.keyring = newKeyring();
  }

  private opened(grant: unknown): GrantFacts | null {
    try {
      return JSON.parse(this.keyring.open(PURPOSE, String(grant))) as GrantFacts;
    } catch {
      return null;
    }
  }
}

const newKeyring = () => new Keyring(new Map([['k1', randomBytes(32)]]));
