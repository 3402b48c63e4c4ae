import type { WebhookEndpoint } from '@platform/client';
import { Badge } from '../../components/badge.js';

const DISABLED = {
  by_hand: 'Disabled',
  failures: 'Disabled: no delivery succeeded for three days',
  gone: 'Disabled: it answered 410 Gone',
};

export function EndpointBadge({ endpoint: { status, disabled_reason, failing_since } }: { endpoint: WebhookEndpoint }) {
  if (status === 'disabled') return <Badge tone="warning">{DISABLED[disabled_reason ?? 'by_hand']}</Badge>;
  return failing_since === null ? <Badge tone="success">Enabled</Badge> : <Badge tone="warning">Failing</Badge>;
}
