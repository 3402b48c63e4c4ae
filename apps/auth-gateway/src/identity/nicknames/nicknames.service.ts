import { Injectable } from '@nestjs/common';
import type { NicknameBody, NicknameResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { onViolation, TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { findNicknameRefusal } from './reserved-nicknames.js';
import { NicknameErrors } from './nicknames.errors.js';

/** Names under which developers publish apps. Unique on the platform. */
@Injectable()
export class NicknamesService {
  constructor(private readonly dataSource: DataSource) {}

  getNickname({ tenantId, userId }: UserCaller): Promise<NicknameResponse> {
    return findNickname(new TenantData(this.dataSource.manager, tenantId), userId);
  }

  /**
   * Sets the nickname of the user, in place of an earlier one.
   *
   * @throws AppError 400 `nickname.reserved` if it could be mistaken for a part of the platform;
   * 409 `nickname.taken` if another user of the platform has it.
   */
  async setNickname(user: UserCaller, { nickname }: NicknameBody): Promise<NicknameResponse> {
    if (findNicknameRefusal(nickname)) throw NicknameErrors.reserved();
    await this.dataSource.transaction((em) =>
      setNickname(new TenantData(em, user.tenantId), user.userId, nickname, NicknameErrors.taken),
    );
    return { nickname };
  }
}

export async function findNickname(tenant: TenantData, userId: string): Promise<NicknameResponse> {
  const [row] = await tenant.query<NicknameResponse>(
    'SELECT nickname FROM users WHERE tenant_id = $tenant AND id = $1',
    [userId],
  );
  return { nickname: row?.nickname ?? null };
}

/**
 * Sets the nickname of a user; the unique key decides between concurrent requests. Does nothing for
 * a deleted account. Safe to retry: setting the same name again changes nothing. The audit entry
 * does not contain the name, because it is personal data.
 *
 * @throws the error of `taken` if another user of the platform has the nickname.
 */
export async function setNickname(
  tenant: TenantData,
  userId: string,
  nickname: string,
  taken: () => Error,
): Promise<void> {
  const changed = await tenant
    .query(
      'UPDATE users SET nickname = $2 WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL AND nickname IS DISTINCT FROM $2 RETURNING id',
      [userId, nickname],
    )
    .catch(onViolation('users_nickname_key', taken));
  if (!changed.length) return;
  await recordAudit(tenant.em, {
    action: 'user.nickname_set',
    target: { type: 'user', id: userId },
    tenantId: tenant.tenantId,
  });
}
