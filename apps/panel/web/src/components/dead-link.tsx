import type { ReactNode } from 'react';
import { AuthLayout } from './auth-layout.js';
import { ButtonLink } from './button.js';
import { Emblem } from './emblem.js';

interface DeadLinkProps {
  /** False where the page was opened without the link. */
  wasUsed: boolean;
  /** What to do when it was. */
  advice: string;
  /** What the page is for. */
  purpose: string;
  wayOut: { to: string; label: string };
  footer: ReactNode;
}

/** In place of a page that only the link of a mail opens. */
export function DeadLink({ wasUsed, advice, purpose, wayOut, footer }: DeadLinkProps) {
  return (
    <AuthLayout
      title={wasUsed ? 'This link is no longer valid' : 'Open the link of your mail'}
      emblem={<Emblem icon={wasUsed ? 'alert' : 'mail'} tone={wasUsed ? 'warning' : 'primary'} />}
      intro={wasUsed ? `It was used already, or it has expired. ${advice}` : purpose}
      footer={footer}
    >
      <ButtonLink to={wayOut.to} look="primary" wide>
        {wayOut.label}
      </ButtonLink>
    </AuthLayout>
  );
}
