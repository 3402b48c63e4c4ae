import type { NotificationResponse } from '@platform/client';
import { Badge } from './badge.js';
import './notification-item.css';
import { Time } from './time.js';

interface NotificationItemProps {
  notification: NotificationResponse;
  /** True also while the notification is being marked as read. */
  isNew: boolean;
}

export function NotificationItem({
  notification: { app_id, subject, message, body, priority, created_at },
  isNew,
}: NotificationItemProps) {
  const isUrgent = priority === 'high' || priority === 'urgent';
  return (
    <li className={isNew ? 'notification notification--new' : 'notification'}>
      <div className="notification__title">
        <strong>{subject ?? app_id}</strong>
        {isNew && <Badge tone="success">New</Badge>}
        {isUrgent && <Badge tone="warning">Important</Badge>}
      </div>
      <p>{message}</p>
      {body && body !== message && <p className="muted">{body}</p>}
      <p className="notification__note muted">
        {app_id} · <Time at={created_at} />
      </p>
    </li>
  );
}
