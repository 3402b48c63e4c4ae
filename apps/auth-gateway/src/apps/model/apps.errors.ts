import type { AppStatus, DeveloperTier } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

export const AppErrors = {
  notFound: () => new AppError(404, 'app.not_found', 'There is no such app.'),
  nameRequired: () => new ValidationFailed([{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }]),
  /** Clients search the message for `already in use`. */
  idTaken: (appId: string) => new AppError(409, 'app.id_taken', `The app_id "${appId}" is already in use.`),
  idReserved: (appId: string) =>
    new AppError(400, 'app.id_reserved', `The app_id "${appId}" is reserved for the platform. Choose another one.`),
  tooMany: (tier: DeveloperTier, most: number) =>
    new AppError(
      403,
      'app.too_many',
      `The tier ${tier} allows ${most === 1 ? 'one app' : `${most} apps`}. Delete one (\`platform apps delete\`), or move to a higher tier.`,
    ),
  pricingFixed: (status: AppStatus) =>
    new AppError(
      409,
      'app.pricing_fixed',
      `Prices and shares can change only while an app is a draft or suspended; this one is ${SHOWN[status]}.`,
    ),
  nameFixed: (status: AppStatus) =>
    new AppError(
      409,
      'app.name_fixed',
      `The name can change only while an app is a draft or suspended; this one is ${SHOWN[status]}. In the marketplace it changes with a new version, which is reviewed.`,
    ),
  splitTooHigh: (most: number) =>
    new AppError(400, 'app.split_too_high', `Your share of this app can be at most ${most} percent.`, {
      details: { maximum: most },
    }),
  wrongStatus: (status: AppStatus) =>
    new AppError(409, 'app.wrong_status', `The app is ${SHOWN[status]}, so this cannot be done.`, {
      details: { status },
    }),
  notConfirmed: (appId: string) =>
    new AppError(400, 'app.not_confirmed', `Send "${appId}" as confirm_name to delete this app.`),
  stoppedByPlatform: () =>
    new AppError(
      409,
      'app.stopped_by_platform',
      'The operator of the platform suspended this app. Until it is approved again, only the operator can delete it.',
    ),
  neverDeployed: () => new AppError(409, 'app.never_deployed', 'The app has no deployed version. Deploy it first.'),
  isSystem: () =>
    new AppError(
      403,
      'app.system',
      'This is a system app. Its review, status and prices cannot be changed, and it cannot be deleted.',
    ),
};

const SHOWN: Record<AppStatus, string> = {
  draft: 'a draft',
  pending_review: 'in review',
  active: 'active',
  suspended: 'suspended',
};
