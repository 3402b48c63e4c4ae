import { developmentNumber } from '@platform/app-document';
import type { AppCheck } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import type { AppStatus, PricingModel } from '../model/app.entity.js';
import type { ShownApp } from '../model/app-response.js';

const MIN_DESCRIPTION_LENGTH = 40;
const MIN_NAME_LENGTH = 3;
/**
 * Most function names in a message, and characters of each. Developers can put any names into the
 * prices.
 */
const NAMED = 3;
const NAMED_LENGTH = 64;
/** True if the version `v` has content. A version without a document has only its manifest. */
const HAS_CONTENT = `(v.manifest -> 'tools' <> '[]' OR v.manifest -> 'skeleton_sections' <> '[]'
  OR jsonb_path_exists(v.document, '$.app ? (@.webhooks[*] != null || @.schedules[*] != null || @.events.subscribes[*] != null || @.ui.panels[*] != null)'))`;
/** True if the app `a` with its version `v` has a price that its pricing model needs. */
const HAS_PRICE = `CASE a.pricing_model WHEN 'free' THEN true
  WHEN 'subscription' THEN coalesce(a.pricing_config -> 'monthly_price' @@ 'strict $ > 0', false)
  ELSE EXISTS (SELECT FROM jsonb_array_elements(v.manifest -> 'tools') AS each (tool)
    WHERE a.pricing_config -> 'tool_prices' -> (tool ->> 'name') @@ 'strict $ > 0') END`;
const PRICE_CHECKS: Record<PricingModel, string> = {
  free: 'A paid app has a price.',
  per_action: 'A function of the version that runs has a price in `pricing_config.tool_prices`.',
  subscription: 'The monthly price is set in `pricing_config.monthly_price`.',
};
/** For an app with prices per call: priced names that are not functions of its version. */
const UNKNOWN_PRICED_NAMES = `ARRAY(SELECT left(key, ${NAMED_LENGTH}) FROM jsonb_each(CASE WHEN a.pricing_model = 'per_action'
    THEN jsonb_path_query_first(a.pricing_config, '$.tool_prices ? (@.type() == "object")') END)
  WHERE value @@ 'strict $ > 0' AND NOT coalesce(v.manifest -> 'tools', '[]') @> jsonb_build_array(jsonb_build_object('name', key))
  ORDER BY key LIMIT ${NAMED + 1})`;
/** Function names of a version `v`. */
const FUNCTIONS = `ARRAY(SELECT left(tool ->> 'name', ${NAMED_LENGTH}) FROM jsonb_array_elements(v.manifest -> 'tools') AS each (tool)
  ORDER BY 1 LIMIT ${NAMED + 1})`;
export const SUBMITTABLE: readonly AppStatus[] = ['draft', 'suspended'];

const STATUS_HINTS: Partial<Record<AppStatus, string>> = {
  pending_review: ' It waits for a review already.',
  active: ' It is in the marketplace: deploy its next version.',
};

interface FoundPrices {
  has_price: boolean;
  /** Some of the names. */
  priced_of_none: string[];
  /** Some functions of the served version. */
  functions: string[];
}

interface Found extends FoundPrices {
  is_deployed: boolean;
  has_icon: boolean;
  has_document: boolean;
  does_something: boolean;
}

/**
 * Checks if an app can be submitted for review. Returns every check with its result (`ok`); a
 * failed one stops the submission only if it is `required`. The required ones are those that a
 * minimal app of the interface specification passes.
 */
export async function checkSubmission(em: EntityManager, app: ShownApp): Promise<AppCheck[]> {
  const { appId, displayName, shortDescription, description } = app;
  const [found] = await em.query<Found[]>(
    `SELECT a.icon IS NOT NULL OR a.icon_svg IS NOT NULL AS has_icon,
       EXISTS (SELECT FROM deploys d WHERE d.app_id = a.app_id AND d.status IN ('success', 'warning')) AS is_deployed,
       v.document IS NOT NULL AS has_document, ${HAS_CONTENT} IS TRUE AS does_something,
       ${HAS_PRICE} AS has_price, ${UNKNOWN_PRICED_NAMES} AS priced_of_none, ${FUNCTIONS} AS functions
     FROM apps a LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
    [appId],
  );
  const isRelease = app.servedVersion === null || developmentNumber(app.servedVersion) === null;
  const descriptionLength = Math.max(description.length, shortDescription.length);
  return [
    required(
      'status',
      SUBMITTABLE.includes(app.status),
      `The app is a draft or suspended.${STATUS_HINTS[app.status] ?? ''}`,
    ),
    required('successful_deploy', found?.is_deployed ?? false, 'At least one deploy has succeeded.'),
    required('version', app.servedVersion !== null, 'A version of the app runs.'),
    {
      check: 'content',
      ok: found?.does_something ?? false,
      // The specification requires only a deploy, and a minimal deploy has no document.
      required: found?.has_document ?? false,
      message: 'The version that runs has a function, a webhook, a schedule, an event handler or a panel.',
    },
    {
      check: 'price',
      ok: found?.has_price ?? false,
      // With prices per function, some or all functions can be free.
      required: app.pricingModel === 'subscription',
      message: priceMessage(app.pricingModel, found),
    },
    required(
      'release',
      isRelease,
      'The version that runs is not one of `platform dev`. Deploy it with `platform deploy`.',
    ),
    advised(
      'description',
      descriptionLength >= MIN_DESCRIPTION_LENGTH,
      `The description has at least ${MIN_DESCRIPTION_LENGTH} characters.`,
    ),
    advised(
      'display_name',
      displayName.length >= MIN_NAME_LENGTH && displayName !== appId,
      `The name has at least ${MIN_NAME_LENGTH} characters and is not the app_id.`,
    ),
    advised('icon', found?.has_icon ?? false, 'The app has an icon.'),
  ];
}

/**
 * Message of the check of prices. Also names priced functions that do not exist: nothing else would
 * tell the developer that such a price is never charged.
 */
function priceMessage(model: PricingModel, found: FoundPrices | undefined): string {
  if (!found?.priced_of_none.length) return PRICE_CHECKS[model];
  const { priced_of_none: names, functions, has_price } = found;
  const are = `${named(names)} ${names.length === 1 ? 'is no function' : 'are no functions'} of this version`;
  return has_price
    ? `${PRICE_CHECKS[model]} But ${are}.`
    : `No price counts: ${are} (it has ${functions.length ? named(functions, '') : 'none'}).`;
}

const named = (names: string[], quote = '`'): string =>
  names
    .slice(0, NAMED)
    .map((name) => `${quote}${name}${quote}`)
    .concat(names.length > NAMED ? ['…'] : [])
    .join(', ');

const required = (check: string, ok: boolean, message: string): AppCheck => ({ check, ok, required: true, message });
const advised = (check: string, ok: boolean, message: string): AppCheck => ({ check, ok, required: false, message });
