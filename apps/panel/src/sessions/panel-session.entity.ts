import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A signed-in browser. `key` is the SHA-256 of the cookie value, which only the browser has. */
@Entity('sessions')
@Check('sessions_key_check', 'length(key) = 32')
@Check('sessions_expiry_check', 'idle_expires_at <= absolute_expires_at')
@Index('sessions_expiry_idx', ['idleExpiresAt'])
export class PanelSession {
  @PrimaryColumn('bytea') key!: Buffer;
  @Column('text') userId!: string;
  @Column('text') gatewaySessionId!: string;
  /** The gateway's token pair, encrypted with `SECRET_KEYS`. */
  @Column('text') sealedTokens!: string;
  /** Number of refreshes. If several processes refresh at once, only the first result is stored. */
  @Column('integer', { default: 0 }) tokensVersion!: number;
  @Column('timestamptz') accessExpiresAt!: Date;
  /**
   * Moves with every refresh, like the gateway's own expiry, but never beyond `absoluteExpiresAt`.
   */
  @Column('timestamptz') idleExpiresAt!: Date;
  @Column('timestamptz') absoluteExpiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
