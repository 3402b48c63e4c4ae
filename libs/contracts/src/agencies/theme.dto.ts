import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { HasNoIssues } from '../issues-within.js';
import { IsOneOf } from '../validators.js';
import { THEME_COLORS, type ThemeColor } from './theme-colors.js';
import { themeColorIssues } from './theme-rules.js';

export const DENSITIES = ['compact', 'default', 'spacious'] as const;
export type Density = (typeof DENSITIES)[number];

export const RADII = ['sharp', 'default', 'rounded'] as const;
export type Radius = (typeof RADII)[number];

/** A colour for each mode: `#rgb`, `#rrggbb`, `rgb()` or `oklch()`, without alpha. */
export class AgencyThemeColor {
  /**
   * Colour in light mode.
   * @example #2a54d4
   */
  light!: string;
  /**
   * Colour in dark mode.
   * @example oklch(0.75 0.12 270)
   */
  dark!: string;
}

/** Appearance of the panel for the users of an agency. */
@ApiExtraModels(AgencyThemeColor)
export class AgencyTheme {
  /**
   * Colours by part of the panel. A part that is absent keeps the colour of the platform. In both
   * modes, `X` and `X-foreground`, and `background` and `foreground`, must have a contrast of at
   * least 4.5:1 (WCAG 2.2 AA).
   */
  @AreThemeColors() colors: Partial<Record<ThemeColor, AgencyThemeColor>> = {};
  /** Distance between the elements of the panel. */
  @IsOneOf(DENSITIES, 'default') density: Density = 'default';
  /** Rounding of corners. */
  @IsOneOf(RADII, 'default') radius: Radius = 'default';
}

function AreThemeColors(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'object',
      selfRequired: false,
      default: {},
      properties: Object.fromEntries(
        THEME_COLORS.map((key) => [key, { allOf: [{ $ref: getSchemaPath(AgencyThemeColor) }] }]),
      ),
      additionalProperties: false,
    }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    HasNoIssues('areThemeColors', themeColorIssues),
  );
}
