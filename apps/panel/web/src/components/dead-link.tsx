import type { ReactNode } from 'react';
import { useSession } from '../api/session.js';
import { AuthLayout } from './auth-layout.js';
import { ButtonLink } from './button.js';
import { Emblem } from './emblem.js';

interface DeadLinkProps {
  /** False if the page was opened without a link. */
  wasUsed: boolean;
  /** Advice after a used link. */
  advice: string;
  /** The same for a user who is signed in to this browser. */
  adviceSignedIn: string;
  /** Purpose of the page. */
  purpose: string;
  wayOut: { to: string; label: string };
  footer: ReactNode;
}

/**
 * Shown instead of a page that needs the link of a mail. A signed-in user gets a link to their
 * account.
 */
export function DeadLink({ wasUsed, advice, adviceSignedIn, purpose, wayOut, footer }: DeadLinkProps) {
  const user = useSession().data;
  const next = user ? { to: '/', label: 'Go to your account' } : wayOut;
  return (
    <AuthLayout
      title={wasUsed ? 'This link is no longer valid' : 'Open the link in your mail'}
      emblem={<Emblem icon={wasUsed ? 'alert' : 'mail'} tone={wasUsed ? 'warning' : 'primary'} />}
      intro={
        <>
          <p>{wasUsed ? `It was already used, or it has expired.${user ? '' : ` ${advice}`}` : purpose}</p>
          {user && (
            <p>
              You are signed in as <strong>{user.email}</strong>. {adviceSignedIn}
            </p>
          )}
        </>
      }
      footer={user ? undefined : footer}
    >
      <ButtonLink to={next.to} look="primary" wide>
        {next.label}
      </ButtonLink>
    </AuthLayout>
  );
}
