import type { JsonValue } from '@platform/app-document';
import type { ContextTime } from './context.js';

const OPENS = 9;
const CLOSES = 17;

/**
 * Implements `ctx.time` for one run, in the user's time zone; UTC if that is unknown or invalid.
 */
export class RunTime implements ContextTime {
  readonly timezone: string;

  constructor(zone: JsonValue | undefined) {
    this.timezone = typeof zone === 'string' && isZone(zone) ? zone : 'UTC';
  }

  get utc_offset(): string {
    // The value is `GMT+02:00`, and only `GMT` for UTC.
    return this.local({ timeZoneName: 'longOffset' }, 'timeZoneName').slice(3) || '+00:00';
  }

  get now_utc(): string {
    return new Date().toISOString();
  }

  /** Local time as ISO 8601 with the offset. */
  get now_local(): string {
    const offset = this.utc_offset;
    const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
    const shift = (hours * 60 + minutes) * 60_000 * (offset.startsWith('-') ? -1 : 1);
    return new Date(Date.now() + shift).toISOString().replace('Z', offset);
  }

  get hour_local(): number {
    return Number(this.local({ hour: '2-digit', hourCycle: 'h23' }, 'hour'));
  }

  /** True from Monday to Friday, from 9:00 to 17:00. */
  get is_business_hours(): boolean {
    const day = this.local({ weekday: 'short' }, 'weekday');
    return day !== 'Sat' && day !== 'Sun' && this.hour_local >= OPENS && this.hour_local < CLOSES;
  }

  private local(options: Intl.DateTimeFormatOptions, part: Intl.DateTimeFormatPartTypes): string {
    const parts = new Intl.DateTimeFormat('en-US', { ...options, timeZone: this.timezone }).formatToParts(new Date());
    return parts.find(({ type }) => type === part)?.value ?? '';
  }
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }));
  } catch {
    return false;
  }
}
