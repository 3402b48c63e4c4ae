export * from './auth.dto.js';
export * from './validators.js';
