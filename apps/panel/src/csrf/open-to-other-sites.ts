import { SetMetadata } from '@nestjs/common';

export const OPEN_TO_OTHER_SITES = Symbol('OPEN_TO_OTHER_SITES');

/** For a route that other systems call and that looks at no session: who sends the request is not asked. */
export const OpenToOtherSites = () => SetMetadata(OPEN_TO_OTHER_SITES, true);
