export * from './formats.ts';
export * from './forms.ts';
export * from './list.ts';
export * from './parts.ts';
export * from './plot.ts';
