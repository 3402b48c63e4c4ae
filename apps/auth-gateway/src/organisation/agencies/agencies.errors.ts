import { MAX_SETTINGS_BYTES } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

export const AgencyErrors = {
  notFound: () => new AppError(404, 'agency.not_found', 'There is no such agency.'),
  idTaken: () =>
    new AppError(409, 'agency.id_taken', 'An agency with this agency_id exists already. Choose another agency_id.'),
  domainTaken: () =>
    new AppError(409, 'agency.domain_taken', 'Another agency uses this domain. Choose another domain.'),
  settingsTooLarge: () =>
    new ValidationFailed([
      {
        loc: ['body'],
        msg: `All settings together can have at most ${MAX_SETTINGS_BYTES} bytes as JSON`,
        type: 'too_long',
      },
    ]),
};
