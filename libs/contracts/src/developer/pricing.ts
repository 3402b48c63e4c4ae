import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { didYouMean } from '../did-you-mean.js';
import { HasNoIssues, isRecord, type IssueWithin } from '../issues-within.js';

/** Pricing models of an app. */
export const PRICING_MODELS = ['free', 'per_action', 'subscription'] as const;
export type PricingModel = (typeof PRICING_MODELS)[number];

const KEYS = ['tool_prices', 'monthly_price'];
/** Maximum difference in length between a mistyped key and the known key. */
const MISTYPED_LENGTHS = 2;
const MAX_PRICE = 10_000_000;
const MAX_LENGTH = 16_384;

/**
 * The value must be an object with prices in whole credits. Unknown keys are stored, too, except
 * those that look like a mistyped known key: the app would then be free without any warning.
 */
export const IsPricingConfig = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, example: { tool_prices: { create_invoice: 20 } } }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    HasNoIssues('isPricingConfig', pricingIssues),
  );

function pricingIssues(config: unknown): IssueWithin[] {
  if (!isRecord(config)) return [{ path: [], msg: 'Input should be a valid dictionary', type: 'dict_type' }];
  const tooLong = { path: [], msg: `Input should have at most ${MAX_LENGTH} characters as JSON`, type: 'value_error' };
  if (JSON.stringify(config).length > MAX_LENGTH) return [tooLong];
  const { tool_prices: tools = {}, monthly_price: monthly = 0 } = config;
  const ofTools = isRecord(tools)
    ? Object.entries(tools).flatMap(([tool, price]) => priceIssues(price, ['tool_prices', tool]))
    : [{ path: ['tool_prices'], msg: 'Input should be a valid dictionary', type: 'dict_type' }];
  return [...Object.keys(config).flatMap(mistyped), ...ofTools, ...priceIssues(monthly, ['monthly_price'])];
}

function mistyped(key: string): IssueWithin[] {
  if (KEYS.includes(key)) return [];
  // A key that is much longer is a different name, such as `monthly_price_note`.
  const meant = didYouMean({
    of: key,
    among: KEYS.filter(({ length }) => Math.abs(length - key.length) <= MISTYPED_LENGTHS),
  });
  return meant ? [{ path: [key], msg: `This key is not known.${meant}`, type: 'extra_forbidden' }] : [];
}

function priceIssues(price: unknown, path: string[]): IssueWithin[] {
  if (!Number.isInteger(price)) return [{ path, msg: 'Input should be a valid integer', type: 'int_type' }];
  if ((price as number) < 0)
    return [{ path, msg: 'Input should be greater than or equal to 0', type: 'greater_than_equal' }];
  if ((price as number) > MAX_PRICE)
    return [{ path, msg: `Input should be less than or equal to ${MAX_PRICE}`, type: 'less_than_equal' }];
  return [];
}
