import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toProblem } from '../api/problem.js';
import { Button } from './button.js';
import './list.css';
import { ProblemNotice } from './problem-notice.js';

interface ListProps<Item> {
  query: UseQueryResult<Item[]>;
  empty: ReactNode;
  /** An `li`. */
  children: (item: Item) => ReactNode;
}

/** A list from the platform, or why it is not there. */
export function List<Item>({ query: { data, error, isFetching, refetch }, empty, children }: ListProps<Item>) {
  if (data?.length) return <ul className="list">{data.map(children)}</ul>;
  if (data) return <div className="list__empty">{empty}</div>;
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
