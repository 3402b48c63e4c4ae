/**
 * SQL of a table with one row: the current month (UTC) in billing time, as `ledger_hold` counts it.
 * `day` is the first day.
 */
export const CURRENT_MONTH_SQL = `(SELECT start::date AS day, start AT TIME ZONE 'UTC' AS starts_at, (start + interval '1 month') AT TIME ZONE 'UTC' AS ends_at
  FROM date_trunc('month', billing_now() AT TIME ZONE 'UTC') AS start) AS month`;
