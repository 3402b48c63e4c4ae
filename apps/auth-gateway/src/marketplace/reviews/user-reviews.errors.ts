import { AppError } from '@platform/platform';

export const UserReviewErrors = {
  notFound: () => new AppError(404, 'review.not_found', 'There is no such review.'),
  notInstalled: () =>
    new AppError(403, 'review.not_installed', 'You can review only apps that you have or had installed.'),
  ownApp: () => new AppError(403, 'review.own_app', 'You cannot review your own app.'),
  alreadyReviewed: () =>
    new AppError(409, 'review.exists', 'You have reviewed this app already. Change your review instead.'),
  notYours: () => new AppError(403, 'review.not_yours', 'You can change only your own reviews.'),
  ownReview: () => new AppError(403, 'review.own', 'You cannot vote on your own review.'),
};
