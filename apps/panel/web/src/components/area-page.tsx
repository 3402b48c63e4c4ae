import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import './area-page.css';
import { PageHeading, PageTitle } from './page.js';
import { focusSection } from './section.js';

interface AreaPageProps {
  title: string;
  intro: string;
  /** The sections of the page. */
  children: ReactNode;
}

/**
 * Page of an area: a heading, and sections. If the fragment of the address is the id of a section,
 * that section is shown and gets the focus.
 */
export function AreaPage({ title, intro, children }: AreaPageProps) {
  const { hash, key } = useLocation();

  useEffect(() => {
    const id = hash.slice(1);
    if (!id) return;
    document.getElementById(id)?.scrollIntoView();
    focusSection(id);
  }, [hash, key]);

  return (
    <div className="area">
      <PageTitle>{title}</PageTitle>
      <div className="area__head">
        <PageHeading>{title}</PageHeading>
        <p className="muted">{intro}</p>
      </div>
      {children}
    </div>
  );
}
