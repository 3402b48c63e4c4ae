import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { BillingProfile } from './billing-profile.entity.js';

export const PROFILE_FIELDS = ['name', 'company', 'vat', 'country'] as const;
const FIELDS = columns(BillingProfile, PROFILE_FIELDS);
/** To whom invoices of a user are made out. */
export type ProfileFields = RowOf<typeof FIELDS>;

export interface ChangedProfile {
  profile: ProfileFields;
  changed: (keyof ProfileFields)[];
}

const NOTHING: ProfileFields = { name: null, company: null, vat: null, country: null };

/** To whom the invoices of users are made out. */
@Injectable()
export class BillingProfiles {
  /**
   * Changes what `changes` names; null clears it. Returns what there is then, and what of it is another than before; null for a user who was erased. First in a
   * transaction: it locks the user, so that of two changes at once none is lost.
   */
  async change(tenant: TenantData, userId: string, changes: Partial<ProfileFields>): Promise<ChangedProfile | null> {
    const [user] = await tenant.query('SELECT FROM users WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', [
      userId,
    ]);
    if (!user) return null;
    const [known] = await tenant.query<ProfileFields>(`SELECT ${FIELDS} FROM billing_profiles WHERE tenant_id = $tenant AND user_id = $1`, [
      userId,
    ]);
    const before = known ?? NOTHING;
    const profile = { ...before, ...changes };
    const changed = PROFILE_FIELDS.filter((field) => profile[field] !== before[field]);
    if (!changed.length) return { profile: before, changed };
    const { name, company, vat, country } = profile;
    await tenant.query(
      `INSERT INTO billing_profiles AS p (user_id, tenant_id, name, company, vat, country, revision)
       VALUES ($1, $tenant, $2, $3, $4, $5, 1)
       ON CONFLICT (user_id) DO UPDATE SET name = $2, company = $3, vat = $4, country = $5, revision = p.revision + 1, updated_at = now()`,
      [userId, name, company, vat, country],
    );
    return { profile, changed };
  }
  /** For a user who is erased. Their invoices keep what it said. */
  async forget(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query('DELETE FROM billing_profiles WHERE tenant_id = $tenant AND user_id = $1', [userId]);
  }
}
