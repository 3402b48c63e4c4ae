import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useRevokeOtherSessions, useSessions } from '../../api/account.js';
import { useAnnounce } from '../../components/announcer.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { List } from '../../components/list.js';
import { focusSection, Section } from '../../components/section.js';
import { SessionItem } from './session-item.js';

export function SessionsSection() {
  const sessions = useSessions();
  const hasOthers = sessions.data?.some(({ current }) => !current) ?? false;
  return (
    <Section
      id="sessions"
      title="Sessions"
      intro="Your active sessions. If you do not recognise one, end it and change your password."
      action={hasOthers && <RevokeOthers />}
    >
      <List query={sessions} empty="You have no sessions.">
        {(session) => <SessionItem key={session.session_id} session={session} />}
      </List>
    </Section>
  );
}

function RevokeOthers() {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeOtherSessions();
  const announce = useAnnounce();
  const confirm = () =>
    revoke.mutate(undefined, {
      onSuccess: ({ revoked }) => {
        flushSync(() => setAsking(false)); // an open dialog keeps the focus, so it must close first
        focusSection('sessions');
        announce(revoked === 1 ? 'One session was ended.' : `${revoked} sessions were ended.`);
      },
    });
  return (
    <>
      <Button size="small" icon="sign-out" onClick={() => setAsking(true)}>
        Sign out everywhere else
      </Button>
      {asking && (
        <ConfirmDialog
          title="Sign out everywhere else?"
          action="Sign out"
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          All sessions except this one end at once, including command lines. API keys keep working.
        </ConfirmDialog>
      )}
    </>
  );
}
