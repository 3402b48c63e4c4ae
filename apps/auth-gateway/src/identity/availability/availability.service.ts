import { Inject, Injectable } from '@nestjs/common';
import type { AvailabilityResponse, EmailAvailableQuery, NicknameAvailableQuery } from '@platform/contracts';
import { emailAddress } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { findNicknameRefusal } from '../nicknames/reserved-nicknames.js';

const AVAILABLE: AvailabilityResponse = { available: true, reason: null };
const refused = (reason: AvailabilityResponse['reason']): AvailabilityResponse => ({ available: false, reason });

/**
 * Checks names while the user types in a form. The answer can be outdated a moment later; only the
 * route that takes the name decides.
 */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async checkNickname({ nickname }: NicknameAvailableQuery): Promise<AvailabilityResponse> {
    const refusal = findNicknameRefusal(nickname);
    if (refusal) return refused(refusal);
    const [taken] = await this.dataSource.query<unknown[]>('SELECT 1 FROM users WHERE nickname = $1', [nickname]);
    return taken ? refused('taken') : AVAILABLE;
  }

  /**
   * Says if an address is free for a signup in the tenant: `invalid` if it is malformed, `taken` if
   * a user with this confirmed address exists. In the `uniform` mode (`EMAIL_AVAILABLE_MODE`) every
   * valid address is available. Does the same work for a taken and a free address.
   */
  async checkEmail({ email, tenant_id }: EmailAvailableQuery): Promise<AvailabilityResponse> {
    const address = emailAddress(email.trim());
    if (!address) return refused('invalid');
    const [taken] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM users WHERE tenant_id = $1 AND email_canonical = $2',
      [tenant_id, address],
    );
    return taken && this.config.EMAIL_AVAILABLE_MODE === 'truthful' ? refused('taken') : AVAILABLE;
  }
}
