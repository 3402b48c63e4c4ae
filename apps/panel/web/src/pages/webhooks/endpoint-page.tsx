import { useParams } from 'react-router';
import { useWebhookEndpoint } from '../../api/webhook-endpoints.js';
import { AreaPage } from '../../components/area-page.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { DeliveriesSection } from './deliveries-section.js';
import { EndpointActions } from './endpoint-actions.js';
import { EndpointBadge } from './endpoint-badge.js';

/** An endpoint and its deliveries. */
export function EndpointPage() {
  const { endpointId = '' } = useParams();
  const endpoint = useWebhookEndpoint(endpointId);
  return (
    <AreaPage title="Webhook endpoint" intro={endpoint.data?.description || 'Receives events of your organisation.'}>
      <Section id="endpoint" title="Endpoint">
        <Loaded query={endpoint}>
          {(it) => (
            <>
              <div className="section__body">
                <Facts
                  facts={[
                    ['Status', <EndpointBadge key="status" endpoint={it} />],
                    ['Address', it.url],
                    ['Events', `${it.event_types.join(', ')}${it.all_tenants ? ', of all tenants' : ''}`],
                    ['Added', <Time key="added" at={it.created_at} />],
                    ...(it.failing_since
                      ? [['Failing since', <Time key="failing" at={it.failing_since} />] as const]
                      : []),
                    ...(it.previous_secret_until
                      ? [['Previous secret valid until', <Time key="secret" at={it.previous_secret_until} />] as const]
                      : []),
                  ]}
                />
              </div>
              <EndpointActions endpoint={it} />
            </>
          )}
        </Loaded>
      </Section>
      {endpoint.data && <DeliveriesSection endpointId={endpointId} isEnabled={endpoint.data.status === 'enabled'} />}
    </AreaPage>
  );
}
