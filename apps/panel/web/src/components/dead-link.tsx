import type { ReactNode } from 'react';
import { useSession } from '../api/session.js';
import { AuthLayout } from './auth-layout.js';
import { ButtonLink } from './button.js';
import { Emblem } from './emblem.js';

interface DeadLinkProps {
  /** False where the page was opened without the link. */
  wasUsed: boolean;
  /** What to do when it was. */
  advice: string;
  /** The same for who is signed in to this browser. */
  adviceSignedIn: string;
  /** What the page is for. */
  purpose: string;
  wayOut: { to: string; label: string };
  footer: ReactNode;
}

/** In place of a page that only the link of a mail opens. Who is signed in is told so, and led on to their account. */
export function DeadLink({ wasUsed, advice, adviceSignedIn, purpose, wayOut, footer }: DeadLinkProps) {
  const user = useSession().data;
  const next = user ? { to: '/', label: 'Go to your account' } : wayOut;
  return (
    <AuthLayout
      title={wasUsed ? 'This link is no longer valid' : 'Open the link of your mail'}
      emblem={<Emblem icon={wasUsed ? 'alert' : 'mail'} tone={wasUsed ? 'warning' : 'primary'} />}
      intro={
        <>
          <p>{wasUsed ? `It was used already, or it has expired.${user ? '' : ` ${advice}`}` : purpose}</p>
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
