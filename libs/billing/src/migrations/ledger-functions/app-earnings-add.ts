export const appEarningsAdd = `
  CREATE FUNCTION app_earnings_add() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO app_earnings AS t (developer_id, app_id, calls, earned_base, share) VALUES (NEW.developer_id, NEW.app_id,
      NEW.calls - coalesce(OLD.calls, 0), NEW.earned_base - coalesce(OLD.earned_base, 0), NEW.share - coalesce(OLD.share, 0))
    ON CONFLICT ON CONSTRAINT app_earnings_pkey DO UPDATE SET calls = t.calls + EXCLUDED.calls,
      earned_base = t.earned_base + EXCLUDED.earned_base, share = t.share + EXCLUDED.share;
    RETURN NULL;
  END $$`;
