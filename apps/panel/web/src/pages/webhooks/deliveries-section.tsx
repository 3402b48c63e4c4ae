import type { WebhookEndpointDelivery } from '@platform/client';
import { useState } from 'react';
import { toProblem } from '../../api/problem.js';
import { useDeliveries, useReplayDelivery, useReplayEvents } from '../../api/webhook-endpoints.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Form } from '../../components/form.js';
import { List } from '../../components/list.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { focusSection, Section } from '../../components/section.js';
import { SelectField } from '../../components/select-field.js';
import { Time } from '../../components/time.js';
import { outcomeOf } from './delivery-outcome.js';

const PAGE = 20;
const HOUR_MS = 3_600_000;

const STATUS = {
  pending: { text: 'Pending', tone: 'neutral' },
  delivered: { text: 'Delivered', tone: 'success' },
  failed: { text: 'Failed', tone: 'warning' },
} as const;

export function DeliveriesSection({ endpointId, isEnabled }: { endpointId: string; isEnabled: boolean }) {
  /** Cursors of the newer pages, in order. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [isReplaying, setReplaying] = useState(false);
  const deliveries = useDeliveries(endpointId, PAGE, cursors.at(-1));
  const older = deliveries.data?.cursor;
  const go = (to: readonly string[]) => {
    setCursors(to);
    focusSection('deliveries');
  };
  return (
    <Section
      id="deliveries"
      title="Deliveries"
      intro="Deliveries are kept for seven days after they arrive or fail."
      action={
        isEnabled && (
          <Button size="small" onClick={() => setReplaying(true)}>
            Send missed events
          </Button>
        )
      }
    >
      <List
        query={
          { ...deliveries, data: deliveries.data?.items } as unknown as Parameters<
            typeof List<WebhookEndpointDelivery>
          >[0]['query']
        }
        empty={
          <>
            <strong>{cursors.length ? 'Nothing older' : 'Nothing yet'}</strong>
            {!cursors.length && <span>Deliveries to this endpoint appear here.</span>}
          </>
        }
      >
        {(delivery) => <DeliveryItem key={delivery.id} delivery={delivery} isEnabled={isEnabled} />}
      </List>
      {(older || cursors.length > 0) && (
        <div className="section__foot">
          <span>Page {cursors.length + 1}</span>
          <span className="form__actions">
            <Button size="small" aria-disabled={!cursors.length} onClick={() => go(cursors.slice(0, -1))}>
              Newer
            </Button>
            <Button
              size="small"
              aria-disabled={!older || deliveries.isPlaceholderData}
              onClick={() => older && go([...cursors, older])}
            >
              Older
            </Button>
          </span>
        </div>
      )}
      {isReplaying && <ReplayDialog endpointId={endpointId} onClose={() => setReplaying(false)} />}
    </Section>
  );
}

function DeliveryItem({ delivery, isEnabled }: { delivery: WebhookEndpointDelivery; isEnabled: boolean }) {
  const { endpoint_id, event_type, status, attempts, created_at, next_attempt_at } = delivery;
  const replay = useReplayDelivery(endpoint_id);
  const announce = useAnnounce();
  const { text, tone } = STATUS[status];
  return (
    <li className="list__item">
      <div className="list__text">
        <div className="list__title">
          {event_type}
          <Badge tone={tone}>{text}</Badge>
        </div>
        <div className="list__note">
          <span>
            <Time at={created_at} />
          </span>
          <span>{attempts === 1 ? '1 try' : `${attempts} tries`}</span>
          <span>It {outcomeOf(delivery)}</span>
          {next_attempt_at && attempts > 0 && (
            <span>
              Next try <Time at={next_attempt_at} />
            </span>
          )}
        </div>
        <ProblemNotice problem={replay.error && toProblem(replay.error)} />
      </div>
      {status !== 'pending' && isEnabled && (
        <Button
          size="small"
          busy={replay.isPending}
          aria-label={`Send ${event_type} again`}
          onClick={() => replay.mutate(delivery.id, { onSuccess: () => announce(`${event_type} was sent again.`) })}
        >
          Send again
        </Button>
      )}
    </li>
  );
}

/** Periods within the last 24 hours, the most that the platform allows. */
const PERIODS = [
  { value: '1', label: 'The last hour' },
  { value: '6', label: 'The last 6 hours' },
  { value: '24', label: 'The last 24 hours' },
];
/** Margin, since the longest period would be exceeded when the request arrives. */
const MARGIN_MS = 60_000;

function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const replay = useReplayEvents(endpointId);
  const next = replay.data?.cursor ?? null;
  const submit = ({ hours = '1' }: Record<string, string>) => {
    const since = new Date(Date.now() - Number(hours) * HOUR_MS + MARGIN_MS).toISOString();
    replay.mutate(next !== null && replay.variables ? { ...replay.variables, cursor: next } : { since });
  };
  return (
    <Dialog title="Send missed events" onClose={onClose}>
      <Form busy={replay.isPending} problem={replay.error && toProblem(replay.error)} onSubmit={submit}>
        <p className="muted">Events that this endpoint did not receive, or that failed.</p>
        {next === null && <SelectField name="hours" label="Period" options={PERIODS} />}
        {replay.data && (
          <Notice tone="success" role="status">
            <p>
              {replay.data.replayed} {replay.data.replayed === 1 ? 'event is' : 'events are'} on the way.
              {next !== null && ' There are more.'}
            </p>
          </Notice>
        )}
        <div className="dialog__actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" busy={replay.isPending}>
            {next === null ? 'Send' : 'Send more'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
