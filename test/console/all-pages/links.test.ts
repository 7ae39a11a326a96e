import { expect } from 'vitest';
import { newRecord, pages } from '../every-page.ts';
import { consoleTest } from '../console-fixture.ts';
// What a page names leads to its own page.

const test = consoleTest.extend('ids', { scope: 'file' }, ({ gateway }) =>
  newRecord(gateway, 'Text'),
);

const links: Readonly<Record<string, readonly string[]>> = {
  queue: ['vendors', 'offers'],
  decision: ['vendors', 'audit'],
  'decision-of-price': ['vendors', 'catalogue', 'audit'],
  'all-offers': ['vendors', 'offers'],
  many: ['vendors', 'offers'],
  returns: ['vendors', 'returns'],
  return: ['vendors', 'orders', 'catalogue', 'audit'],
  orders: ['vendors', 'orders'],
  order: ['vendors', 'catalogue', 'audit'],
  webhooks: ['vendors', 'webhooks/deliveries'],
  deliveries: ['vendors', 'webhooks/deliveries'],
  delivery: ['vendors', 'webhooks/deliveries', 'audit'],
  variant: ['vendors', 'offers', 'audit'],
  'review-job': ['offers', 'audit'],
  audit: ['offers', 'review-jobs', 'operators'],
};

test.for(Object.entries(links))(
  'links what %s names to its page',
  async ([name, found], { admin, ids }) => {
    const [, pathOf] = pages.find(([page]) => page === name) ?? expect.unreachable();
    const [, main = ''] = (await admin.read(pathOf(ids))).split('<main');
    for (const page of found) {
      const address = { audit: '/console/audit\\?', operators: '/console/audit\\?operatorId=' }[
        page
      ];
      const form = new RegExp(`href="${address ?? `/console/${page}[/?]`}`);
      expect(main, page).toMatch(form);
    }
  },
);
