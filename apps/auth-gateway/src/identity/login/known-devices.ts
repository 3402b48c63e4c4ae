import { Inject, Injectable } from '@nestjs/common';
import { randomToken, safeEqual } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import type { Account } from '../sessions/signed-in-account.js';

const LIFETIME_SECONDS = 90 * 86_400;
const PURPOSE = 'known-device';
/** Key, expiry in seconds, random id, MAC. */
const TOKEN = /^([a-z0-9]{1,16})\.(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

type DeviceOwner = Pick<Account, 'user_id' | 'credentials_epoch'>;
const NOBODY: DeviceOwner = { user_id: '', credentials_epoch: 0 };

/** What a token says, which its MAC may prove once the account is known. */
export interface DeviceClaim {
  keyId: string;
  expires: string;
  device: string;
  mac: string;
}

/**
 * Proof that an account was signed in to from a device: a token that the login there answered with. An address proves nothing, since
 * many people share one. The token lets nobody in; it has wrong passwords counted apart from those of strangers (OWASP: device cookies).
 * It is of the user and their epoch, so it ends with the password that it was got by.
 */
@Injectable()
export class KnownDevices {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @param device that of the token that the device had; default: a new one. What is counted under it goes on. */
  issue(owner: DeviceOwner, device: string = randomToken()): string {
    const keyId = this.config.SECRET_KEYS.currentId;
    const expires = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS);
    return [keyId, expires, device, this.mac(owner, { keyId, expires, device })].join('.');
  }

  /** Null for what is no token, or has expired. */
  claim(token: string | undefined): DeviceClaim | null {
    const [, keyId, expires, device, mac] = TOKEN.exec(token ?? '') ?? [];
    if (!keyId || !expires || !device || !mac || Number(expires) <= Date.now() / 1000) return null;
    return { keyId, expires, device, mac };
  }

  /** The device of a claim that is true of this very account, as it is now; else null. As much work for an account that there is not. */
  read(claim: DeviceClaim | null, owner: DeviceOwner | null): string | null {
    if (!claim) return null;
    const expected = this.mac(owner ?? NOBODY, claim);
    return owner && expected && safeEqual(claim.mac, expected) ? claim.device : null;
  }

  /** Empty where the key is gone. */
  private mac({ user_id, credentials_epoch }: DeviceOwner, { keyId, expires, device }: Omit<DeviceClaim, 'mac'>): string {
    const text = [user_id, credentials_epoch, expires, device].join('\n');
    return this.config.SECRET_KEYS.mac(PURPOSE, text, keyId)?.toString('base64url') ?? '';
  }
}
