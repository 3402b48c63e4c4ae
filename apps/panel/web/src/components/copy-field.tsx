import { useEffect, useId, useRef, useState } from 'react';
import { useAnnounce } from './announcer.js';
import { Button } from './button.js';
import './copy-field.css';

const CONFIRMED_MS = 2_500;

/** A value with a button that copies it. If the browser refuses, it selects the value instead. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle');
  const announce = useAnnounce();

  useEffect(() => {
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => setState('idle'), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState('copied');
      announce('Copied');
    } catch {
      // Browsers refuse without HTTPS, or if the user has forbidden it.
      input.current?.select();
      setState('selected');
      announce('Selected. Copy it with your keyboard.');
    }
  };

  return (
    <div className="copy-field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className="field__input copy-field__value"
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon={state === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
        {state === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      {state === 'selected' && (
        <p className="field__hint">
          Your browser does not allow copying from this page. The value is selected: press Ctrl+C or ⌘C.
        </p>
      )}
    </div>
  );
}
