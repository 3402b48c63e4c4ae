import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { UserBillingProfile } from './user-billing-profile.entity.js';

export const PROFILE_FIELDS = ['name', 'company', 'vat', 'country'] as const;
const FIELDS = columns(UserBillingProfile, PROFILE_FIELDS);
/** Recipient of a user's invoices. */
export type ProfileFields = RowOf<typeof FIELDS>;

export interface ProfileChange {
  profile: ProfileFields;
  changed: (keyof ProfileFields)[];
}

const NOTHING: ProfileFields = { name: null, company: null, vat: null, country: null };

/** Recipients of users' invoices. */
@Injectable()
export class BillingProfilesRepository {
  /**
   * Changes the given fields of the user's billing profile; null clears a field. Call it first in
   * the transaction: it locks the user, so that simultaneous changes are not lost.
   *
   * @returns the new profile and the fields that changed; null for a deleted user.
   */
  async updateProfile(
    tenant: TenantData,
    userId: string,
    changes: Partial<ProfileFields>,
  ): Promise<ProfileChange | null> {
    const [user] = await tenant.query(
      'SELECT FROM users WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
      [userId],
    );
    if (!user) return null;
    const [known] = await tenant.query<ProfileFields>(
      `SELECT ${FIELDS} FROM billing_profiles WHERE tenant_id = $tenant AND user_id = $1`,
      [userId],
    );
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
  /** Deletes the profile during account deletion. Invoices keep their copy. */
  async deleteProfile(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query('DELETE FROM billing_profiles WHERE tenant_id = $tenant AND user_id = $1', [userId]);
  }
}
