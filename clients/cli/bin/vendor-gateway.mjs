#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { register } from 'node:module';

/**
 * The repository runs the sources, so that no build is out of date. The package has a build only.
 */
const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const { register: registerTypeScript } = await import('tsx/esm/api');
  registerTypeScript();
  // As `node --conditions=source`: resolves the client to its sources.
  const hook = `export const resolve = (specifier, context, next) =>
    next(specifier, { ...context, conditions: ['source', ...context.conditions] });`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
  await import(source.href);
} else await import('../dist/main.js');
