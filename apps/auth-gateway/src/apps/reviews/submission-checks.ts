import { developmentNumber } from '@platform/app-document';
import type { AppCheck } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import type { AppStatus, PricingModel } from '../model/app.entity.js';
import type { ShownApp } from '../model/app-response.js';

const MIN_DESCRIPTION_LENGTH = 40;
const MIN_NAME_LENGTH = 3;
/** Of a version `v`. What came without its document has what its manifest says. */
const DOES_SOMETHING = `(v.manifest -> 'tools' <> '[]' OR v.manifest -> 'skeleton_sections' <> '[]'
  OR jsonb_path_exists(v.document, '$.app ? (@.webhooks[*] != null || @.schedules[*] != null || @.events.subscribes[*] != null || @.ui.panels[*] != null)'))`;
/** Of an app `a` and its version `v`. */
const HAS_PRICE = `CASE a.pricing_model WHEN 'free' THEN true
  WHEN 'subscription' THEN coalesce(a.pricing_config -> 'monthly_price' @@ 'strict $ > 0', false)
  ELSE EXISTS (SELECT FROM jsonb_array_elements(v.manifest -> 'tools') AS each (tool)
    WHERE a.pricing_config -> 'tool_prices' -> (tool ->> 'name') @@ 'strict $ > 0') END`;
const PRICE_CHECKS: Record<PricingModel, string> = {
  free: 'What costs something has a price.',
  per_action: 'A function of the version that runs has a price in `pricing_config.tool_prices`.',
  subscription: 'What is paid for by the month has a price: `pricing_config.monthly_price`.',
};
export const SUBMITTABLE: readonly AppStatus[] = ['draft', 'suspended'];

const STANDS: Partial<Record<AppStatus, string>> = {
  pending_review: ' It waits for a review already.',
  active: ' It is in the marketplace: deploy its next version.',
};

/** What a review asks for. What the smallest app of the interface lacks is advice; without the rest there is nothing to review. */
export async function checkSubmission(em: EntityManager, app: ShownApp): Promise<AppCheck[]> {
  const { appId, displayName, shortDescription, description } = app;
  const [found] = await em.query<
    { is_deployed: boolean; has_icon: boolean; has_document: boolean; does_something: boolean; has_price: boolean }[]
  >(
    `SELECT a.icon IS NOT NULL OR a.icon_svg IS NOT NULL AS has_icon,
       EXISTS (SELECT FROM deploys d WHERE d.app_id = a.app_id AND d.status IN ('success', 'warning')) AS is_deployed,
       v.document IS NOT NULL AS has_document, ${DOES_SOMETHING} IS TRUE AS does_something,
       ${HAS_PRICE} AS has_price
     FROM apps a LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
    [appId],
  );
  const isRelease = app.servedVersion === null || developmentNumber(app.servedVersion) === null;
  const descriptionLength = Math.max(description.length, shortDescription.length);
  return [
    required('status', SUBMITTABLE.includes(app.status), `The app is a draft or suspended.${STANDS[app.status] ?? ''}`),
    required('successful_deploy', found?.is_deployed ?? false, 'At least one deploy has succeeded.'),
    required('version', app.servedVersion !== null, 'A version of the app runs.'),
    {
      check: 'content',
      ok: found?.does_something ?? false,
      // The interface asks for a deploy alone, and the smallest one brings no document.
      required: found?.has_document ?? false,
      message: 'The version that runs has a function, a webhook, a schedule, an event handler or a panel.',
    },
    {
      check: 'price',
      ok: found?.has_price ?? false,
      // Who says what their app costs function by function may give some of it away.
      required: app.pricingModel === 'subscription',
      message: PRICE_CHECKS[app.pricingModel],
    },
    required('release', isRelease, 'The version that runs is not one of `platform dev`. Deploy it with `platform deploy`.'),
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

const required = (check: string, ok: boolean, message: string): AppCheck => ({ check, ok, required: true, message });
const advised = (check: string, ok: boolean, message: string): AppCheck => ({ check, ok, required: false, message });
