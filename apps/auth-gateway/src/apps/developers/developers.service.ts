import { EarningsRepository } from '@platform/billing';
import { Inject, Injectable } from '@nestjs/common';
import type {
  DeveloperProfileResponse,
  DeveloperRegisterRequest,
  DeveloperRegistrationResponse,
} from '@platform/contracts';
import { isProgram, type UserCaller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { columns, TenantData, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { User } from '../../identity/accounts/user.entity.js';
import { Developer, type DeveloperTier } from './developer.entity.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { findNicknameRefusal } from '../../identity/nicknames/reserved-nicknames.js';
import { CONFIG, type Config } from '../../config.js';
import { findNickname, setNickname } from '../../identity/nicknames/nicknames.service.js';
import { USER_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import { assertTierAvailable, FREE_TIER, getTierPrice } from './developer-tiers.js';
import { DeveloperErrors } from './developers.errors.js';
import { suggestHandles } from './handles.js';
import { lockDeveloper } from './lock-developer.js';
import { TierFeesService } from './tier-fees.service.js';
import { startTierYear } from './tier-terms.js';

const USER_COLUMNS = columns(User, ['id AS platform_id', 'email', 'nickname'], 'u');
const DEVELOPER_COLUMNS = columns(
  Developer,
  ['displayName', 'website', 'description', 'tier', 'tierExpiresAt', 'registeredAt'],
  'd',
);
type ProfileRow = RowOf<typeof USER_COLUMNS> &
  RowOf<typeof DEVELOPER_COLUMNS> &
  Pick<DeveloperProfileResponse, 'apps_count'>;
const REGISTERED = columns(Developer, ['tier', 'registeredAt']);

@Injectable()
export class DevelopersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly broadcast: BroadcastService,
    private readonly fees: TierFeesService,
    private readonly earnings: EarningsRepository,
    @Inject(CONFIG) private readonly config: Config,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep(deleteDeveloperData);
  }

  /**
   * Registers the caller as a developer. A requested nickname must be free. Without one, the user
   * keeps their nickname or gets one made from the display name. A paid tier is charged for a year
   * in the same transaction.
   *
   * @throws AppError 400 `developer.already_registered`, also for a deleted user; 400
   * `developer.nickname_taken`, `developer.nickname_reserved` or `developer.nickname_invalid`; 402
   * if the wallet cannot pay; 403 `developer.tier_by_administrator`, or `session_required` for a
   * paid tier with an API key, an app or a command line; 409 `wallet.closed`; ValidationFailed
   * without a display name and a nickname.
   */
  async registerDeveloper(user: UserCaller, request: DeveloperRegisterRequest): Promise<DeveloperRegistrationResponse> {
    const { nickname, tier } = request;
    const displayName = request.display_name ?? nickname;
    if (typeof displayName !== 'string') throw DeveloperErrors.nameRequired();
    assertTierAvailable(tier ?? FREE_TIER, FREE_TIER);
    if (tier && getTierPrice(tier) && isProgram(user)) throw DeveloperErrors.tierInPerson(tier);
    for (const handle of typeof nickname === 'string' ? [nickname] : suggestHandles(displayName)) {
      const registration = await this.insertDeveloper(user, displayName, handle, request).catch(nullIfTaken);
      if (!registration) continue;
      await this.broadcast.publish(USER_CHANGED, [user.userId]);
      return registration;
    }
    throw DeveloperErrors.nicknameTaken();
  }

  /**
   * Returns the developer profile of the caller.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer.
   */
  async getDeveloperProfile({ userId }: UserCaller): Promise<DeveloperProfileResponse> {
    const [row] = await this.dataSource.query<ProfileRow[]>(
      `SELECT ${USER_COLUMNS}, ${DEVELOPER_COLUMNS},
         (SELECT count(*)::integer FROM apps a WHERE a.developer_id = d.user_id) AS apps_count
       FROM developers d JOIN users u ON u.id = d.user_id WHERE d.user_id = $1`,
      [userId],
    );
    if (!row) throw DeveloperErrors.notRegistered();
    const { earned } = await this.earnings.getDeveloperEarnings(userId);
    return { ...row, max_apps: this.config.DEVELOPER_TIER_LIMITS[row.tier].max_apps, total_earnings: earned };
  }

  private insertDeveloper(
    { userId, tenantId }: UserCaller,
    displayName: string,
    handle: string,
    { website = null, description, nickname, tier }: DeveloperRegisterRequest,
  ): Promise<DeveloperRegistrationResponse> {
    return this.dataSource.transaction(async (em) => {
      // FOR UPDATE, like `setNickname` later: two concurrent requests with a weaker lock would
      // deadlock.
      const [developer] = await em.query<RowOf<typeof REGISTERED>[]>(
        `INSERT INTO developers (user_id, display_name, website, description)
         SELECT id, $2, $3, $4 FROM users WHERE id = $1 AND erased_at IS NULL FOR UPDATE
         ON CONFLICT DO NOTHING RETURNING ${REGISTERED}`,
        [userId, displayName, website, description ?? ''],
      );
      if (!developer) throw DeveloperErrors.alreadyRegistered();
      const after = { tier: developer.tier };
      await recordAudit(em, {
        action: 'developer.registered',
        target: { type: 'developer', id: userId },
        tenantId,
        after,
      });
      const tenant = new TenantData(em, tenantId);
      const registered = {
        ...developer,
        nickname: await (typeof nickname === 'string' ? takeNickname : ensureNickname)(tenant, userId, handle),
      };
      if (!tier || !getTierPrice(tier)) return { ...registered, tier_expires_at: null };
      return { ...registered, tier, tier_expires_at: await this.payFirstYear(em, userId, tier) };
    });
  }

  private async payFirstYear(em: EntityManager, userId: string, tier: DeveloperTier): Promise<Date> {
    const before = await lockDeveloper(em, userId);
    if (!before) throw DeveloperErrors.notRegistered();
    const term = before.tier_term + 1;
    await this.fees.chargeFee(em, userId, tier, term);
    return startTierYear(em, { userId, before, tier, term });
  }
}

async function deleteDeveloperData(tenant: TenantData, userId: string): Promise<void> {
  await tenant.query(
    `UPDATE developers SET display_name = '', website = NULL, description = '', tier_expires_at = NULL
     WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)`,
    [userId],
  );
}

async function takeNickname(tenant: TenantData, userId: string, nickname: string): Promise<string> {
  const refusal = findNicknameRefusal(nickname);
  if (refusal) throw refusal === 'invalid' ? DeveloperErrors.nicknameInvalid() : DeveloperErrors.nicknameReserved();
  await setNickname(tenant, userId, nickname, () => new NicknameTaken());
  return nickname;
}

/**
 * Returns the user's nickname. A user without one gets `handle` as their nickname.
 *
 * @throws NicknameTaken if another user has the handle.
 */
async function ensureNickname(tenant: TenantData, userId: string, handle: string): Promise<string> {
  const { nickname } = await findNickname(tenant, userId);
  return nickname ?? takeNickname(tenant, userId, handle);
}

/**
 * Another user has the nickname. It rolls back the transaction, so that another one can be tried.
 */
class NicknameTaken extends Error {}

const nullIfTaken = (error: unknown): null => {
  if (error instanceof NicknameTaken) return null;
  throw error;
};
