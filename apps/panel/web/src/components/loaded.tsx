import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toProblem } from '../api/problem.js';
import { Button } from './button.js';
import './list.css';
import { ProblemNotice } from './problem-notice.js';

interface LoadedProps<Value> {
  query: UseQueryResult<Value>;
  children: (value: Value) => ReactNode;
}

/**
 * Content that is loaded from the platform, a placeholder until then, or the reason why it failed
 * to load, with a button to try again. Loaded content stays if a later reload fails.
 */
export function Loaded<Value>({ query: { data, error, isFetching, refetch }, children }: LoadedProps<Value>) {
  if (data !== undefined) return children(data);
  if (error && !isFetching) {
    return (
      <div className="section__body form">
        <ProblemNotice problem={toProblem(error)} />
        <div>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </div>
    );
  }
  return (
    <div role="status">
      <span className="visually-hidden">Loading…</span>
      <div className="list__placeholder" aria-hidden="true">
        <span />
        <span />
      </div>
    </div>
  );
}
