import type { ReactNode } from 'react';
import './section.css';

interface SectionProps {
  id: string;
  title: string;
  intro?: ReactNode;
  /** Stands beside the heading. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page that one can go to by its id. */
export function Section({ id, title, intro, action, children }: SectionProps) {
  return (
    <section className="section" id={id} aria-labelledby={`${id}-title`}>
      <div className="section__head">
        <div className="section__text">
          <h2 id={`${id}-title`} tabIndex={-1}>
            {title}
          </h2>
          {intro && <p className="muted">{intro}</p>}
        </div>
        {action}
      </div>
      <div className="section__card">{children}</div>
    </section>
  );
}

/** For when what had the focus is gone. */
export const focusSection = (id: string): void => document.getElementById(`${id}-title`)?.focus();
