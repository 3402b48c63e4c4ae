import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** Counts whole seconds down to 0, from the number that was passed to `start`. */
export function useCountdown(): { seconds: number; start: (seconds: number) => void } {
  const [seconds, setSeconds] = useState(0);
  const running = seconds > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), SECOND_MS);
    return () => clearInterval(timer);
  }, [running]);
  return { seconds, start: setSeconds };
}
