import type { ReactNode } from 'react';
import './section.css';

interface SectionProps {
  id: string;
  title: string;
  intro?: ReactNode;
  /** Shown next to the heading. */
  action?: ReactNode;
  children: ReactNode;
}

/** Section of a page with a heading. The fragment of the address can name its id. */
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

/** Moves the focus to a section, after the focused element was removed. */
export const focusSection = (id: string): void => document.getElementById(`${id}-title`)?.focus();
