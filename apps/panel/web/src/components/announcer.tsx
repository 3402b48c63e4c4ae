import { createContext, use, useState, type ReactNode } from 'react';

const Announce = createContext<(text: string) => void>(() => undefined);

/** Returns a function that announces the result of a change to screen readers. */
export const useAnnounce = () => use(Announce);

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', times: 0 });
  const announce = (text: string) => setSaid(({ times }) => ({ text, times: times + 1 }));
  return (
    <Announce value={announce}>
      {children}
      <div className="visually-hidden" role="status">
        {/* A new element each time, so that repeated texts are announced again. */}
        <span key={said.times}>{said.text}</span>
      </div>
    </Announce>
  );
}
