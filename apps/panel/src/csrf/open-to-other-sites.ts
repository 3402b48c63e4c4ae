import { SetMetadata } from '@nestjs/common';

export const OPEN_TO_OTHER_SITES = Symbol('OPEN_TO_OTHER_SITES');

/**
 * Marks a route for other systems that uses no session: the origin of the request is not checked.
 */
export const OpenToOtherSites = () => SetMetadata(OPEN_TO_OTHER_SITES, true);
