import { createContext, use, useState, type ReactNode } from 'react';

const Announce = createContext<(text: string) => void>(() => undefined);

/** Tells a screen reader what a change on the page meant. */
export const useAnnounce = () => use(Announce);

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', times: 0 });
  const announce = (text: string) => setSaid(({ times }) => ({ text, times: times + 1 }));
  return (
    <Announce value={announce}>
      {children}
      <div className="visually-hidden" role="status">
        {/* Another element each time, so that the same words are said again. */}
        <span key={said.times}>{said.text}</span>
      </div>
    </Announce>
  );
}
