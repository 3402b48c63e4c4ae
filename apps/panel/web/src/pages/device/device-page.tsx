import { useSearchParams } from 'react-router';
import { DeviceCodeForm } from './device-code-form.js';
import { DeviceRequest } from './device-request.js';

/**
 * Approves a device that shows a code, such as a command line (RFC 8628 section 3.3). Asks for the
 * code if the address does not have it.
 */
export function DevicePage() {
  const [query] = useSearchParams();
  const code = query.get('code');
  return code ? <DeviceRequest key={code} code={code} /> : <DeviceCodeForm />;
}
