import { Inject, Injectable } from '@nestjs/common';
import { randomToken, safeEqual } from '@platform/platform';
import { CONFIG, type Config } from '../config.js';

const LIFETIME_SECONDS = 90 * 86_400;
const PURPOSE = 'known-device';
/** Key, expiry in seconds, random id, MAC. */
const TOKEN = /^([a-z0-9]{1,16})\.(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

interface DeviceOwner {
  tenant_id: string;
  email: string;
}

/**
 * Proof that an account was signed in to from a device: a token that the login there answered with. An address proves nothing, since
 * many people share one. The token lets nobody in; it has wrong passwords counted apart from those of strangers (OWASP: device cookies).
 */
@Injectable()
export class KnownDevices {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @param device that of the token that the device had; default: a new one. What is counted under it goes on. */
  issue({ tenant_id, email }: DeviceOwner, device: string = randomToken()): string {
    const keyId = this.config.SECRET_KEYS.currentId;
    const expires = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS);
    return [keyId, expires, device, this.mac({ tenant_id, email }, keyId, expires, device)].join('.');
  }

  /** The device of a token for this very account; null for any other text. */
  read(token: string | undefined, owner: DeviceOwner): string | null {
    const [, keyId = '', expires = '', device = '', mac = ''] = TOKEN.exec(token ?? '') ?? [];
    const expected = keyId && this.mac(owner, keyId, expires, device);
    if (!expected || !safeEqual(mac, expected)) return null;
    return Number(expires) > Date.now() / 1000 ? device : null;
  }

  private mac({ tenant_id, email }: DeviceOwner, keyId: string, expires: string, device: string): string {
    return this.config.SECRET_KEYS.mac(PURPOSE, [tenant_id, email, expires, device].join('\n'), keyId)?.toString('base64url') ?? '';
  }
}
