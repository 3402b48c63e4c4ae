import { Injectable } from '@nestjs/common';
import type { SetCasesUidResponse } from '@platform/contracts';
import type { Row } from '@platform/persistence';
import { DataSource } from 'typeorm';
import type { User } from '../accounts/user.entity.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { UserErrors } from '../accounts/users.errors.js';

/** Ids of users in the Cases API. */
@Injectable()
export class CasesUidsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores the id that the user has in the Cases API, a service outside of the platform, in place
   * of an earlier id.
   *
   * @throws AppError 404 `user.not_found` if the user does not exist, or the account was deleted.
   */
  async setCasesUid(userId: string, casesUserId: number): Promise<SetCasesUidResponse> {
    await this.dataSource.transaction(async (em) => {
      const [rows] = await em.query<[Row<User, 'tenantId'>[], number]>(
        'UPDATE users SET cases_user_id = $2 WHERE id = $1 AND erased_at IS NULL RETURNING tenant_id',
        [userId, casesUserId],
      );
      if (!rows[0]) throw UserErrors.notFound();
      const after = { cases_user_id: casesUserId };
      await recordAudit(em, {
        action: 'user.cases_uid_set',
        target: { type: 'user', id: userId },
        tenantId: rows[0].tenant_id,
        after,
      });
    });
    return { platform_id: userId, cases_user_id: casesUserId };
  }
}
