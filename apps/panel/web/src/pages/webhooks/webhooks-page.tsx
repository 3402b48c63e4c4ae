import type { WebhookEndpoint } from '@platform/client';
import { useState } from 'react';
import { Link } from 'react-router';
import { useWebhookEndpoints } from '../../api/webhook-endpoints.js';
import { AreaPage } from '../../components/area-page.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import { List } from '../../components/list.js';
import { Section } from '../../components/section.js';
import { CreateEndpointDialog } from './create-endpoint-dialog.js';
import { EndpointBadge } from './endpoint-badge.js';

/** Endpoints that receive events of the organisation. */
export function WebhooksPage() {
  const endpoints = useWebhookEndpoints();
  const [creating, setCreating] = useState(false);
  return (
    <AreaPage title="Webhooks" intro="Send events of your organisation to your own systems as they happen.">
      <Section
        id="endpoints"
        title="Endpoints"
        intro="Each delivery is signed (Standard Webhooks). Failed deliveries are retried for three days."
        action={
          <Button size="small" icon="plus" onClick={() => setCreating(true)}>
            Add endpoint
          </Button>
        }
      >
        <List
          query={endpoints}
          empty={
            <>
              <strong>No endpoints yet</strong>
              <span>Add the address of a system that should receive events.</span>
            </>
          }
        >
          {(endpoint) => <EndpointItem key={endpoint.id} endpoint={endpoint} />}
        </List>
      </Section>
      {creating && <CreateEndpointDialog onClose={() => setCreating(false)} />}
    </AreaPage>
  );
}

function EndpointItem({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, url, description, event_types } = endpoint;
  return (
    <li className="list__item">
      <span className="list__icon">
        <Icon name="webhook" />
      </span>
      <div className="list__text">
        <div className="list__title">
          <Link to={`/webhooks/${id}`}>{description || url}</Link>
          <EndpointBadge endpoint={endpoint} />
        </div>
        <div className="list__note">
          {description && <span>{url}</span>}
          <span>{event_types.join(', ')}</span>
        </div>
      </div>
    </li>
  );
}
