import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isAtMost } from '../validators.js';
import { HasNoIssues } from '../issues-within.js';

export interface Category {
  id: string;
  label: string;
  description: string;
  /** Other spellings that are accepted for this category. */
  aliases: readonly string[];
}

const category = (id: string, label: string, description: string, ...aliases: string[]): Category => ({
  id,
  label,
  description,
  aliases,
});

/** Categories of apps. An id never changes, because apps store it. */
export const CATEGORIES: readonly Category[] = [
  category('general', 'General', 'Apps that fit no other category', 'other', 'misc', 'miscellaneous'),
  category(
    'ai',
    'AI',
    'AI models, agents and apps that use them',
    'artificial intelligence',
    'machine learning',
    'assistants',
  ),
  category('analytics', 'Analytics', 'Figures, charts and reports', 'data', 'reporting', 'business intelligence'),
  category(
    'automation',
    'Automation',
    'Work that runs automatically',
    'automations',
    'workflows',
    'integration',
    'integrations',
  ),
  category('communication', 'Communication', 'Mail, chat and calls', 'email', 'mail', 'chat', 'messaging', 'social'),
  category(
    'customer-support',
    'Customer support',
    'Tickets and help for customers',
    'support',
    'help desk',
    'customer service',
  ),
  category('design', 'Design', 'Pictures, layouts and prototypes', 'graphics', 'creative'),
  category(
    'developer-tools',
    'Developer tools',
    'Tools for software development',
    'development',
    'developers',
    'devtools',
    'coding',
  ),
  category('education', 'Education', 'Learning and teaching', 'learning', 'training'),
  category('finance', 'Finance', 'Money, invoices and taxes', 'accounting', 'billing', 'payments', 'invoicing'),
  category('games', 'Games', 'Games and entertainment', 'gaming', 'entertainment'),
  category('health', 'Health', 'Fitness, wellness and medicine', 'fitness', 'wellness', 'medical'),
  category('hr', 'People', 'Hiring, teams and time off', 'human resources', 'recruiting'),
  category('lifestyle', 'Lifestyle', 'Home, food and free time', 'home', 'food', 'shopping'),
  category('marketing', 'Marketing', 'Campaigns, search engines and audiences', 'advertising', 'seo', 'social media'),
  category('media', 'Media', 'Music, video, photos and news', 'music', 'video', 'photos', 'news'),
  category(
    'productivity',
    'Productivity',
    'Notes, tasks, calendars and documents',
    'tasks',
    'notes',
    'office',
    'documents',
    'project management',
  ),
  category('sales', 'Sales', 'Leads, deals and shops', 'crm', 'e-commerce', 'commerce'),
  category('security', 'Security', 'Access, secrets and audits', 'privacy', 'compliance'),
  category('travel', 'Travel', 'Trips, maps and bookings', 'maps', 'navigation', 'transport'),
  category('utilities', 'Utilities', 'Small helpers', 'tools', 'utility'),
];

const MAX_CATEGORY_LENGTH = 50;
const MOST_SUGGESTED = 3;
/** Minimum share of common letter pairs for two similar spellings. */
const LEAST_LIKENESS = 0.5;

/** Letters and digits in lower case: "Customer-Support" and "customer support" become equal. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const BY_SPELLING = new Map(
  CATEGORIES.flatMap((entry) => [entry.id, entry.label, ...entry.aliases].map((spelling) => [plain(spelling), entry])),
);

/** Category with this id, label or other spelling; null if there is none. */
export const findCategory = (text: string): Category | null =>
  isAtMost(MAX_CATEGORY_LENGTH, text) ? (BY_SPELLING.get(plain(text)) ?? null) : null;

/**
 * Ids of the categories with the most similar spellings, best first; at most three; empty if none
 * is similar.
 */
export function suggestCategories(text: string): string[] {
  const wanted = pairsOf(plain(text.slice(0, MAX_CATEGORY_LENGTH)));
  const likeness = new Map<string, number>();
  for (const [spelling, { id }] of BY_SPELLING)
    likeness.set(id, Math.max(likeness.get(id) ?? 0, likenessOf(wanted, pairsOf(spelling))));
  return [...likeness]
    .filter(([, like]) => like >= LEAST_LIKENESS)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_SUGGESTED)
    .map(([id]) => id);
}

/** Issue for an unknown category, with the most similar ones as suggestions. */
export function unknownCategory(text: string): { msg: string; type: string } {
  const suggested = suggestCategories(text);
  const hint = suggested.length
    ? `Did you mean ${suggested.join(' or ')}?`
    : 'GET /v1/marketplace/categories/catalog lists them.';
  return { msg: `There is no such category. ${hint}`, type: 'literal_error' };
}

const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: text.length + 1 }, (_none, at) => ` ${text} `.slice(at, at + 2)));

/** Sørensen–Dice coefficient: 1 for the same pairs, 0 for no common pair. */
function likenessOf(some: Set<string>, others: Set<string>): number {
  const common = [...some].filter((pair) => others.has(pair)).length;
  return (2 * common) / (some.size + others.size);
}

/**
 * The value must be a category by id, label or other spelling; the route gets its id. An unknown
 * category is refused with the most similar ones as suggestions.
 */
export const IsCategory = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_CATEGORY_LENGTH, example: 'productivity' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (findCategory(value)?.id ?? value) : value,
    ),
    HasNoIssues('isCategory', (value) => {
      if (typeof value !== 'string') return [{ path: [], msg: 'Input should be a valid string', type: 'string_type' }];
      if (findCategory(value)) return [];
      return [{ path: [], ...unknownCategory(value) }];
    }),
  );
