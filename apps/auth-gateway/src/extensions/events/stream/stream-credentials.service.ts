import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ACCOUNT_IS_USABLE, SESSION_IS_ALIVE } from '../../../identity/sessions/signed-in-users.service.js';

/**
 * Credential with which a client follows events of a user. Without any field, a backend follows a
 * tenant.
 */
export interface StreamCredential {
  userId?: string | undefined;
  sessionId?: string | undefined;
  apiKeyId?: string | undefined;
}

/** The statement below must check each of these. */
const KINDS = ['userId', 'sessionId', 'apiKeyId'] as const;

/** Checks if clients are still allowed to follow events. */
@Injectable()
export class StreamCredentialsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Holders of credentials that are no longer valid, found with one statement. */
  async findInvalid<Holder extends { credential: StreamCredential }>(holders: readonly Holder[]): Promise<Holder[]> {
    if (!holders.length) return [];
    const idsOf = (key: (typeof KINDS)[number]) => [
      ...new Set(holders.flatMap(({ credential }) => credential[key] ?? [])),
    ];
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT u.id FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = ANY ($1) AND ${ACCOUNT_IS_USABLE}
       UNION ALL SELECT s.id FROM sessions s WHERE s.id = ANY ($2) AND ${SESSION_IS_ALIVE}
       UNION ALL SELECT k.id FROM api_keys k JOIN users u ON u.id = k.user_id JOIN tenants t ON t.id = u.tenant_id
         WHERE k.id = ANY ($3) AND (k.expires_at IS NULL OR k.expires_at > now()) AND 'api_key' = ANY (t.allowed_auth_methods)`,
      [idsOf('userId'), idsOf('sessionId'), idsOf('apiKeyId')],
    );
    const good = new Set(rows.map(({ id }) => id));
    return holders.filter(({ credential }) =>
      KINDS.some((kind) => {
        const id = credential[kind];
        return id !== undefined && !good.has(id);
      }),
    );
  }
}
