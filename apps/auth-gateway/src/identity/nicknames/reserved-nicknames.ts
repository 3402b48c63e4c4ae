import { NICKNAME } from '@platform/contracts';

/** Names that could be mistaken for a part of the platform. */
const RESERVED = new Set(
  `about abuse account accounts admin administrator agencies agency anonymous api app apps audit auth automations billing blog bot cli
  cloud contact dashboard default dev developer developers docs documentation download events everyone extension extensions gateway
  guest health help home info internal legal login logout mail marketplace me moderator news nobody notifications null official
  operator owner panel platform postmaster press pricing privacy registry root sales security service services settings shop signin
  signup staff staging static status store support system team tenant tenants terms test undefined unknown user users wallet
  webhook webhooks webmaster www`.split(/\s+/),
);

/**
 * Returns the reason why a nickname cannot be used: `invalid` if it is malformed, `reserved` if it
 * could be mistaken for a part of the platform. Null if it can, as far as its form decides; it may
 * be taken.
 */
export function findNicknameRefusal(nickname: string): 'invalid' | 'reserved' | null {
  if (!NICKNAME.test(nickname)) return 'invalid';
  return RESERVED.has(nickname) ? 'reserved' : null;
}
