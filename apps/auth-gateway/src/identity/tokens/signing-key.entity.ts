import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const SIGNING_KEY_STATES = ['next', 'current', 'retiring'] as const;
export type SigningKeyState = (typeof SIGNING_KEY_STATES)[number];

@Entity('signing_keys')
@Check('signing_keys_state_check', "state IN ('next', 'current', 'retiring')")
@Index('signing_keys_one_next_key', ['state'], { unique: true, where: "state = 'next'" })
@Index('signing_keys_one_current_key', ['state'], { unique: true, where: "state = 'current'" })
export class SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  @PrimaryColumn('text') kid!: string;
  @Column('text') state!: SigningKeyState;
  @Column('jsonb') publicJwk!: Record<string, unknown>;
  /** Private JWK, sealed with AES-256-GCM. */
  @Column('text') sealedPrivateJwk!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) activatedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) retiredAt!: Date | null;
}
