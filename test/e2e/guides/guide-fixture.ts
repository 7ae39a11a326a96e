import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDemoCredentials } from '../../../embedded/state/demo-credentials.ts';
import { demoTest, operator } from '../demo-fixture.ts';
import { guide } from './guide-blocks.ts';

let runs = 0;

/** A GTIN-13 of its own for each number. */
function barcodeOf(number: number): string {
  const digits = String(629_104_150_000 + number);
  const sum = Array.from(digits, (digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 3));
  return `${digits}${(10 - (sum.reduce((total, each) => total + each, 0) % 10)) % 10}`;
}

/**
 * Gives each test a vendor of its own, and the guides filled with its credential. The tests of a
 * file share the catalogue, so the variants of each have names of their own.
 */
export const guideTest = demoTest
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'guide-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend(
    'filled',
    async ({
      gateway,
      apiUrl,
      receiverOrigin,
      folder,
    }): Promise<(name: string) => Promise<string>> => {
      const { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET } = operator;
      const { vendor } = await ensureDemoCredentials(
        { GATEWAY_HOME: folder, OPERATOR_ID, OPERATOR_SECRET },
        gateway.ownerUrl,
      );
      runs += 1;
      const given = {
        'http://127.0.0.1:3000': apiUrl,
        'http://127.0.0.1:8790': receiverOrigin,
        'vc_…': vendor.clientId,
        'vs_…': vendor.clientSecret,
        'os_…': OPERATOR_SECRET,
        'VENDOR=…': `VENDOR=${vendor.id}`,
        '8790': new URL(receiverOrigin).port,
        'OUD-50': `OUD-50-${runs}`,
        'AMBER-50': `AMBER-50-${runs}`,
        '6291041500213': barcodeOf(runs),
      };
      return async (name) =>
        Object.entries(given).reduce(
          (before, [placeholder, value]) => before.replaceAll(placeholder, value),
          await guide(name),
        );
    },
  );
