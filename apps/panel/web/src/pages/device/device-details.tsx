import type { DeviceLookupResponse } from '@platform/client';
import { Time } from '../../components/time.js';
import { describeDevice } from '../../lib/device.js';
import './device-details.css';

/**
 * Details of a device that asks for access. The device itself chose the label; the platform
 * observed the rest.
 */
export function DeviceDetails({
  request: { user_code, label, user_agent, ip_address, created_at },
}: {
  request: DeviceLookupResponse;
}) {
  return (
    <div className="device-details">
      <p className="device-details__code">
        <span className="visually-hidden">Code: </span>
        {user_code}
      </p>
      <dl>
        {label && (
          <div>
            <dt>Device name</dt>
            <dd>{label}</dd>
          </div>
        )}
        <div>
          <dt>Program</dt>
          <dd>{describeDevice(user_agent)}</dd>
        </div>
        <div>
          <dt>IP address</dt>
          <dd>{ip_address ?? 'unknown'}</dd>
        </div>
        <div>
          <dt>Requested</dt>
          <dd>
            <Time at={created_at} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
