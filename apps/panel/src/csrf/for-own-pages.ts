import { SetMetadata } from '@nestjs/common';

export const FOR_OWN_PAGES = Symbol('FOR_OWN_PAGES');

/**
 * Marks a read-only route that pages of other sites must not call, for example because it is
 * expensive.
 */
export const ForOwnPages = () => SetMetadata(FOR_OWN_PAGES, true);
