import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One signed-in browser. What the browser holds is only the value whose SHA-256 is `key`. */
@Entity('sessions')
@Check('sessions_key_check', 'length(key) = 32')
@Check('sessions_expiry_check', 'idle_expires_at <= absolute_expires_at')
@Index('sessions_expiry_idx', ['idleExpiresAt'])
export class PanelSession {
  @PrimaryColumn('bytea') key!: Buffer;
  @Column('text') userId!: string;
  @Column('text') gatewaySessionId!: string;
  /** The gateway's token pair, under `SECRET_KEYS`. */
  @Column('text') sealedTokens!: string;
  /** Counts the refreshes, so that of several processes the first one's is kept. */
  @Column('integer', { default: 0 }) tokensVersion!: number;
  @Column('timestamptz') accessExpiresAt!: Date;
  /** Moves with every refresh, like the gateway's own, and never beyond `absoluteExpiresAt`. */
  @Column('timestamptz') idleExpiresAt!: Date;
  @Column('timestamptz') absoluteExpiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
