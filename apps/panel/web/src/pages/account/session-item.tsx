import type { SessionResponse } from '@platform/client';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useRevokeSession } from '../../api/account.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon, type IconName } from '../../components/icons.js';
import { focusSection } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { describeDevice } from '../../lib/device.js';

const SURFACES: Record<SessionResponse['surface'], { icon: IconName; name: string }> = {
  web: { icon: 'browser', name: 'Browser' },
  cli: { icon: 'terminal', name: 'Command line' },
  api: { icon: 'key', name: 'API' },
};

export function SessionItem({ session }: { session: SessionResponse }) {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeSession();
  const announce = useAnnounce();
  const { icon, name } = SURFACES[session.surface];
  const title = titleOf(session);

  const confirm = () =>
    revoke.mutate(session, {
      onSuccess: () => {
        flushSync(() => setAsking(false)); // an open dialog keeps the focus, so it must close first
        if (session.current) return;
        focusSection('sessions');
        announce(`The session of ${title} was ended.`);
      },
    });

  return (
    <li className="list__item">
      <span className="list__icon">
        <Icon name={icon} />
      </span>
      <div className="list__text">
        <div className="list__title">
          {title}
          {session.current && <Badge tone="success">This session</Badge>}
        </div>
        <div className="list__note">
          <span>{name}</span>
          {session.ip_address && <span>{session.ip_address}</span>}
          <span>
            Seen <Time at={session.last_seen_at} />
          </span>
        </div>
      </div>
      <Button
        size="small"
        aria-label={session.current ? 'Sign out of this session' : `End the session of ${title}`}
        onClick={() => setAsking(true)}
      >
        {session.current ? 'Sign out' : 'End'}
      </Button>
      {asking && (
        <ConfirmDialog
          title={session.current ? 'Sign out here?' : 'End this session?'}
          action={session.current ? 'Sign out' : 'End session'}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {session.current ? 'You have to sign in again in this browser.' : `${title} is signed out at once.`}
        </ConfirmDialog>
      )}
    </li>
  );
}

/**
 * Name of a session: its own label, otherwise its device. The gateway uses the beginning of the
 * user agent as the label of a session without a label; that is not an own label.
 */
function titleOf({ label, user_agent }: SessionResponse): string {
  const isOwn = label && !user_agent?.startsWith(label);
  return isOwn ? label : describeDevice(user_agent);
}
