import { Inject, Injectable } from '@nestjs/common';
import { randomToken, safeEqual } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import type { Account } from '../sessions/signed-in-account.js';

const LIFETIME_SECONDS = 90 * 86_400;
const PURPOSE = 'known-device';
/** Key id, expiry in seconds since 1970, random id of the device, MAC. */
const TOKEN = /^([a-z0-9]{1,16})\.(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

type DeviceOwner = Pick<Account, 'user_id' | 'credentials_epoch'>;
const UNKNOWN_OWNER: DeviceOwner = { user_id: '', credentials_epoch: 0 };

/** Content of a device token. Its MAC is checked after the account is known. */
export interface DeviceClaim {
  keyId: string;
  expires: string;
  device: string;
  mac: string;
}

/**
 * Issues and checks device tokens. A login returns one; it proves that the account has signed in on
 * this device before. A client address would prove nothing, because many people share one. The
 * token does not sign in. It only makes wrong passwords on the device count separately from those
 * of strangers (OWASP: device cookies). It becomes invalid when all logins of the user end, for
 * example by a new password.
 */
@Injectable()
export class KnownDevicesService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Issues a device token for the user. It is valid for 90 days.
   *
   * @param device id in the previous token of the device, so that its failure count continues;
   * default: a new id.
   */
  issueDeviceToken(owner: DeviceOwner, device: string = randomToken()): string {
    const keyId = this.config.SECRET_KEYS.currentId;
    const expires = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS);
    return [keyId, expires, device, this.computeMac(owner, { keyId, expires, device })].join('.');
  }

  /**
   * Reads a device token without its proof: the MAC, a keyed checksum, is not checked yet. Null if
   * the text is not a device token, or the token has expired.
   */
  parseDeviceToken(token: string | undefined): DeviceClaim | null {
    const [, keyId, expires, device, mac] = TOKEN.exec(token ?? '') ?? [];
    if (!keyId || !expires || !device || !mac || Number(expires) <= Date.now() / 1000) return null;
    return { keyId, expires, device, mac };
  }

  /**
   * Returns the id of the device in a device token, if the token was issued for this user. Null
   * otherwise, also without a token or a user, and if all logins of the user ended since
   * (`credentials_epoch`), for example by a new password. Does the same work if there is no
   * account.
   */
  verifyDevice(claim: DeviceClaim | null, owner: DeviceOwner | null): string | null {
    if (!claim) return null;
    const expected = this.computeMac(owner ?? UNKNOWN_OWNER, claim);
    return owner && expected && safeEqual(claim.mac, expected) ? claim.device : null;
  }

  /**
   * Computes the MAC of a device token, a keyed checksum over the user, the epoch of their
   * credentials, the expiry and the device. Empty if the secret key is no longer in `SECRET_KEYS`.
   */
  private computeMac(
    { user_id, credentials_epoch }: DeviceOwner,
    { keyId, expires, device }: Omit<DeviceClaim, 'mac'>,
  ): string {
    const text = [user_id, credentials_epoch, expires, device].join('\n');
    return this.config.SECRET_KEYS.mac(PURPOSE, text, keyId)?.toString('base64url') ?? '';
  }
}
