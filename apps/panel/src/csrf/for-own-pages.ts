import { SetMetadata } from '@nestjs/common';

export const FOR_OWN_PAGES = Symbol('FOR_OWN_PAGES');

/** For a route that changes nothing and still is not to be called by pages of other sites, such as one that takes a while of this server. */
export const ForOwnPages = () => SetMetadata(FOR_OWN_PAGES, true);
