/** Parts of payload schemas (JSON Schema 2020-12). */
export const id = (description: string) => ({ type: 'string', description }) as const;
export const text = (description: string) => ({ type: 'string', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const time = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;
export const credits = (description: string) => ({ type: 'integer', description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;
export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  ({ type: 'string', enum: values, description }) as const;
