import type { ReactNode } from 'react';
import './auth-layout.css';
import { Brand } from './brand.js';
import { PageHeading, PageTitle } from './page.js';

interface AuthLayoutProps {
  title: string;
  /** Decoration above the heading. */
  emblem?: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
  /** Links below the card. */
  footer?: ReactNode;
}

/** A single centred card, for pages before or outside of the panel, such as the sign-in page. */
export function AuthLayout({ title, emblem, intro, children, footer }: AuthLayoutProps) {
  return (
    <div className="auth">
      <PageTitle>{title}</PageTitle>
      <header className="auth__brand">
        <Brand />
      </header>
      <main className="auth__card" id="content">
        <div className="auth__head">
          {emblem}
          <PageHeading>{title}</PageHeading>
          {intro && <div className="auth__intro">{intro}</div>}
        </div>
        {children}
      </main>
      {footer && <footer className="auth__footer">{footer}</footer>}
    </div>
  );
}
