import { existsSync } from 'node:fs';
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { baseUrlOf } from '../api/error-codes/http.ts';
import { gatewayTest } from './gateway/gateway-test.ts';

/**
 * Debian's, which `.ci/guides/install` installs. The shell has no windows, and takes a quarter of
 * the processor time.
 */
const executablePath =
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? null;

/**
 * Gives a test `openPage`: a page of a browser without cookies, whose relative addresses are the
 * gateway's. The test fails if a script of the page throws or the page's policy (CSP) refuses
 * something. Without a browser the test is skipped, except in CI.
 */
export const browserTest = gatewayTest
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    if (executablePath === null) {
      if (process.env['CI'] === undefined) return null;
      throw new Error('no browser in /usr/bin: .ci/guides/install installs one');
    }
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('openPage', async ({ browser, gateway, skip }, { onCleanup }) => {
    if (browser === null) return skip('no browser');
    const baseURL = await baseUrlOf(gateway.app);
    const faults: string[] = [];
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      expect(faults).toEqual([]);
    });
    return async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({ baseURL, ...options });
      context.setDefaultTimeout(50_000);
      contexts.push(context);
      context.on('weberror', (error) => faults.push(error.error().message));
      context.on('console', (message) => {
        if (/Content Security/.test(message.text())) faults.push(message.text());
      });
      return context.newPage();
    };
  });
